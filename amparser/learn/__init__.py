"""Systems and their training: settings, training loop, checkpoints, model folders, confidence."""

"""From aligned graphs to AM dependency trees: what a corpus teaches about sources."""

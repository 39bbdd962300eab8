"""What the answers of a parser are composed of: one folder for each kind of constants."""

"""The command line: arguments and printing, one module per command."""

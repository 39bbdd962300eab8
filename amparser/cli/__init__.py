"""The command line: arguments and printing, one module a command."""

"""The commands as functions, one module each; `cli` translates arguments to their calls.

A function imports what it needs when its module is imported, and no module is
imported here, so that asking for one command does not pay for another.
"""

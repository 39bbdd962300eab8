"""`python -m amparser.decode` compiles the decoders ahead."""

import logging

from amparser.decode.ahead import compile_all
from amparser.decode.compiled import LOG

if __name__ == "__main__":
    LOG.setLevel(logging.ERROR)  # here the notice of compilation is superfluous
    for name, seconds in compile_all():
        print(f"{name}: {seconds:.1f} s")

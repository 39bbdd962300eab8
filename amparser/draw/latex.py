r"""LaTeX for papers: AM dependency trees for the package `tikz-dependency`.

    \usepackage{tikz-dependency}

A picture is a `dependency` environment with the words, their lexical labels below, and the arcs.
"""

from __future__ import annotations

from itertools import zip_longest

from amparser.constants.operations import IGNORE, MOD, ROOT
from amparser.constants.tree import AMTree
from amparser.draw.constants import constant_lines

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    # In a matrix of TikZ `\&` divides columns.
    "&": r"\symbol{38}",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # LaTeX's default encoding has no straight quote.
    '"': "''",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
_MODIFIES = "[edge style={dashed}]"


def tree_to_latex(tree: AMTree) -> str:
    r"""An AM dependency tree as a `dependency` environment of `tikz-dependency`.

    Args:
        tree: the tree; a token that hangs from itself or from no token has no arc.
    """
    words = [_word(entry.form, ignored=entry.operation == IGNORE) for entry in tree.entries]
    constants = [[line.strip() for line in constant_lines(entry)] for entry in tree.entries]
    rows = [words, *(list(map(_small, row)) for row in zip_longest(*constants, fillvalue=""))]
    lines = [r"\begin{dependency}[theme=simple]", r"  \begin{deptext}[column sep=1em]"]
    lines += ["    " + r" \& ".join(row) + r" \\" for row in rows]
    lines.append(r"  \end{deptext}")
    for token, entry in enumerate(tree.entries, 1):
        if entry.operation == IGNORE or entry.head == token or entry.head > len(tree):
            continue
        label = latex_escaped(entry.operation)
        if entry.operation == ROOT or entry.head == 0:
            lines.append(rf"  \deproot{{{token}}}{{{label}}}")
        else:
            style = _MODIFIES if entry.operation.startswith(MOD) else ""
            lines.append(rf"  \depedge{style}{{{entry.head}}}{{{token}}}{{{label}}}")
    lines.append(r"\end{dependency}")
    return "\n".join(lines) + "\n"


def latex_escaped(text: str) -> str:
    r"""A text that LaTeX prints as it is.

    >>> latex_escaped("APP_s & 5%")
    'APP\\_s \\symbol{38} 5\\%'
    """
    return "".join(_ESCAPES.get(c, c) for c in text)


def _word(form: str, *, ignored: bool) -> str:
    shown = latex_escaped(form)
    return rf"\textit{{\textcolor{{gray}}{{{shown}}}}}" if ignored else shown


def _small(line: str) -> str:
    return rf"{{\footnotesize {latex_escaped(line)}}}" if line else "{}"

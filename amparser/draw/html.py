"""Pages that are complete in one file: no other file, no host, no network.

A page carries its style. Its content security policy names it by checksum and forbids everything
else.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode

from amparser.draw.svg import STYLE, escaped

PAGE_STYLE = """
:root{color-scheme:light dark;--ground:#fff;--ink:#1b1f24;--faint:#57606a;--edge:#d0d7de;
--fill:#f3f5f7;--link:#0b57a4;--good:#116329;--bad:#a40e26}
@media (prefers-color-scheme:dark){:root{--ground:#16191d;--ink:#eef1f4;--faint:#a3adb8;
--edge:#3d444d;--fill:#23282e;--link:#7db8ff;--good:#6fdd8b;--bad:#ff9492}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:100rem;background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,"DejaVu Sans",Verdana,sans-serif}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
a{color:var(--link)}
code,pre,.meaning{font-family:"DejaVu Sans Mono",Consolas,monospace;font-size:.875rem}
pre,.meaning{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}
.picture{overflow-x:auto;border:1px solid var(--edge);border-radius:6px;margin:.5rem 0}
.picture svg{display:block}
table{border-collapse:collapse}
th,td{text-align:left;padding:.2rem .7rem;border-bottom:1px solid var(--edge)}
td.figure,th.figure{text-align:right;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto}
.faint{color:var(--faint)}.bad{color:var(--bad)}.good{color:var(--good)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
"""
"""The style of all pages; `STYLE` of pictures is added to it."""


def html_page(title: str, body: str, *, style: str = "") -> str:
    """A complete page.

    Args:
        style: CSS in addition to the style of all pages.
    """
    styles = PAGE_STYLE + STYLE + style
    checksum = b64encode(hashlib.sha256(styles.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{checksum}'; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>{styles}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def picture_html(svg: str, label: str) -> str:
    """A picture that scrolls sideways, also by keyboard, if the page is narrower."""
    return (
        f'<div class="picture" tabindex="0" role="group" aria-label="{escaped(label)}">{svg}</div>'
    )

"""Self-contained HTML pages that load no other file.

The style is part of the page. The content security policy allows this style by its checksum and
forbids everything else.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from pathlib import Path

from amparser.draw.svg import STYLE, escaped

PAGE_STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
"""CSS of all pages; the CSS of pictures (`STYLE`) is added to it."""


def html_page(title: str, body: str, *, style: str = "") -> str:
    """Return a complete page with a plain-text title, an HTML body and additional CSS."""
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
    """Wrap a picture in an element that scrolls sideways on narrow pages, also by keyboard."""
    return (
        f'<div class="picture" tabindex="0" role="group" aria-label="{escaped(label)}">{svg}</div>'
    )

"""How to cite an audit: BibTeX entries of the audit and of assay."""

from __future__ import annotations

import re
import unicodedata

from assay.audits import Audit

SOFTWARE = """@software{{assay,
  author  = {{{{The assay developers}}}},
  title   = {{assay: how far can this text benchmark be trusted?}},
  version = {{{version}}},
  license = {{Apache-2.0}}
}}
"""
_UNSAFE = re.compile(r"[^a-z0-9]+")
_SPECIAL = re.compile(r"([#$%&_{}])")


def write_bibtex(audit: Audit) -> str:
    """Return BibTeX entries for an audit, which its data, version and settings identify, and for assay itself."""
    settings, data = audit.settings, audit.data
    depth = "quick" if settings.quick else "full"
    note = (
        f"Made with assay {settings.version} ({depth}, seed {settings.seed}); data fingerprint {data.fingerprint[:16]}"
    )
    entry = (
        f"@misc{{assay-{make_key(data.name)}-{data.fingerprint[:8]},\n"
        f"  title = {{Audit of the benchmark {{{escape_latex(data.name)}}}: {data.rows:,} items}},\n"
        f"  note  = {{{escape_latex(note)}}}\n}}\n"
    )
    return entry + SOFTWARE.format(version=settings.version)


def make_key(name: str) -> str:
    """Write a name as part of a BibTeX key.

    >>> make_key("Ünïted data (v2)")
    'united-data-v2'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _UNSAFE.sub("-", plain).strip("-")[:40] or "data"


def escape_latex(text: str) -> str:
    r"""Escape what LaTeX would read as a command; quotation marks and brackets of Markdown and HTML become LaTeX, too.

    >>> print(escape_latex(r"50% of {a_b}\x"))
    50\% of \{a\_b\}\textbackslash x
    """
    parts = (_SPECIAL.sub(r"\\\1", part) for part in " ".join(text.split()).split("\\"))
    escaped = "\\textbackslash ".join(parts)
    return escaped.replace("<", "\\textless ").replace(">", "\\textgreater ").replace("`", "'")

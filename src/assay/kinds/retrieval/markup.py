"""Topics and documents of TREC in SGML or XML: `<top>`, `<topic number="1">`, `<DOC>`."""

from __future__ import annotations

import html
import re

# One tag: a pattern from a tag to its end would read the rest of the text again for every tag without one.
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9_]{0,30})([^<>]{0,500})>")
_CDATA = re.compile(r"<!\[CDATA\[|\]\]>")
_ID_ATTRIBUTE = re.compile(r"""(?:number|id|docno)\s?=\s?["']([^"'<>]{1,100})["']""", re.I)
RECORD_TAGS = ("doc", "topic", "top", "query")
ID_TAGS = ("docno", "docid", "num", "number", "topicid", "queryid", "id")
QUERY_TAGS = ("title", "query", "question", "text", "desc", "description")
DOCUMENT_TAGS = ("title", "headline", "abstract", "text", "body", "contents", "content")
_NUMBER_WORD = "number:"
Record = tuple[str, str]  # the attributes and the content of a tag


def split_records(content: str) -> list[Record]:
    """Return the attributes and the content of every topic or document.

    >>> split_records('<top>one</top> <TOPIC number="2">two</TOPIC> <top>cut off')
    [('', 'one'), (' number="2"', 'two')]
    """
    records: list[Record] = []
    start = None
    for tag in _TAG.finditer(content):
        name = tag[2].lower()
        if start is None:
            start = tag if not tag[1] and name in RECORD_TAGS else None
        elif tag[1] and name == start[2].lower():
            records.append((start[3], content[start.end() : tag.start()]))
            start = None
    return records


def read_topic(record: Record) -> tuple[str, str]:
    r"""Return the number of a topic, and its title, or another text if it has none.

    >>> read_topic(("", "<num> Number: 7\n<title> old cars\n<desc> more")), read_topic((' id="3"', "old cars"))
    (('7', 'old cars'), ('3', 'old cars'))
    """
    fields = read_fields(record[1])
    texts = [fields[tag] for tag in QUERY_TAGS if fields.get(tag)]
    return _find_id(record[0], fields), texts[0] if texts else fields[""]


def read_document(record: Record) -> tuple[str, str]:
    """Return the number of a document, and its title and text; its whole content if it has neither.

    >>> read_document(("", "<DOCNO> d1 </DOCNO><TITLE>Cars</TITLE><TEXT><P>old</P> cars</TEXT>"))
    ('d1', 'Cars old cars')
    """
    fields = read_fields(record[1])
    texts = [fields[tag] for tag in DOCUMENT_TAGS if fields.get(tag)]
    return _find_id(record[0], fields), " ".join(texts) if texts else fields[""]


def read_fields(content: str) -> dict[str, str]:
    r"""Return the texts of the first tag of each name, and under "" the text that follows the number.

    A text ends with its tag. Without an end it ends at the next tag, and a number at the end of its line.

    >>> read_fields("<title>a <b>red</b> car</title><desc> more")["title"], read_fields("<num> 7\nold cars")[""]
    ('a red car', 'old cars')
    """
    tags = list(_TAG.finditer(content))
    fields: dict[str, str] = {}
    ends: dict[str, int] = {}
    rest, following = 0, len(content)
    for tag in reversed(tags):
        name = tag[2].lower()
        if tag[1]:
            ends[name] = tag.start()
        elif name in ID_TAGS:
            end = _find_line_end(content, tag.end(), min(ends.get(name, following), following))
            fields[name], rest = _clean(content[tag.end() : end]), end
        elif name in QUERY_TAGS or name in DOCUMENT_TAGS:
            fields[name] = _clean(content[tag.end() : ends.get(name, following)])
        following = tag.start()
    return fields | {"": _clean(content[rest:])}


def _find_line_end(content: str, start: int, end: int) -> int:
    """Return where the first line with a text ends, at most `end`."""
    text = content[start:end]
    line = text.lstrip().partition("\n")[0]
    return start + len(text) - len(text.lstrip()) + len(line)


def _find_id(attributes: str, fields: dict[str, str]) -> str:
    match = _ID_ATTRIBUTE.search(attributes)
    name = match[1].strip() if match else next((fields[tag] for tag in ID_TAGS if fields.get(tag)), "")
    return name[len(_NUMBER_WORD) :].strip() if name.lower().startswith(_NUMBER_WORD) else name


def _clean(text: str) -> str:
    return " ".join(html.unescape(_TAG.sub(" ", _CDATA.sub(" ", text))).split())

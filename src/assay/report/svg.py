"""Charts as SVG that may stand inside a page: small, without styles or ids that clash, coloured by the page."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from assay.report.theme import config

_KEPT_ELEMENTS = {"svg", "g", "path", "line", "text", "rect", "circle", "defs", "clipPath", "tspan", "title"}
_KEPT = {
    "d", "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "fill-opacity", "opacity", "transform",
    "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "text-anchor", "font-size", "font-weight",
    "clip-path", "id", "viewBox", "stroke-linecap", "display",
}  # fmt: skip
_NUMBER = re.compile(r"-?\d+\.\d{2,}")
_CIRCLE = re.compile(r"M([\d.]+),0A\1,\1,0,1,1,-\1,0A\1,\1,0,1,1,\1,0$")
_CLIP = re.compile(r'\b(id="clip|clip-path="url\(#clip)(\d+)')
_PLACE = re.compile(r"translate\((-?[\d.]+),(-?[\d.]+)\)$")


def specification(chart: Any) -> dict[str, Any]:
    """Return the Vega-Lite specification of a chart in our colours and type."""
    made: dict[str, Any] = chart.to_dict()
    return {**made, "config": {**made.get("config", {}), **config()}}


def rendered(chart: Any) -> str:
    """Render a chart to a stand-alone SVG file, without browser or network."""
    import vl_convert

    made = str(vl_convert.vegalite_to_svg(specification(chart)))
    numbers: dict[str, int] = {}  # the renderer counts its clips over all charts it ever drew
    return _CLIP.sub(lambda found: f"{found[1]}{numbers.setdefault(found[2], len(numbers))}", made)


def inline(svg: str, name: str) -> str:
    """Return an SVG for the inside of a page: what a mark says when touched moves to `data-tip`."""
    root = ElementTree.fromstring(svg)  # noqa: S314, our own renderer wrote it, and without a DTD
    _clean(root, name)
    del root.attrib["height"]
    root.set("aria-hidden", "true")
    root.set("focusable", "false")
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)


def height(svg: str) -> int:
    """Return the natural height of an SVG in pixels.

    >>> height('<svg viewBox="0 0 346 120">')
    120
    """
    found = re.search(r'viewBox="0 0 \d+ (\d+)', svg)
    return int(found[1]) if found else 0


def _clean(element: ElementTree.Element, name: str) -> None:
    element.tag = element.tag.rpartition("}")[2]
    tip = element.get("aria-label") if element.get("role") == "graphics-symbol" else None
    axis = "role-axis" in element.get("class", "") or "role-legend" in element.get("class", "")
    element.attrib = {key: _short(key, value, name) for key, value in element.attrib.items() if key in _KEPT}
    if tip and not axis and element.tag != "g":
        element.set("data-tip", tip)
    _circle(element)
    for child in list(element):
        _clean(child, name)
        if element.tag != "clipPath" and _shows_nothing(child):
            element.remove(child)


def _short(key: str, value: str, name: str) -> str:
    if key == "id":
        return f"{name}-{value}"
    if key == "clip-path":
        return value.replace("url(#", f"url(#{name}-")
    return _NUMBER.sub(lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), value)


def _circle(element: ElementTree.Element) -> None:
    """Write the path of a circle as a circle: half the bytes, and there may be thousands."""
    found, place = _CIRCLE.match(element.get("d", "")), _PLACE.match(element.get("transform", ""))
    if element.tag != "path" or found is None or place is None:
        return
    element.tag = "circle"
    for key in ("d", "transform"):
        del element.attrib[key]
    for key, value in (("cx", place[1]), ("cy", place[2]), ("r", found[1])):
        element.set(key, value)


def _shows_nothing(element: ElementTree.Element) -> bool:
    if element.tag not in _KEPT_ELEMENTS or element.get("display") == "none":
        return True
    if element.tag == "path":
        return not element.get("d") or not (element.get("fill") or element.get("stroke"))
    return element.tag in ("g", "defs") and len(element) == 0

"""Charts as SVG for the inside of a page: small, without styles or clashing ids, coloured by the page."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from assay.base.arrays import Values
from assay.system.json import JsonObject
from assay.views.theme import chart_config

_ALLOWED_ELEMENTS = {"svg", "g", "path", "line", "text", "rect", "circle", "defs", "clipPath", "tspan", "title"}
_ALLOWED_ATTRIBUTES = {
    "d", "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "fill-opacity", "opacity", "transform",
    "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "text-anchor", "font-size", "font-weight",
    "clip-path", "id", "dx", "dy", "viewBox", "stroke-linecap", "display",
}  # fmt: skip
_VIEW_BOX = re.compile(r'viewBox="0 0 (\d+) (\d+)')
_FONT_SIZE = re.compile(r'font-size="([\d.]+)(?:px)?"')
PHONE_WIDTH = 353  # pixels of a chart on a phone of 390 pixels
MIN_TEXT = 10  # pixels
_NUMBER = re.compile(r"-?(?<!\d)\d++\.\d{2,}")
_CIRCLE = re.compile(r"M([\d.]+),0A\1,\1,0,1,1,-\1,0A\1,\1,0,1,1,\1,0$")
_CLIP = re.compile(r'\b(id="clip|clip-path="url\(#clip)(\d+)')
_TRANSLATE = re.compile(r"translate\((-?[\d.]+),(-?[\d.]+)\)$")


def specify_chart(chart: Any) -> JsonObject:
    """Return the Vega-Lite specification of a chart in our colours and type."""
    specification: dict[str, Any] = chart.to_dict()
    return {**specification, "config": {**specification.get("config", {}), **chart_config()}}


def render_svg(chart: Values) -> str:
    """Render a chart to a stand-alone SVG file, without browser or network."""
    return render_specification(specify_chart(chart))


def render_specification(specification: JsonObject) -> str:
    """Render a Vega-Lite specification to SVG."""
    import vl_convert

    svg = str(vl_convert.vegalite_to_svg(specification))
    numbers: dict[str, int] = {}  # the renderer counts its clips over all charts it has drawn
    return _CLIP.sub(lambda match: f"{match[1]}{numbers.setdefault(match[2], len(numbers))}", svg)


def inline_svg(svg: str, name: str) -> str:
    """Return an SVG for the inside of a page: the tooltip of a mark moves to `data-tip`."""
    root = ElementTree.fromstring(svg)  # noqa: S314, our own renderer wrote it, and without a DTD
    _clean(root, name)
    del root.attrib["height"]
    root.set("aria-hidden", "true")
    root.set("focusable", "false")
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)


def svg_height(svg: str) -> int:
    """Return the natural height of an SVG in pixels.

    >>> svg_height('<svg viewBox="0 0 346 120">')
    120
    """
    match = _VIEW_BOX.search(svg)
    return int(match[2]) if match else 0


def is_wide(svg: str) -> bool:
    """Return True if the smallest text of an SVG could not be read on a phone, if the drawing had its width.

    >>> [is_wide(f'<svg viewBox="0 0 420 99"><text font-size="{size}px">') for size in (12, 11)]
    [False, True]
    """
    box, sizes = _VIEW_BOX.search(svg), [float(size) for size in _FONT_SIZE.findall(svg)]
    return box is not None and bool(sizes) and min(sizes) * PHONE_WIDTH < MIN_TEXT * int(box[1])


def _clean(element: ElementTree.Element, name: str) -> None:
    element.tag = element.tag.rpartition("}")[2]
    tip = element.get("aria-label") if element.get("role") == "graphics-symbol" else None
    axis = "role-axis" in element.get("class", "") or "role-legend" in element.get("class", "")
    element.attrib = {
        key: _shorten_value(key, value, name) for key, value in element.attrib.items() if key in _ALLOWED_ATTRIBUTES
    }
    if tip and not axis and element.tag != "g":
        text, _, link = tip.rpartition("␟") if "␟" in tip else (tip, "", "")
        element.set("data-tip", text)
        if link:
            element.set("data-items", link)
    _use_circle(element)
    for child in list(element):
        _clean(child, name)
        if element.tag != "clipPath" and _is_invisible(child):
            element.remove(child)


def _shorten_value(key: str, value: str, name: str) -> str:
    if key == "id":
        return f"{name}-{value}"
    if key == "clip-path":
        return value.replace("url(#", f"url(#{name}-")
    return _NUMBER.sub(lambda match: f"{float(match[0]):.1f}".removesuffix(".0"), value)


def _use_circle(element: ElementTree.Element) -> None:
    """Write the path of a circle as a circle: half the bytes, and there may be thousands."""
    circle, place = _CIRCLE.match(element.get("d", "")), _TRANSLATE.match(element.get("transform", ""))
    if element.tag != "path" or circle is None or place is None:
        return
    element.tag = "circle"
    for key in ("d", "transform"):
        del element.attrib[key]
    for key, value in (("cx", place[1]), ("cy", place[2]), ("r", circle[1])):
        element.set(key, value)


def _is_invisible(element: ElementTree.Element) -> bool:
    if element.tag not in _ALLOWED_ELEMENTS or element.get("display") == "none":
        return True
    if element.tag == "path":
        return not element.get("d") or not (element.get("fill") or element.get("stroke"))
    return element.tag in ("g", "defs") and len(element) == 0

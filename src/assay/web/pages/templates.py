"""Fill the templates of the pages, which escape every value."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from assay.web.formatting import format_date, format_duration, format_size

if TYPE_CHECKING:
    import jinja2

    from assay.web.server import Server


@cache
def load_templates() -> jinja2.Environment:
    """Return the templates."""
    import jinja2

    from assay.report.filters import FILTERS

    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("assay.web"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    templates.undefined = jinja2.StrictUndefined
    templates.filters |= FILTERS | {"size": format_size, "date": format_date, "duration": format_duration}
    return templates


@cache
def load_style() -> str:
    """Return the style sheet: the report's, then that of these pages."""
    from assay.report.page import dark_style

    report = (resources.files("assay.report") / "templates" / "page.css").read_text(encoding="utf-8")
    return report + str(dark_style()) + (resources.files("assay.web") / "templates" / "app.css").read_text("utf-8")


def render_template(template: str, server: Server | None, **values: object) -> str:
    """Render a page; without a server it does not contain the key."""
    token = "" if server is None else server.token
    return load_templates().get_template(template).render(token=token, **values)


def message_page(message: str) -> str:
    """Render a page with one message."""
    return render_template("message.html", None, message=message)

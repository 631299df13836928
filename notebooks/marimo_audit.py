"""An audit in a marimo notebook: `marimo edit notebooks/marimo_audit.py`."""

import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    import assay
    from assay.data.bundled import find_bundled
    from assay.report import render_page

    return assay, find_bundled, mo, render_page


@app.cell
def _(mo):
    sections = mo.ui.multiselect(
        ["profile", "difficulty", "information", "discrimination"], value=["profile", "discrimination"]
    )
    sections
    return (sections,)


@app.cell
def _(assay, find_bundled, sections):
    audit = assay.audit(find_bundled(), predictions=find_bundled("predictions"), only=sections.value)
    audit
    return (audit,)


@app.cell
def _(audit, mo):
    mo.ui.table(audit.to_frame())
    return


@app.cell
def _(audit, mo, render_page):
    mo.iframe(render_page(audit), height="800px")
    return


if __name__ == "__main__":
    app.run()

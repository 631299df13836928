"""A hook of mkdocs: one page per package, with every name that it exports, from signatures and docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from fence_examples import format_docstring
from mkdocs.structure.files import File, Files

SOURCE = Path(__file__).parents[1] / "src"
MAX_SIGNATURE = 100


def on_config(config: Any) -> Any:
    """Add the pages to the navigation, below Reference."""
    (reference,) = (entry["Reference"] for entry in config.nav if "Reference" in entry)
    reference += [{package: name_page(package)} for package in list_packages()]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages."""
    for package, modules in list_packages().items():
        files.append(File.generated(config, name_page(package), content=write_page(package, modules)))
    return files


def name_page(package: str) -> str:
    """Return the name of the page of a package, next to the other pages, so that links in docstrings hold."""
    return f"api-{package.removeprefix('assay.')}.md"


def list_packages() -> dict[str, list[str]]:
    """Return the packages that export names, each with its own subpackages that do."""
    packages: dict[str, list[str]] = {}
    for path in sorted(SOURCE.glob("assay/**/__init__.py")):
        module = ".".join(path.parent.relative_to(SOURCE).parts)
        if "__all__" in path.read_text(encoding="utf-8") and module != "assay":
            packages.setdefault(".".join(module.split(".")[:2]), []).append(module)
    return packages


def write_page(package: str, modules: list[str]) -> str:
    """Return the page of a package, with those of its subpackages."""
    parts = [f"# {package}"]
    for name in modules:
        module = import_module(name)
        parts += [f"`{name}`: {inspect.getdoc(module) or ''}"]
        parts += [describe_name(each, getattr(module, each)) for each in sorted(module.__all__, key=str.lower)]
    return "\n\n".join(parts)


def describe_name(name: str, value: Any) -> str:
    """Return the section of a name: its signature and its documentation."""
    if not callable(value) or not hasattr(value, "__name__"):
        return f"## {name}\n\n{describe_constant(value)}"
    lines = [f"## {name}", f"```python\n{write_signature(name, value)}\n```", read_docstring(value)]
    methods = list(find_methods(value)) if inspect.isclass(value) else []
    return "\n\n".join([*lines, "\n".join(methods)]).strip()


def describe_constant(value: Any) -> str:
    """Return what kind of thing a constant is, and what it holds if that is short."""
    kind = f"`{type(value).__name__}`"
    if isinstance(value, (str, int, float)):
        return f"{kind}: `{value!r}`"
    names = [str(name) for name in value if isinstance(name, str)] if hasattr(value, "__iter__") else []
    return f"{kind} of {len(names)} entries: {', '.join(f'`{name}`' for name in names[:40])}." if names else kind + "."


class _Written:
    """An annotation or a default that is printed as it is in the source."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def write_signature(name: str, value: Any) -> str:
    """Return the call of a function or class, in lines of one parameter if it is long."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return f"class {name}" if inspect.isclass(value) else name
    parameters = [
        simplify_parameter(parameter)
        for parameter in signature.parameters.values()
        if not parameter.name.startswith("_")
    ]
    returned = signature.return_annotation
    end = f" -> {returned}" if isinstance(returned, str) and not inspect.isclass(value) else ""
    written = str(signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty))
    start = f"class {name}" if inspect.isclass(value) else f"def {name}"
    if len(start + written + end) <= MAX_SIGNATURE:
        return start + written + end
    inner = "\n".join(f"    {parameter}," for parameter in write_markers(parameters))
    return f"{start}(\n{inner}\n){end}"


def simplify_parameter(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter whose annotation is printed without quotes, and whose settings without their fields."""
    if isinstance(parameter.annotation, str):
        parameter = parameter.replace(annotation=_Written(parameter.annotation))
    if is_dataclass(parameter.default):
        parameter = parameter.replace(default=_Written(f"{type(parameter.default).__name__}()"))
    return parameter


def write_markers(parameters: list[inspect.Parameter]) -> Iterator[str]:
    """Yield parameters, with the star before the first that needs its name."""
    marked = False
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            marked = True
        if parameter.kind is parameter.KEYWORD_ONLY and not marked:
            marked = True
            yield "*"
        yield str(parameter)


def read_docstring(value: Any) -> str:
    """Return the documentation of a function or class as Markdown; that of a dataclass without one is its signature."""
    text = inspect.getdoc(value) or ""
    return (
        "" if is_dataclass(value) and text.startswith(f"{getattr(value, '__name__', '')}(") else format_docstring(text)
    )


def find_methods(kind: type) -> Iterator[str]:
    """Yield a line for each public method and property that the class defines itself."""
    for name, member in vars(kind).items():
        is_method = inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod))
        text = inspect.getdoc(member) if is_method else None
        if is_method and text and not name.startswith("_"):
            first = " ".join(text.partition("\n\n")[0].split())
            yield f"- `{name}{'' if isinstance(member, property) else '()'}`: {first}"

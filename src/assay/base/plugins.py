"""Packages of users that add findings, metrics, kinds of task and log readers, found by their entry points.

An entry point of the group `assay.plugins` names a module; importing it registers what it defines.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import metadata

from assay.base.errors import AssayError

GROUP = "assay.plugins"
SWITCH = "ASSAY_PLUGINS"  # "0" loads none


@dataclass(frozen=True)
class Plugin:
    """A module that an installed package names as a plugin."""

    package: str
    version: str
    module: str


class _State:
    is_started = False
    error: AssayError | None = None


def find_plugins() -> list[Plugin]:
    """Return the plugins of all installed packages, by package and module."""
    if os.environ.get(SWITCH) == "0":
        return []
    plugins = {
        Plugin(entry.dist.name if entry.dist else "?", entry.dist.version if entry.dist else "?", entry.module)
        for entry in metadata.entry_points(group=GROUP)
    }
    return sorted(plugins, key=lambda plugin: (plugin.package, plugin.module))


def load_plugins() -> None:
    """Import every plugin, once per process; raise an error that names the package of one that fails.

    A plugin that failed fails every later call in the same way, so that nobody works without it unknowingly.
    """
    if not _State.is_started:
        _State.is_started = True
        for plugin in find_plugins():
            try:
                import_plugin(plugin)
            except AssayError as error:
                _State.error = error
                break
    if _State.error is not None:
        raise _State.error


def import_plugin(plugin: Plugin) -> None:
    """Import one plugin."""
    from importlib import import_module

    try:
        import_module(plugin.module)
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise AssayError(
            f"the plugin {plugin.module} cannot be loaded: {text}",
            place=f"{plugin.package} {plugin.version}",
            hint=f"Fix or uninstall the package, or set {SWITCH}=0 to work without plugins.",
        ) from error

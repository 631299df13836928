"""The registry of classifiers. A classifier registers itself in its own file: `@MODELS.add("cnn")`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from assay.base.lazy import import_modules
from assay.base.registry import Registry

if TYPE_CHECKING:
    from assay.models.base import TextClassifier


_LOADING = threading.RLock()


class ModelRegistry(Registry["type[TextClassifier]"]):
    """Classifiers by the name users type, in alphabetical order. Their modules are imported on first use."""

    _is_loaded = False

    def _load(self) -> None:
        if self._is_loaded:
            return
        with _LOADING:  # other threads wait until every model is registered
            import_module("assay.models.linear")
            import_module("assay.models.embedding")
            neural = import_module("assay.models.neural")
            import_modules(neural.__name__, neural.__path__)
            self._is_loaded = True

    def __getitem__(self, name: str) -> type[TextClassifier]:
        self._load()
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self._load()
        return super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        self._load()
        return iter(sorted(super().__iter__()))

    def __len__(self) -> int:
        self._load()
        return super().__len__()


MODELS = ModelRegistry("model")

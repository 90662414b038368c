"""Functions that are named now and imported when they are first called, so that listing the games is instant."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


class LazyFunction:
    """A function of a module that is imported on the first call."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.__name__ = module, name

    def load(self) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(importlib.import_module(self.module), self.__name__)
        return function

    def __call__(self, *arguments: object, **settings: object) -> Any:
        return self.load()(*arguments, **settings)

    def __repr__(self) -> str:
        return f"<{self.module}.{self.__name__}, imported on first use>"


class LazyModule:
    """A module whose functions are imported on their first call."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> LazyFunction:
        if name.startswith("__"):
            raise AttributeError(name)
        return LazyFunction(self._name, name)


def lazy_modules(package: str, names: str) -> dict[str, LazyModule]:
    """These modules of a package by name, to be used in place of the import that a type checker sees:

    if TYPE_CHECKING:
        from ludion.games.taquin import drawing, notation
    else:
        globals().update(lazy_modules("ludion.games.taquin", "drawing notation"))
    """
    return {name: LazyModule(f"{package}.{name}") for name in names.split()}

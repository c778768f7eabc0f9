"""
Type aliases: from an artifact class to the word that its references carry, and back.

An alias spells a class's place in its family: ``link:cite`` is a kind of ``link``. Each class declares its
own with ``@type_alias``. The registry is one for the process and safe for threads.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import pkgutil
import threading
import weakref
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ._declare.artifact import Artifact
from ._declare.metadata import alias_generation, own_type_alias
from ._forks import fork_safe
from ._wording import cut, found, type_name
from .errors import DuplicateAliasError, InvalidInputError, MissingTypeAliasError

__all__ = ["get_alias", "init", "register", "resolve_alias", "resolve_alias_with_fallback"]


#: Where the artifact classes of this library are, which are loaded when they are first needed.
_SHIPPED = {
    "list": ("._artifacts.lists", "ListArtifact"),
    "link": ("._artifacts.shapes", "LinkArtifact"),
    "link:page": ("._artifacts.shapes", "WebPageArtifact"),
    "link:cite": ("._artifacts.shapes", "CitationArtifact"),
    "code": ("._artifacts.shapes", "CodeArtifact"),
    "person": ("._artifacts.shapes", "PersonArtifact"),
}


#: Aliases up to this length are looked up as they are.
_USUAL_CHARS = 100


class _Registry:
    """What is registered, and whether the process has been scanned."""

    def __init__(self) -> None:
        self.lock = fork_safe(threading.RLock())
        self.classes: dict[str, type[Any]] = {}
        self.initialized = False
        self.looked_at: weakref.WeakKeyDictionary[type[Any], int] = weakref.WeakKeyDictionary()

    def find(self, alias: str) -> type[Any] | None:
        """Return the class under *alias*, if there is one; those of this library need no registration."""
        cls = self.classes.get(alias)
        if cls is None and alias in _SHIPPED:
            module, name = _SHIPPED[alias]
            shipped: type[Any] = getattr(importlib.import_module(module, __package__), name)
            return shipped
        return cls

    def add(self, cls: type[Any], alias: str, into: dict[str, type[Any]]) -> None:
        registered = self.find(alias) or into.get(alias)
        if registered is not None and registered is not cls and not _is_rebuilt(registered, cls):
            raise DuplicateAliasError(alias, registered, cls)
        into[alias] = cls


_REGISTRY = _Registry()


def _is_rebuilt(old: type[Any], new: type[Any]) -> bool:
    """Return whether *new* is *old* as a decorator made it again, or as its module reloaded it."""
    return (old.__module__, old.__qualname__) == (
        new.__module__,
        new.__qualname__,
    ) and "<locals>" not in new.__qualname__


def register(cls: type[Any]) -> None:
    """
    Register an artifact class under the alias that it declares.

    Raises:
        MissingTypeAliasError: If it declares none of its own.
        DuplicateAliasError: If another class holds the alias; that one keeps it.
        InvalidInputError: If *cls* is no class.
    """
    if not isinstance(cls, type):
        msg = f"register(cls): found {found(cls)}, expected an artifact class"
        raise InvalidInputError(msg)
    alias = own_type_alias(cls)
    if alias is None:
        raise MissingTypeAliasError((cls,))
    with _REGISTRY.lock:
        _REGISTRY.add(cls, alias, _REGISTRY.classes)


def get_alias(cls: type[Any]) -> str | None:
    """
    Return the alias that *cls* itself declares, registering it; None when it declares none.

    Raises:
        DuplicateAliasError: If another class holds the alias.
    """
    alias = own_type_alias(cls) if isinstance(cls, type) else None
    if alias is not None and _REGISTRY.classes.get(alias) is not cls:
        register(cls)
    return alias


def resolve_alias(alias: str) -> type[Any] | None:
    """Return the class registered under *alias* exactly, or None."""
    return _REGISTRY.find(alias)


def resolve_alias_with_fallback(alias: str) -> type[Any] | None:
    """Return the class under *alias*, or under its nearest registered ancestor; None past the root."""
    if len(alias) > _USUAL_CHARS:  # none that is longer than all known ones can be found
        longest = max(map(len, (*_REGISTRY.classes, *_SHIPPED)))
        alias = alias if len(alias) <= longest else alias[: longest + 1].rpartition(":")[0]
    while alias:
        cls = _REGISTRY.find(alias)
        if cls is not None:
            return cls
        alias = alias.rpartition(":")[0]
    return None


def find_named(alias: str, *families: type[Any]) -> type[Any] | None:
    """Return what ``resolve_alias_with_fallback`` does, with the loaded classes of *families* registered."""
    if _REGISTRY.find(alias) is None:
        for cls in families:
            register_loaded(cls)
    return resolve_alias_with_fallback(alias)


def register_loaded(cls: type[Any]) -> None:
    """
    Register an artifact class and those below it that are loaded, wherever their aliases are free.

    A reference then means the same, whatever the process has registered before. Nothing is imported. A
    second class under one alias is left out here, and refused when somebody registers it.
    """
    generation = alias_generation()
    if _REGISTRY.looked_at.get(cls) == generation:
        return
    with _REGISTRY.lock:
        declared = {own_type_alias(member): member for member in _family(cls)}  # of a rebuilt class the last
        for alias, member in declared.items():
            if alias is not None:
                with contextlib.suppress(DuplicateAliasError):
                    _REGISTRY.add(member, alias, _REGISTRY.classes)
        _REGISTRY.looked_at[cls] = generation


def _family(cls: type[Any]) -> list[type[Any]]:
    """Return *cls* and the loaded classes below it, level by level, in the order of their definition."""
    family: dict[type[Any], None] = {}
    level = {cls: None}
    while level:
        family.update(level)
        level = dict.fromkeys(below for member in level for below in type.__subclasses__(member))
    return list(family)


def init(*packages: str | ModuleType) -> None:
    """
    Import *packages* with their subpackages and register every artifact class in them.

    It runs once in a process: after it has succeeded, a later call does nothing. When it is refused, the
    registry stays as it was and the next call scans again.

    Args:
        packages: Names of packages or modules, or the modules themselves.

    Raises:
        InvalidInputError: If a module cannot be imported; the message names it.
        MissingTypeAliasError: If concrete artifact classes declare no alias; it names every one.
        DuplicateAliasError: If two classes declare one alias.
    """
    if _REGISTRY.initialized:
        return
    # Importing runs the code of hosts, which may wait for what another thread makes: no lock is held.
    classes = list(dict.fromkeys(cls for name in packages for cls in _artifact_classes(name)))
    missing = tuple(cls for cls in classes if own_type_alias(cls) is None and not inspect.isabstract(cls))
    if missing:
        raise MissingTypeAliasError(missing)
    with _REGISTRY.lock:
        scanned: dict[str, type[Any]] = {}
        for cls in classes:
            alias = own_type_alias(cls)
            if alias is not None:
                _REGISTRY.add(cls, alias, scanned)
        _REGISTRY.classes.update(scanned)
        _REGISTRY.initialized = True


def _artifact_classes(package: str | ModuleType) -> Iterator[type[Any]]:
    """Yield the artifact classes that are defined in a package or below it."""
    for module in _modules(package):
        for cls in vars(module).values():
            is_own = isinstance(cls, type) and cls.__module__ == module.__name__
            if is_own and issubclass(cls, Artifact) and cls is not Artifact:
                yield cls


def _modules(package: str | ModuleType) -> Iterator[ModuleType]:
    root = package if isinstance(package, ModuleType) else _imported(package)
    yield root
    for found_module in pkgutil.walk_packages(getattr(root, "__path__", ()), f"{root.__name__}."):
        if not found_module.name.endswith(".__main__"):
            yield _imported(found_module.name)


def _imported(name: str) -> ModuleType:
    if not isinstance(name, str) or not name:
        msg = f"init(*packages): found {found(name)}, expected the name of a package or a module"
        raise InvalidInputError(msg)
    try:
        return importlib.import_module(name)
    except Exception as error:
        cause = f"{type_name(type(error))}: {cut(str(error), 200)}"
        msg = f"init(*packages): module {cut(name)} failed to import: {cause}"
        raise InvalidInputError(msg) from error

"""Scanning packages for artifact classes, and the registry of their aliases."""

import sys
from textwrap import dedent

import pytest

from nucleo_schema import (
    Artifact,
    DuplicateAliasError,
    InvalidInputError,
    MissingTypeAliasError,
    aliases,
    type_alias,
)

HEAD = "from attrs import define\nfrom nucleo_schema import Artifact, type_alias\n"


@pytest.fixture(autouse=True)
def fresh_registry(monkeypatch):
    """Let each test begin with what the library itself has registered."""
    monkeypatch.setattr(aliases._REGISTRY, "initialized", False)
    monkeypatch.setattr(aliases._REGISTRY, "classes", dict(aliases._REGISTRY.classes))


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a function that lays out a package from the texts of its modules."""
    monkeypatch.syspath_prepend(str(tmp_path))
    made = []

    def lay_out(name, **modules):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        for module, text in modules.items():
            path = folder.joinpath(*([module] if module == "__main__" else module.split("__")))
            path.parent.mkdir(exist_ok=True)
            if not (path.parent / "__init__.py").exists():
                (path.parent / "__init__.py").write_text("")
            path.with_suffix(".py").write_text(HEAD + dedent(text))
        made.append(name)
        return name

    yield lay_out
    for module in [module for module in sys.modules if module.partition(".")[0] in made]:
        del sys.modules[module]


LEAF = """
@type_alias("{alias}")
@define
class {name}(Artifact):
    pass
"""


def leaf(name, alias):
    """Return the text of a module with one artifact class."""
    return LEAF.format(name=name, alias=alias)


def test_a_scan_registers_the_classes_of_a_package_and_those_below_it(package):
    """Modules are imported, and ``__main__`` is not run."""
    name = package(
        "scanned_one",
        first=leaf("First", "scan-one"),
        below__second=leaf("Second", "scan-one:second"),
        __main__="raise SystemExit\n",
    )

    aliases.init(name)

    assert aliases.resolve_alias("scan-one").__name__ == "First"
    assert aliases.resolve_alias("scan-one:second").__name__ == "Second"
    assert aliases.resolve_alias_with_fallback("scan-one:third:deep").__name__ == "First"
    assert aliases.resolve_alias_with_fallback("nowhere:deep") is None
    assert aliases.resolve_alias("scan-one:third") is None


def test_a_scan_runs_once(package):
    """A later call does nothing."""
    aliases.init(package("scanned_two", first=leaf("First", "scan-two")))
    aliases.init(package("scanned_late", first=leaf("First", "scan-late")))

    assert aliases.resolve_alias("scan-late") is None


def test_a_module_may_be_given_itself(package):
    """A module object is as good as its name."""
    name = package("scanned_three", first=leaf("First", "scan-three"))
    module = __import__(f"{name}.first").first

    aliases.init(module)

    assert aliases.resolve_alias("scan-three") is module.First


def test_every_class_without_an_alias_is_named_and_nothing_is_registered(package):
    """The scan is refused as a whole, and can be run again."""
    bare = "@define\nclass Bare(Artifact):\n    pass\n"
    name = package("scanned_four", first=leaf("First", "scan-four"), second=bare, third=bare)

    for _ in range(2):
        with pytest.raises(MissingTypeAliasError) as caught:
            aliases.init(name)
        assert [cls.__module__ for cls in caught.value.classes] == [
            "scanned_four.second",
            "scanned_four.third",
        ]
    assert aliases.resolve_alias("scan-four") is None


def test_an_abstract_class_needs_no_alias(package):
    """It has no instances to refer to."""
    abstract = """
    from abc import ABC, abstractmethod
    @define(slots=False)
    class Shape(Artifact, ABC):
        @abstractmethod
        def area(self): ...
    """
    aliases.init(package("scanned_five", first=abstract, second=leaf("First", "scan-five")))

    assert aliases.resolve_alias("scan-five") is not None


def test_one_alias_on_two_classes_of_a_scan_is_refused(package):
    """The message names both, and neither is registered."""
    name = package("scanned_six", first=leaf("First", "scan-six"), second=leaf("Second", "scan-six"))

    with pytest.raises(DuplicateAliasError, match=r"First.*Second"):
        aliases.init(name)
    assert aliases.resolve_alias("scan-six") is None


def test_a_module_that_fails_to_import_is_named(package):
    """The registry stays as it was."""
    name = package("scanned_seven", first=leaf("First", "scan-seven"), second="import nothing_of_this_name\n")

    with pytest.raises(InvalidInputError, match=r"scanned_seven\.second.*nothing_of_this_name"):
        aliases.init(name)
    assert aliases.resolve_alias("scan-seven") is None


def test_a_package_below_that_fails_to_import_is_named(package):
    """The walk goes into packages, and says which one broke."""
    name = package("scanned_eight", below__first=leaf("First", "scan-eight"))
    root = __import__(name)
    path = next(iter(root.__path__))
    with open(f"{path}/below/__init__.py", "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write("raise ValueError('broken')\n")

    with pytest.raises(InvalidInputError, match=r"scanned_eight\.below.*broken"):
        aliases.init(name)


@pytest.mark.parametrize("wrong", ["", 5, None, "no_package_of_this_name"])
def test_a_package_is_named_by_text(wrong):
    """Anything else is refused."""
    with pytest.raises(InvalidInputError, match="init"):
        aliases.init(wrong)


def test_only_a_class_with_an_alias_of_its_own_is_registered():
    """An alias is inherited by nobody."""

    @type_alias("scan-base")
    class Base(Artifact):
        pass

    class Child(Base):
        pass

    aliases.register(Base)

    assert aliases.get_alias(Child) is None
    assert aliases.get_alias("Base") is None
    with pytest.raises(MissingTypeAliasError, match="Child"):
        aliases.register(Child)
    with pytest.raises(InvalidInputError, match="expected an artifact class"):
        aliases.register("Base")


def test_a_module_that_waits_for_another_thread_is_scanned(package):
    """Importing it runs its code, and nothing that the other thread needs is held meanwhile."""
    waiting = (
        "import threading\n"
        "from attrs import define\n"
        "from nucleo_schema import Artifact, aliases, type_alias\n"
        "@type_alias('scan-waiting')\n@define\nclass Waiting(Artifact):\n    pass\n"
        "thread = threading.Thread(target=aliases.get_alias, args=(Waiting,))\n"
        "thread.start()\nthread.join(timeout=30)\nassert not thread.is_alive()\n"
    )

    aliases.init(package("scanned_waiting", first=waiting))

    assert aliases.resolve_alias("scan-waiting").__name__ == "Waiting"

"""How Sphinx builds these pages, from the Markdown here and the docstrings of the package."""

from __future__ import annotations

import importlib.metadata
import re
from typing import Any

import attrs
from sphinx.domains.python import PyObject

import nucleo_schema

project = "nucleo-schema"
release = version = importlib.metadata.version(project)
html_title = f"{project} {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
nitpicky = True
needs_sphinx = "9.0"

# Markdown: every heading has an anchor, so that links to it are checked.
myst_enable_extensions = ["attrs_inline", "colon_fence"]
myst_heading_anchors = 3

# Docstrings: those of the classes tell their constructors.
add_module_names = False
autoclass_content = "class"
autodoc_class_signature = "mixed"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
default_role = "py:obj"
maximum_signature_line_length = 120
napoleon_numpy_docstring = False
napoleon_attr_annotations = False
napoleon_use_ivar = True
toc_object_entries_show_parents = "hide"

# Everything that a page loads comes with it: no fonts, scripts or pictures from elsewhere.
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["nucleo.css"]
html_theme_options = {"navigation_with_keys": True}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "default"
pygments_dark_style = "github-dark"

#: A block with a title, as the tests save it and as Markdown on its own shows it.
_TITLED = re.compile(r'^(?P<fence>`{3,})(?P<language>\w+) title="(?P<title>[^"]+)"$', re.MULTILINE)
#: A link to a page of Markdown that is no page of the site: a file to download.
_OUTSIDE = re.compile(r"\]\((\.\./tests/[^)]+\.md)\)")
#: Names that annotations use and no page describes: internal classes, type variables, other packages.
_FOREIGN = re.compile(
    r"nucleo_schema\._|(?:attrs?|cattrs|collections|pathlib|types|typing)\b|(?:\w+\.)*(?:[A-Z]|SchemaT|Path)$"
)


def _adapt(_app: Any, _name: str, source: list[str]) -> None:
    """Show the title of a block above it, and take links that lead out of the pages for what they are."""
    text = _TITLED.sub(r"\g<fence>{code-block} \g<language>\n:caption: \g<title>", source[0])
    source[0] = _OUTSIDE.sub(r"](path:\1)", text)


def _fields(_app: Any, kind: str, _name: str, obj: Any, _options: Any, lines: list[str]) -> None:
    """Show what the fields of a described class say in their metadata, where the docstring does not."""
    if kind != "class" or not attrs.has(obj) or any(line.startswith("Attributes") for line in lines):
        return
    fields = nucleo_schema.describe(obj).fields.values()
    told = [f"    {field.name}: {field.prose}" for field in fields if not field.prose.startswith("Field ")]
    if told:
        lines += ["", "Attributes:", *told, ""]


def _public(app: Any, env: Any, node: Any, contnode: Any) -> Any:
    """Lead from the place where a name is defined to the one where it is public."""
    target = node.get("reftarget", "")
    name = target.rpartition(".")[2]
    if node.get("refdomain") != "py":
        return None
    if name in nucleo_schema.__all__:
        public = f"nucleo_schema.{name}"
        domain = env.get_domain("py")
        return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", public, node, contnode)
    return contnode if _FOREIGN.match(target) or "." not in target else None


def setup(app: Any) -> None:
    """Install the adjustments."""
    for section in PyObject.doc_field_types:
        if section.name == "variable":
            section.label = "Attributes"
    app.connect("source-read", _adapt)
    app.connect("autodoc-process-docstring", _fields, priority=100)  # before napoleon reads the sections
    app.connect("missing-reference", _public)

"""The registry: artifacts under their references, where no model can alter them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from .. import aliases, references
from .._declare.artifact import Artifact, set_reference
from .._verbs import write_summarized
from .._wording import found, qualified_name, type_name
from .._write.summaries import Summarizer
from ..errors import InvalidInputError, MappingError, MissingTypeAliasError, Problem, ReferenceConflictError
from . import custody, snapshots
from .graph import iter_artifacts

__all__ = ["ArtifactRegistry"]

_LOGGER = logging.getLogger("nucleo_schema.artifacts")


class ArtifactRegistry:
    """
    The artifacts of one conversation, each under its reference.

    There are two tiers. What was registered is the top level, in the order of registration: it is shown to
    the model. What an artifact of the top level holds is reachable: it has a reference of its own, it is
    found under it and searched, and it is not shown by itself.

    Nothing that is held is ever replaced. A registry is not safe to share between threads.
    """

    def __init__(self) -> None:
        self._top: dict[str, Artifact] = {}
        self._reachable: dict[str, Artifact] = {}
        self._beside: snapshots.Beside = {}  # what a snapshot could not bring back to its place
        self._ids: set[str] = set()  # all that were handed out or arrived; filtered registries share it

    # Registering

    def register(self, artifact: Artifact) -> str:
        """
        Put an artifact on the top level, index what it holds, and return its reference.

        An artifact keeps the reference that it has, in canonical form, and is given one otherwise; so is
        every artifact that it holds. The same instance is not walked again, so build an artifact
        completely before it is registered. Where an equal artifact is held already, that one stays.

        Raises:
            InvalidInputError: If *artifact* is none, or one in it carries text that is no reference, or a
                reference to another class that neither is its own nor derives from it: a snapshot would
                bring it back as that.
            MissingTypeAliasError: If its class, or that of an artifact in it, declares no alias.
            ReferenceConflictError: If another artifact, which is not equal, is held under a reference.
                After each of these errors the registry and the artifacts are as they were.
        """
        reference = self.index_reachable(artifact)
        self._put_on_top(reference)
        return reference

    def _put_on_top(self, reference: str) -> None:
        if reference not in self._top:
            self._top[reference] = self._reachable.pop(reference)

    def ensure_reference(self, artifact: Artifact) -> str:
        """Return the reference of an artifact, which is registered; the errors are those of ``register``."""
        return self.register(artifact)

    def index_reachable(self, artifact: Artifact) -> str:
        """
        Index an artifact, and what it holds, without putting it on the top level; return its reference.

        The errors are those of ``register``.
        """
        if not isinstance(artifact, Artifact):
            msg = f"artifact: found {found(artifact)}, expected an instance of an artifact class"
            raise InvalidInputError(msg)
        self._index(artifact)
        return references.normalize_to_key(artifact.artifact_ref or "")

    def index_reachable_from(self, root: Any) -> None:
        """
        Index every artifact in an object graph, such as a tool's result, without putting it on the top level.

        The errors are those of ``register``.
        """
        self._index(root)

    def _index(
        self,
        root: Any,
        origin: ArtifactRegistry | None = None,
        besides: snapshots.Beside = MappingProxyType({}),
        *,
        alias_must_fit: bool = True,
    ) -> None:
        """Index what *root* holds; what *origin* holds under a reference takes the place of its equals."""
        plan = _Plan(self, origin, besides, alias_must_fit=alias_must_fit)
        for artifact in iter_artifacts(root, instead=plan.instead, besides=plan.besides):
            plan.add(artifact)
        plan.refuse_conflicts()
        self._carry_out(plan)

    def _carry_out(self, plan: _Plan) -> None:
        """Mint, and hold what is new: only here is anything altered, and nothing here can fail."""
        self._ids.update(_id_of(reference) for reference in plan.arrived)
        for artifact, alias, reference in plan.found:
            key = self._mint(alias) if reference is None else reference
            set_reference(artifact, key)
            if key not in self:
                self._reachable[key] = artifact

    def _mint(self, alias: str) -> str:
        """Return a reference whose id this registry has never handed out or met."""
        ref_id = references.new_id()
        while ref_id in self._ids:
            ref_id = references.new_id()
        self._ids.add(ref_id)
        return references.make_reference(alias, ref_id)

    # Looking up

    def get(self, ref: str) -> Artifact | None:
        """Return the artifact of either tier under a reference in any spelling, or None."""
        if not isinstance(ref, str):
            return None
        held = self._held(ref)
        return self._held(references.normalize_to_key(ref)) if held is None else held

    def _held(self, key: str) -> Artifact | None:
        held = self._top.get(key)
        return self._reachable.get(key) if held is None else held

    def __contains__(self, ref: object) -> bool:
        """Return whether either tier holds an artifact under a reference in any spelling."""
        return isinstance(ref, str) and self.get(ref) is not None

    def __len__(self) -> int:
        """Return the number of artifacts on the top level."""
        return len(self._top)

    def __repr__(self) -> str:
        """Return the sizes of both tiers."""
        return f"<ArtifactRegistry of {len(self._top)} artifacts, {len(self._reachable)} more reachable>"

    @property
    def artifacts(self) -> Mapping[str, Artifact]:
        """A view of the top level by reference, in the order of registration; it cannot be written to."""
        return MappingProxyType(self._top)

    @property
    def artifacts_including_reachable(self) -> Mapping[str, Artifact]:
        """Both tiers by reference, the top level first, as they are now; it cannot be written to."""
        return MappingProxyType({**self._top, **self._reachable})

    def resolve(self, refs: Iterable[str]) -> list[Artifact]:
        """
        Return the artifacts under *refs*, in their order; one that names nothing is logged and skipped.

        Raises:
            InvalidInputError: If *refs* is one text, or nothing to go through.
        """
        return [held for _, held in self._known(refs)]

    def _known(self, refs: Iterable[str]) -> Iterator[tuple[str, Artifact]]:
        if isinstance(refs, str) or not isinstance(refs, Iterable):
            msg = f"refs: found {found(refs)}, expected a list of references"
            raise InvalidInputError(msg)
        for ref in refs:
            held = self.get(ref)
            if held is None:
                _LOGGER.warning("skipped %s: no artifact is held under it", found(ref))
            else:
                yield references.normalize_to_key(ref), held

    # Handing on

    def filter(self, refs: Iterable[str]) -> ArtifactRegistry:
        """
        Return a registry of the artifacts under *refs*, on its top level, and of what they hold.

        It holds the same objects under the same references. Unknown references are logged and skipped.
        Both registries hand out different ids from then on, so that artifacts may be handed back.

        Raises:
            InvalidInputError: If *refs* is one text, or nothing to go through.
        """
        filtered = ArtifactRegistry()
        filtered._ids, filtered._beside = self._ids, self._beside
        for key, held in self._known(refs):
            filtered._index(held, self, self._beside, alias_must_fit=False)
            if key in filtered._reachable:
                filtered._put_on_top(key)
        return filtered

    def clear(self) -> None:
        """Let go of every artifact; the ids that were handed out are not handed out again."""
        self._top.clear()
        self._reachable.clear()
        self._beside = {}

    def held(self, written: Any, violations: list[str], declared: Any = None) -> Any:
        """
        Return what a model wrote, with the registry's own object in the place of every artifact in it.

        Mutable objects are altered in place; tuples, frozensets and frozen classes that hold an artifact are
        rebuilt. Nothing inside an artifact is looked at, and untyped data that only looks like a reference
        stays data.

        Args:
            written: The object, as it was read.
            violations: Gets one line for each artifact without a reference, with one that names nothing
                here, or with one to another type than its place declares. The line names the place by its
                wire path. The place is left empty: None, or no element in a set and no entry for a key.
            declared: The typing form that *written* was read as, where its class alone does not tell what
                its places declare: a parametrized generic, or a container.

        Returns:
            The object to use instead of *written*; only when no line was added does it fulfil its class.
        """
        problems: list[Problem] = []
        settled = custody.settle(self.get, written, problems, declared)
        violations += map(str, problems)
        return settled

    # As text

    def render(self, summarizer: Summarizer | None = None) -> str:
        """
        Return the section of a prompt that shows the top level, in the order of registration.

        Args:
            summarizer: Who shortens long texts; ``TruncatingSummarizer`` when left out.

        Raises:
            SerializationError: If an artifact cannot be written.
        """
        parts = ["=== ARTIFACT REGISTRY ==="]
        for reference, artifact in self._top.items():
            parts.append(f"--- {reference} ---\n{write_summarized(artifact, summarizer)}")
        return "\n".join(parts)

    def to_snapshot(self) -> str:
        """
        Return the top level, each artifact with all that it holds, as JSON text.

        An artifact that stands in untyped data, or in a field off the wire, is written once more by itself,
        so that its reference keeps its meaning. Cached summaries are not part of it.

        Raises:
            SerializationError: If an artifact cannot be written, because it contains itself for example.
        """
        return snapshots.write_snapshot(self._top.values(), self.get, self._beside)

    @classmethod
    def from_snapshot(cls, text: str | bytes) -> ArtifactRegistry:
        """
        Return a registry with what ``to_snapshot`` wrote.

        Each artifact is of the class that the alias in its reference names, or of the nearest registered
        ancestor; no module is imported. One whose alias, or that of an artifact in it, names no class is
        skipped with a logged warning.

        Raises:
            MappingError: If the text is no snapshot, or an artifact in it does not fit its class.
            ReferenceConflictError: If different artifacts in it carry one reference.
        """
        registry = cls()
        top, loose, registry._beside = snapshots.read_snapshot(text, cls)
        try:
            for artifact in (*top, *loose):
                registry._index(artifact, alias_must_fit=False)
        except InvalidInputError as error:
            raise MappingError(cls, (Problem("artifacts", str(error)),)) from error
        for artifact in top:
            registry._put_on_top(artifact.artifact_ref or "")
        return registry


class _Plan:
    """What indexing a graph would do, worked out before anything is altered."""

    def __init__(
        self,
        registry: ArtifactRegistry,
        origin: ArtifactRegistry | None,
        besides: snapshots.Beside,
        *,
        alias_must_fit: bool,
    ) -> None:
        self.registry = registry
        self.origin = origin
        self._besides = besides
        #: What was read may be of an ancestor's class, for want of its own.
        self.alias_must_fit = alias_must_fit
        self.found: list[tuple[Artifact, str, str | None]] = []
        self.arrived: dict[str, Artifact] = {}

    def instead(self, artifact: Artifact) -> Artifact | None:
        """Return what to index in place of *artifact*; None when it was walked already."""
        reference = artifact.artifact_ref
        if not reference:
            return artifact
        if self.registry.get(reference) is artifact:
            return None
        held = self.origin.get(reference) if self.origin is not None else None
        return artifact if held is None else held

    def besides(self, artifact: Artifact) -> Sequence[Artifact]:
        """Return what *artifact* holds for the registry that it comes from, besides what is found in it."""
        return self._besides.get(artifact.artifact_ref or "", ())

    def add(self, artifact: Artifact) -> None:
        """Take an artifact into the plan, or refuse it."""
        alias = aliases.get_alias(type(artifact))
        if alias is None:
            raise MissingTypeAliasError((type(artifact),))
        reference = _own_reference(artifact)
        if reference is not None and self.alias_must_fit:
            _refuse_another_class(artifact, reference)
        self.found.append((artifact, alias, reference))

    def refuse_conflicts(self) -> None:
        """Bring the references into canonical form, or back into their own when one is in conflict."""
        spellings = [(artifact, artifact.artifact_ref) for artifact, _, _ in self.found]
        try:
            for artifact, _, reference in self.found:
                if reference is not None:
                    set_reference(artifact, reference)
            for artifact, _, reference in self.found:
                if reference is not None:
                    self._compare(artifact, reference)
        except ReferenceConflictError:
            for artifact, spelling in spellings:
                set_reference(artifact, spelling)
            raise

    def _compare(self, artifact: Artifact, reference: str) -> None:
        held = self.registry.get(reference)
        if held is None:
            held = self.arrived.setdefault(reference, artifact)
        if held is not artifact and not _are_equal(held, artifact):
            msg = (
                f"{reference}: found a different {qualified_name(type(artifact))} from the "
                f"{qualified_name(type(held))} that is held under it; nothing held is replaced"
            )
            raise ReferenceConflictError(msg)


def _own_reference(artifact: Artifact) -> str | None:
    """Return the reference that an artifact carries, in canonical form; None when it carries none."""
    reference = artifact.artifact_ref
    if reference is None or reference == "":
        return None
    if not references.is_reference(reference):
        msg = (
            f"{type(artifact).__name__}.artifact_ref: found {found(reference)}, expected a reference or None"
        )
        raise InvalidInputError(msg)
    return references.normalize_to_key(reference)


def _refuse_another_class(artifact: Artifact, reference: str) -> None:
    """Refuse a reference that is read as another class, which would have other fields."""
    cls = type(artifact)
    named = aliases.find_named(references.extract_alias(reference) or "", Artifact)
    if named is not None and not issubclass(named, cls):
        msg = (
            f"{cls.__name__}.artifact_ref: found {found(reference)}, which names {type_name(named)}, "
            f"expected a reference that names {cls.__name__}, or None"
        )
        raise InvalidInputError(msg)


def _are_equal(one: Artifact, other: Artifact) -> bool:
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001  artifacts that contain themselves, or whose comparison is the host's
        return False


def _id_of(reference: str) -> str:
    return reference[-references.ID_LENGTH - 1 : -1]

"""Reads LoCoMo (`locomo10.json`, Maharana et al. 2024) as bundles: a workspace per conversation, or all in one.

Ids begin with the conversation's own (`conv-26`), so that joined conversations never share one:
turns `conv-26/D1:3`, sessions and their documents `conv-26/session_1`, speakers `conv-26/caroline`, observations
`conv-26/session_1/obs1`, questions `conv-26/q1`; the last two count from 1 in the order of the file.

A turn is valid at the date and time of its session, the only one that the data set has. It is *created* one second
after the turn before it, so that the order inside a session is not lost.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter, ValidationError

from core_search.errors import UsageError
from core_search.ingest.locomo_aspects import aspect_of
from core_search.ingest.locomo_dates import event_date
from core_search.ingest.locomo_evidence import resolve
from core_search.ingest.locomo_file import Conversation, Session, Turn, read_conversations
from core_search.ingest.values import Bundle, Header, Qrel, Query, Zone
from core_search.models import Document, Entity, EntityType, Episode, Memory, Statement

_SOURCE = "locomo"
_TURN_STEP = timedelta(seconds=1)
_CLOCK_AFTER_LAST_SESSION = timedelta(days=1)


def read_locomo(path: Path, single_workspace: str | None = None, timezone: str = "UTC") -> list[Bundle]:
    """A bundle per conversation; with `single_workspace`, one bundle of that name with all of them.

    The file's times are local times of `timezone`. `Bundle.notes` lists what was repaired and left out. A file of
    another shape is a `BundleError` with every problem.
    """
    try:
        zone = ZoneInfo(TypeAdapter(Zone).validate_python(timezone))
    except ValidationError as error:
        raise UsageError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None
    bundles = [_Reader(conversation, timezone).bundle() for conversation in read_conversations(path, zone)]
    return bundles if single_workspace is None else [_joined(bundles, single_workspace)]


class _Reader:
    """Turns one conversation into a bundle."""

    def __init__(self, conversation: Conversation, timezone: str):
        self._conversation = conversation
        self._prefix = conversation.sample_id
        self._timezone = timezone
        self._zone = ZoneInfo(timezone)
        self._dia_ids = {turn.dia_id for session in conversation.sessions for turn in session.turns}
        self._texts = {
            f"{self._prefix}/{turn.dia_id}": turn.text for session in conversation.sessions for turn in session.turns
        }
        self._speakers: dict[str, Entity] = {}
        self._notes: list[str] = []

    def bundle(self) -> Bundle:
        sessions = self._conversation.sessions
        first, second = self._conversation.speakers
        for name in (first, second, *(turn.speaker for session in sessions for turn in session.turns)):
            self._speaker(name)
        episodes = [episode for session in sessions for episode in self._episodes(session)]
        statements = [statement for session in sessions for statement in self._statements(session)]
        documents = [document for session in sessions for document in self._documents(session)]
        queries, qrels = self._questions()
        return Bundle(
            header=Header(
                name=self._prefix,
                timezone=self._timezone,
                clock=max(session.at for session in sessions) + _CLOCK_AFTER_LAST_SESSION,
                description=f"LoCoMo, the conversation of {first} and {second}",
            ),
            memory=Memory(
                episodes=tuple(episodes),
                entities=tuple(self._speakers.values()),
                statements=tuple(statements),
                documents=tuple(documents),
            ),
            queries=tuple(queries),
            qrels=tuple(qrels),
            notes=tuple(self._notes),
        )

    def _speaker(self, name: str) -> str:
        """The uuid of a speaker, who becomes a Person when not known yet."""
        if name not in self._speakers:
            base = re.sub(r"\W+", "-", unicodedata.normalize("NFKC", name).casefold()).strip("-") or "speaker"
            taken = {entity.uuid for entity in self._speakers.values()}
            uuid, count = f"{self._prefix}/{base}", 1
            while uuid in taken:
                count += 1
                uuid = f"{self._prefix}/{base}-{count}"
            self._speakers[name] = Entity(uuid=uuid, name=name, type=EntityType.PERSON)
        return self._speakers[name].uuid

    def _session_id(self, session: Session) -> str:
        return f"{self._prefix}/session_{session.number}"

    def _episodes(self, session: Session) -> Iterator[Episode]:
        for index, turn in enumerate(session.turns):
            yield Episode(
                uuid=f"{self._prefix}/{turn.dia_id}",
                content=_content(turn),
                source=_SOURCE,
                session_id=self._session_id(session),
                valid_at=session.at,
                created_at=session.at + index * _TURN_STEP,
            )

    def _documents(self, session: Session) -> Iterator[Document]:
        if session.summary is None:
            return
        if not isinstance(session.summary, str) or not session.summary.strip():
            self._notes.append(f"{self._session_id(session)}: summary left out: not a text")
        else:
            yield Document(
                id=self._session_id(session),
                session_id=self._session_id(session),
                title=f"Session {session.number} of {' and '.join(self._conversation.speakers)}",
                content=session.summary,
                created_at=session.at,
                updated_at=session.at,
            )

    def _statements(self, session: Session) -> Iterator[Statement]:
        session_id = self._session_id(session)
        given = session.observations if isinstance(session.observations, dict) else {}
        if session.observations is not None and not isinstance(session.observations, dict):
            self._notes.append(f"{session_id}: observations left out: not an object of speakers")
        pairs = [
            (name, item) for name, items in given.items() for item in (items if isinstance(items, list) else [items])
        ]
        for count, (name, item) in enumerate(pairs, start=1):
            uuid = f"{session_id}/obs{count}"
            match item:
                case [str(fact), evidence] if fact.strip() and 0 < len(name) <= 150:
                    turns = self._turns(evidence, uuid)
                    yield Statement(
                        uuid=uuid,
                        fact=fact,
                        aspect=aspect_of(fact),
                        valid_at=session.at,
                        event_date=event_date((fact, *(self._texts[turn] for turn in turns)), session.at, self._zone),
                        subject=self._speaker(name),
                        episode_uuids=tuple(turns),
                    )
                case _:
                    self._notes.append(f"{uuid}: observation left out: not a fact of a speaker with its evidence")

    def _questions(self) -> tuple[list[Query], list[Qrel]]:
        queries: list[Query] = []
        qrels: list[Qrel] = []
        for count, question in enumerate(self._conversation.questions, start=1):
            id_ = f"{self._prefix}/q{count}"
            turns = self._turns(question.evidence, id_)
            if not turns:
                self._notes.append(f"{id_}: question left out: without evidence it cannot be judged")
                continue
            need = None if question.answer is None else f"Answer: {question.answer}"
            queries.append(Query(id=id_, query=question.question, tags=(f"category-{question.category}",), need=need))
            qrels.extend(Qrel(query_id=id_, doc_id=uuid, grade=1) for uuid in turns)
        return queries, qrels

    def _turns(self, evidence: object, of: str) -> list[str]:
        dia_ids, notes = resolve(evidence, self._dia_ids)
        self._notes.extend(f"{of}: {note}" for note in notes)
        return [f"{self._prefix}/{dia_id}" for dia_id in dia_ids]


def _content(turn: Turn) -> str:
    caption = (turn.blip_caption or "").strip()
    return f"{turn.speaker}: {turn.text}" + (f" [image: {caption}]" if caption else "")


def _joined(bundles: list[Bundle], name: str) -> Bundle:
    """All conversations in one workspace. Each question keeps the clock of its own as its `now`."""
    memories = [bundle.memory for bundle in bundles]
    clocks = [bundle.header.clock for bundle in bundles if bundle.header.clock is not None]
    header = bundles[0].header.model_copy(
        update={"name": name, "clock": max(clocks), "description": f"LoCoMo, {len(bundles)} conversations"}
    )
    return Bundle(
        header=header,
        memory=Memory(
            episodes=tuple(value for memory in memories for value in memory.episodes),
            entities=tuple(value for memory in memories for value in memory.entities),
            statements=tuple(value for memory in memories for value in memory.statements),
            documents=tuple(value for memory in memories for value in memory.documents),
        ),
        queries=tuple(
            query.model_copy(update={"now": bundle.header.clock}) for bundle in bundles for query in bundle.queries
        ),
        qrels=tuple(qrel for bundle in bundles for qrel in bundle.qrels),
        notes=tuple(note for bundle in bundles for note in bundle.notes),
    )

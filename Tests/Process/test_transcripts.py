"""Every decision on the wire, as golden transcripts; played in both framings and once in one-byte pieces."""

import concurrent.futures
import json
import re
from pathlib import Path

import pytest

import wire
from player import Player, is_recording
from transcript import Transcript

FOLDER = Path(__file__).parent / "Transcripts"
# Plays at the same time: most of one is waiting. Recording writes files, one after the other.
WORKERS = 1 if is_recording() else 4


def plays():
    for file in sorted(FOLDER.glob("*.rpc")):
        framing = Transcript.read(file).framing
        for way in [framing] if framing else ["lines", "headers"]:
            yield pytest.param(file, way, None, id=f"{file.stem}-{way}")
        yield pytest.param(file, framing or "lines", 1, id=f"{file.stem}-pieces")


def play(file: Path, framing: str, piece: int | None, folder: Path) -> None:
    transcript = Transcript.read(file)
    records = is_recording() and piece is None and framing == (transcript.framing or "lines")
    Player(transcript, folder, framing, piece, is_recording=records).play()


@pytest.fixture(scope="session")
def outcomes(request, tmp_path_factory):
    """What came of each play that was selected, by the test's name."""
    folder = tmp_path_factory.mktemp("transcripts")
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        found = {}
        for item in request.session.items:
            if getattr(item, "function", None) is test_transcript:
                arguments = item.callspec.params
                found[item.name] = pool.submit(play, arguments["file"], arguments["framing"], arguments["piece"], folder / item.callspec.id)
        yield found
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize(("file", "framing", "piece"), list(plays()))
def test_transcript(file, framing, piece, outcomes, request):
    outcomes[request.node.name].result()


def said(direction: str) -> set[str]:
    """The methods of all messages that go this way in some transcript."""
    found = set()
    for file in FOLDER.glob("*.rpc"):
        for line in Transcript.read(file).lines:
            if line.startswith(direction):
                found.update(re.findall(r'"method":("[^"]*")', line))
    return {json.loads(name) for name in found}


def test_every_method_is_asked_for():
    # The document is as long as all transcripts together; test_schema.py compares it.
    assert set(wire.project_schema().results) - {"rpc.discover"} <= said("-->")


def test_every_event_is_told():
    assert set(wire.project_schema().events) <= said("<-")


def test_every_kind_of_error_is_answered():
    kinds = {error["data"]["kind"] for error in wire.project_schema().document["components"]["errors"].values()}
    told = set()
    for file in FOLDER.glob("*.rpc"):
        told.update(re.findall(r'"data":\{"kind":"(\w+)"', file.read_text()))
    assert kinds <= told


def test_nothing_in_a_transcript_changes_from_run_to_run():
    """Ports, folders, dates and times have to be placeholders."""
    for file in FOLDER.glob("*.rpc"):
        found = re.search(r"127\.0\.0\.1(?::|%3A)\d{4,}|localhost(?::|%3A)\d{4,}|/tmp/|\b1[789]\d{8}\b|<-- \?|==> \?", file.read_text())
        assert not found, f"{file.name}: {found[0]}"

"""Every decision on the wire, as golden transcripts; played in both framings and once in one-byte pieces."""

import concurrent.futures
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import transcripts
import wire
from player import Player, is_recording
from ports import ports_for_now
from rpc import ROOT
from transcript import Transcript

FILES = transcripts.files()
# Concurrent plays: most of a play is waiting. Recording writes files, so it runs one play at a time.
WORKERS = 1 if is_recording() else 4


def plays():
    for file in FILES:
        framing = Transcript.read(file).framing
        for way in [framing] if framing else ["lines", "headers"]:
            yield pytest.param(file, way, None, id=f"{file.stem}-{way}")
        yield pytest.param(file, framing or "lines", 1, id=f"{file.stem}-pieces")


def play(file: Path, framing: str, piece: int | None, folder: Path) -> None:
    transcript = Transcript.read(file)
    records = is_recording() and piece is None and framing == (transcript.framing or "lines")
    with ports_for_now():
        Player(transcript, folder, framing, piece, is_recording=records).play()


@pytest.fixture(scope="session")
def outcomes(request, tmp_path_factory):
    """The future of each selected play, by the test's name."""
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
    """Returns all methods that go in this direction in some transcript."""
    found = set()
    for file in FILES:
        for line in Transcript.read(file).lines:
            if line.startswith(direction):
                found.update(re.findall(r'"method":("[^"]*")', line))
    return {json.loads(name) for name in found}


def test_every_method_is_asked_for():
    # The document of rpc.discover is as long as all transcripts together, so test_schema.py compares it.
    assert set(wire.project_schema().results) - {"rpc.discover"} <= said("-->")


def test_every_event_is_sent():
    assert set(wire.project_schema().events) <= said("<-")


def test_every_kind_of_error_is_answered():
    kinds = {error["data"]["kind"] for error in wire.project_schema().document["components"]["errors"].values()}
    told = set()
    for file in FILES:
        told.update(re.findall(r'"data":\{"kind":"(\w+)"', file.read_text()))
    assert kinds <= told


def test_nothing_in_a_transcript_changes_from_run_to_run():
    """Ports, folders, dates and times must be placeholders."""
    for file in FILES:
        found = re.search(r"127\.0\.0\.1(?::|%3A)\d{4,}|localhost(?::|%3A)\d{4,}|/tmp/|\b1[789]\d{8}\b|<-- \?|==> \?", file.read_text())
        assert not found, f"{file.name}: {found[0]}"


def test_the_committed_index_is_what_the_generator_prints():
    """Tests/regenerate.sh writes it."""
    printed = subprocess.run([sys.executable, ROOT / "Tests" / "transcripts.py"], capture_output=True, check=True, text=True).stdout
    assert transcripts.INDEX.read_text() == printed
    assert sorted(transcripts.order(printed)) == sorted(f"{file.parent.name}/{file.name}" for file in FILES)


def test_the_index_keeps_its_order_and_puts_a_new_transcript_last(tmp_path):
    folder = tmp_path / "1-start"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.rpc").write_text(f"% framing lines\n# What {name} shows.\n# More.\n")
    committed = "* [c](1-start/c.rpc): Old.\n* [a](1-start/a.rpc): Old.\n* [gone](1-start/gone.rpc): Old.\n"
    printed = transcripts.index(tmp_path, committed)
    assert transcripts.order(printed) == ["1-start/c.rpc", "1-start/a.rpc", "1-start/b.rpc"]
    assert "* [b](1-start/b.rpc): What b shows.\n" in printed


@pytest.mark.parametrize(
    ("path", "text", "fault"),
    [
        ("2-sign-in/a.rpc", "# A claim.\n", "two transcripts have the name a.rpc"),
        ("b.rpc", "# A claim.\n", "b.rpc is in none of the folders"),
        ("7-more/b.rpc", "# A claim.\n", "7-more/b.rpc is in none of the folders"),
        ("1-start/b.rpc", "# a heading\n", "b.rpc does not begin with a claim"),
        ("1-start/b.rpc", "close\n", "b.rpc does not begin with a claim"),
    ],
    ids=["name", "no folder", "folder", "heading", "no comment"],
)
def test_the_index_has_a_place_and_a_claim_for_each_transcript(tmp_path, path, text, fault):
    for file, content in (("1-start/a.rpc", "# A claim.\n"), (path, text)):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(content)
    with pytest.raises(transcripts.Fault, match=fault):
        transcripts.index(tmp_path)

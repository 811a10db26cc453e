"""Every decision on the wire, as golden transcripts; played in both framings and once in one-byte pieces."""

from pathlib import Path

import pytest

from transcript import Player, Transcript, is_recording

FOLDER = Path(__file__).parent / "Transcripts"


def plays():
    for file in sorted(FOLDER.glob("*.rpc")):
        framing = Transcript.read(file).framing
        for way in [framing] if framing else ["lines", "headers"]:
            yield pytest.param(file, way, None, id=f"{file.stem}-{way}")
        yield pytest.param(file, framing or "lines", 1, id=f"{file.stem}-pieces")


@pytest.mark.parametrize(("file", "framing", "piece"), list(plays()))
def test_transcript(file, framing, piece, tmp_path):
    transcript = Transcript.read(file)
    records = is_recording() and piece is None and framing == (transcript.framing or "lines")
    Player(transcript, tmp_path, framing, piece, is_recording=records).play()

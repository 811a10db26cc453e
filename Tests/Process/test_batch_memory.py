"""The memory use of many requests at once."""

import json
import subprocess
from pathlib import Path

import pytest

from rpc import BINARY

COUNT = 5_000


@pytest.mark.parametrize("framing", ["lines", "headers"])
def test_a_batch_of_long_answers(home, framing):
    """Each answer is the whole schema of more than 100 KB. The process must not hold all 600 MB at the same time."""
    home.mkdir()
    command = [BINARY, "--store", str(home / "store"), "--framing", framing]
    batch = json.dumps([{"jsonrpc": "2.0", "id": number, "method": "rpc.discover"} for number in range(COUNT)]).encode()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"HOME": str(home)})
    process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(batch), batch) if framing == "headers" else batch + b"\n")
    process.stdin.flush()
    first = process.stdout.read(1)
    length = None
    if framing == "headers":
        length = int(process.stdout.readline().split(b":")[1]) + 0
        assert process.stdout.readline() == b"\r\n"
        first = b""
    found = count = 0
    rest = b""
    while length is None or count < length:
        more = first or process.stdout.read1(1 << 20)
        first = b""
        count += len(more)
        text = rest + more
        found += text.count(b'"openrpc":')
        rest = text[-9:]
        if length is None and more.endswith(b"\n"):
            break
    peak = next(line for line in Path(f"/proc/{process.pid}/status").read_text().splitlines() if line.startswith("VmHWM:"))
    process.stdin.close()
    assert process.wait() == 0
    process.stdout.close()
    assert found == COUNT
    assert length in (None, count)
    assert int(peak.split()[1]) < 100_000

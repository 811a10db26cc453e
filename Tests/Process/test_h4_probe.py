from test_store_faults import *
from rpc import *
def test_probe_overwrite(start, provider, home):
    sign_in(start(), provider)
    path = home / "store" / "key"; right = path.read_bytes()
    before = grant_file(home).read_bytes()
    path.write_bytes(bytes(32))
    peer = start()
    identifier = peer.send("authorize", {**provider.parameters(interaction="always"), "account": "a"})
    message = peer.wait_for(lambda m: m.get("id") == identifier or m.get("method") == "signInWasRequested", "x")
    if "params" in message: provider.approve(message["params"]["url"])
    print(peer.answer(identifier))
    files = {f.name: f.read_bytes() == before for f in (home / "store").iterdir()}
    print(files)
    assert any(files.values())
def test_probe_crlf(start, provider, home):
    peer = start(); sign_in(peer, provider)
    f = home / "a\r\nX-Evil: 1"; f.write_text("y")
    peer.request("callAPI", {"account": "a", "url": "x", "method": "POST", "body": {"multipart": [{"name": "n", "file": str(f)}]}})
    print(provider.requests[-1].body)
    assert b"\r\nX-Evil" not in provider.requests[-1].body

"""What child processes inherit, and how the process reacts to a failing browser command."""

import http.server
import json
import os
import shutil
import ssl
import subprocess
import threading
from pathlib import Path

import pytest

from ports import reserve_port
from provider import Response
from rpc import RPCFault
from signing_in import authorize
from waiting import wait_until

REPORT = """#!/bin/sh
env > "$0.part"
ls -l /proc/$$/fd >> "$0.part"
mv "$0.part" "$0.report"
echo s3cret-of-the-command
"""


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def wait_for(path: Path) -> str:
    wait_until(path.exists)
    return path.read_text()


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="looks at /proc")
def test_a_child_inherits_three_descriptors_and_no_secret(start, home, provider):
    """Neither the parent's open descriptors nor the environment variables of the configuration are inherited."""
    for name in ("browser", "command"):
        script(home / name, REPORT)
    accounts = {
        "a": {"provider": provider.description, "clientId": "c", "clientSecret": {"command": [str(home / "command")]}},
        "b": {"provider": provider.description, "clientId": "c", "clientSecret": {"env": "SECRET_OF_B"}},
        "c": {"provider": provider.description, "clientId": "c", "privateKey": {"env": "KEY_OF_C"}},
    }
    (home / "config.json").write_text(json.dumps({"accounts": accounts}))
    leaked, other = os.pipe()
    pipe = os.readlink(f"/proc/self/fd/{leaked}")
    environment = {
        "BROWSER": str(home / "browser"), "SECRET_OF_B": "b-s3cret", "KEY_OF_C": "c-s3cret", "HARMLESS": "kept",
        "SSLKEYLOGFILE": str(home / "keys"),
    }
    try:
        peer = start("--config", home / "config.json", environment=environment, pass_fds=(leaked, other))
    finally:
        os.close(leaked)
        os.close(other)
    # A variable that the configuration named once is never passed to a child, even after its removal from the file.
    peer.request("authorize", {"account": "a", "wait": False, "openBrowser": False})
    (home / "config.json").write_text("{}")
    peer.request("authorize", provider.parameters(account="x", wait=False, openBrowser=True))
    for name in ("command", "browser"):
        report = wait_for(home / f"{name}.report")
        lines = report.splitlines()
        assert "HARMLESS=kept" in lines
        assert "s3cret" not in report.replace("s3cret-of", "") and "SSLKEYLOGFILE" not in report
        descriptors = {line.split()[-3]: line.split()[-1] for line in lines if line.split()[-2:-1] == ["->"]}
        # Descriptors from 10 on are the shell's own.
        assert {number for number in descriptors if len(number) == 1} == {"0", "1", "2"} and descriptors["0"] == "/dev/null", name
        assert pipe not in descriptors.values(), name


def test_an_empty_element_of_the_path_is_no_folder(start, home, provider, tmp_path):
    """An empty element means the client's working directory, which may be an untrusted checkout."""
    script(tmp_path / "checkout" / "helper", f"#!/bin/sh\ntouch {tmp_path}/was-run\necho s3cret\n")
    account = {"provider": provider.description, "clientId": "c", "clientSecret": {"command": ["helper"]}}
    home.mkdir(exist_ok=True)
    (home / "config.json").write_text(json.dumps({"accounts": {"a": account}}))
    for path in ("", ":/usr/bin:/bin", "/usr/bin::/bin", "/usr/bin:/bin:", ".:/usr/bin"):
        peer = start("--config", home / "config.json", environment={"PATH": path}, cwd=tmp_path / "checkout")
        with pytest.raises(RPCFault) as fault:
            peer.request("authorize", {"account": "a", "wait": False, "openBrowser": False})
        assert fault.value.message.endswith("names the command helper, which failed: no such file or directory")
    assert not (tmp_path / "was-run").exists()
    shutil.move(tmp_path / "checkout" / "helper", home / "helper")
    peer = start("--config", home / "config.json", environment={"PATH": f"{home}:/usr/bin:/bin"}, cwd=tmp_path)
    assert peer.request("authorize", {"account": "a", "wait": False, "openBrowser": False})["status"] == "pending"


@pytest.mark.skipif(not shutil.which("openssl"), reason="makes a certificate")
def test_the_keys_of_its_connections_are_written_nowhere(start, home, provider, tmp_path):
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        keys = tmp_path / "keys.log"
        peer = start(environment={"SSLKEYLOGFILE": str(keys), "SSL_CERT_FILE": str(certificate), "CURL_CA_BUNDLE": str(certificate)})
        base = f"https://localhost:{server.server_port}/"
        authorize(peer, provider.approve, **provider.parameters(provider={**provider.description, "apiBase": base, "apiHosts": [f"localhost:{server.server_port}"]}))
        assert peer.request("callAPI", {"account": "a", "url": "x"})["body"] == "ok"
        assert not keys.exists()
    finally:
        server.shutdown()
        server.server_close()


def requested(peer, identifier) -> list[dict]:
    return [event["params"] for event in peer.events if event["method"] == "signInWasRequested" and event["params"].get("request") == identifier]


def test_a_browser_command_that_fails_is_followed_by_the_next(start, home, provider):
    script(home / "bad", "#!/bin/sh\nexit 3\n")
    good = script(home / "good", '#!/bin/sh\necho "$1" > "$0.part"; mv "$0.part" "$0.url"\n')
    killed = script(home / "killed", "#!/bin/sh\nkill -9 $$\n")
    peer = start(environment={"BROWSER": f"{home}/bad:{killed}:{good}"})
    identifier = peer.send("authorize", provider.parameters(openBrowser=True))
    url = peer.event("signInWasRequested", request=identifier)["url"]
    wait_for(home / "good.url")
    provider.approve(url)
    peer.result(identifier)
    assert len(requested(peer, identifier)) == 1 and "opened" not in requested(peer, identifier)[0]
    assert peer.finish() == 0
    said = peer.stderr.decode()
    assert f"the browser command {home}/bad failed: it ended with status 3" in said and f"{killed} failed: signal 9 ended it" in said
    assert "good" not in said and "no browser could be started" not in said


def test_without_a_working_browser_the_page_is_reported_again(start, home, provider):
    """The next request tries the browser again."""
    count = home / "count"
    bad = script(home / "bad", f'#!/bin/sh\necho x >> "{count}"\nexit 1\n')
    peer = start(environment={"BROWSER": str(bad)})
    identifier = peer.send("authorize", provider.parameters(openBrowser=True))
    again = peer.event("signInWasRequested", request=identifier, opened=False)
    first, second = requested(peer, identifier)
    assert "opened" not in first and second == {**first, "seq": second["seq"], "opened": False} and again == second
    other = peer.send("authorize", provider.parameters(openBrowser=True))
    peer.event("signInWasRequested", request=other)
    wait_until(lambda: len(count.read_text().split()) == 2)
    provider.approve(first["url"])
    assert peer.result(identifier)["via"] == peer.result(other)["via"] == "signedIn"


@pytest.mark.parametrize(
    "environment", [{"BROWSER": "", "DISPLAY": ":0"}, {"BROWSER": ":"}, {"BROWSER": None}, {"BROWSER": "/nonexistent"}], ids=["empty", "colon", "no display", "nothing"]
)
def test_a_missing_browser_is_reported_at_once(start, home, provider, environment):
    """`BROWSER=` means that the user wants no browser. Without a display there is no browser either."""
    folder = home / "bin"
    script(folder / "xdg-open", f"#!/bin/sh\ntouch {home}/was-opened\n")
    peer = start(environment={"PATH": f"{folder}:/usr/bin:/bin", **environment})
    identifier = peer.send("authorize", provider.parameters(openBrowser=True))
    shown = peer.event("signInWasRequested", request=identifier)
    assert shown["opened"] is False
    provider.approve(shown["url"])
    peer.result(identifier)
    assert len(requested(peer, identifier)) == 1 and not (home / "was-opened").exists()
    device = {**provider.description, "deviceAuthorizationEndpoint": provider.url + "/device"}
    provider.instead["/device"] = lambda request: Response.of(
        {"device_code": "d", "user_code": "USER", "verification_uri": provider.url + "/v", "expires_in": 60, "interval": 5}
    )
    answer = peer.request("authorize", provider.parameters(account="d", provider=device, openBrowser=True, wait=False))
    assert answer["signIn"]["userCode"] == "USER", "auto takes the device flow where there is no browser"


def test_only_a_redirect_uri_of_the_request_keeps_the_code_flow(start, home, provider):
    """A preset or the configuration names the redirect URI for the days with a browser."""
    device = {**provider.description, "deviceAuthorizationEndpoint": provider.url + "/device", "redirectPolicy": "pinnedPort"}
    provider.instead["/device"] = lambda request: Response.of(
        {"device_code": "d", "user_code": "USER", "verification_uri": provider.url + "/v", "expires_in": 60, "interval": 5}
    )
    uri = f"http://127.0.0.1:{reserve_port()}/callback"
    config = home / "config.json"
    home.mkdir(exist_ok=True)
    config.write_text(json.dumps({"accounts": {"a": {"provider": device, "clientId": "c", "redirectUri": uri}}}))
    peer = start("--config", str(config), environment={"BROWSER": ""})
    assert "userCode" in peer.request("authorize", {"account": "a", "wait": False})["signIn"]
    named = peer.request("authorize", {"account": "a", "redirectUri": uri, "interaction": "always", "wait": False})["signIn"]
    assert "userCode" not in named and "redirect_uri=" in named["url"]

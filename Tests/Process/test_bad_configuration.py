"""A faulty configuration or environment: the error names the place, and requests that don't need it succeed."""

import json
import os
import resource
import subprocess
import threading

import pytest

from rpc import BINARY
from signing_in import authorize
from waiting import Hold, wait_until


def configured(start, home, content: bytes | dict, *arguments, **options):
    home.mkdir(exist_ok=True)
    path = home / "config.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return start("--config", path, *arguments, **options)


def everything_else_goes_on(peer, provider) -> None:
    """Checks that requests which read no account succeed."""
    peer.request("providers")
    peer.request("provider", {"provider": "github"})


@pytest.mark.parametrize(
    ("content", "path"),
    [
        (b"", ""), (b"{", ""), (b"[]x", ""), (b"1", ""), (b"\xff\xfe{\0}\0", ""), (b"{\"accounts\":" + b"[" * 100_000, ""), (b'{"accounts":{},"accounts":{}}', ""), (b"\0" * 1000, ""),
        ({"acounts": {}}, "/acounts"), ({"accounts": []}, None), ({"accounts": [1]}, "/accounts"), ({"accounts": {"a": 1}}, "/accounts/a"), ({"accounts": {"a/b": {"x": 1}}}, "/accounts/a~1b/x"),
        ({"accounts": {"a": {"scopes": "x"}}}, "/accounts/a/scopes"), ({"accounts": {"a": {"scopes": [1]}}}, "/accounts/a/scopes/0"), ({"accounts": {"a": {"timeout": 0}}}, "/accounts/a/timeout"),
        ({"accounts": {"a": {"scopes": ["read", "a b"]}}}, "/accounts/a/scopes/1"), ({"accounts": {"a": {"scopes": [""]}}}, "/accounts/a/scopes/0"),
        ({"accounts": {"a": {"clientSecret": {"env": ""}}}}, "/accounts/a/clientSecret/env"),
        ({"accounts": {"a": {"clientSecret": 1}}}, "/accounts/a/clientSecret"), ({"accounts": {"a": {"clientSecret": {"env": 1}}}}, "/accounts/a/clientSecret/env"),
        ({"accounts": {"a": {"clientSecret": {"command": []}}}}, "/accounts/a/clientSecret/command"), ({"accounts": {"a": {"clientSecret": {"command": ["x", 1]}}}}, "/accounts/a/clientSecret/command/1"),
        ({"accounts": {"a": {"clientSecret": {"env": "X", "command": ["y"]}}}}, "/accounts/a/clientSecret"), ({"accounts": {"a": {"provider": 1}}}, "/accounts/a/provider"),
        ({"accounts": {"a": {"provider": {"tokenEndpoint": 1}}}}, "/accounts/a/provider/tokenEndpoint"), ({"accounts": {"a": {"flow": "x"}}}, "/accounts/a/flow"), ({"accounts": {"a": {"parameters": {"x": 1}}}}, "/accounts/a/parameters/x"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_fault_is_named(start, home, provider, content, path):
    peer = configured(start, home, content)
    if path is not None and path.startswith("/accounts/"):
        # A wrong account is still listed, and an event reports it.
        (name,) = content["accounts"]
        error = peer.answer(peer.send("authorize", {"account": name, "interaction": "never"}))["error"]
        assert error["code"] == 1007 and error["data"]["path"] == path and len(error["message"]) < 1000, error
        assert peer.answer(peer.send("account", {"account": name}))["error"] == error
        assert [state["account"] for state in peer.request("accounts")["accounts"]] == [name]
        assert [event["params"]["errorDetails"] for event in peer.events] == [error["message"]] * 2
    elif path is not None:
        error = peer.answer(peer.send("authorize", {"account": "a", "interaction": "never"}))["error"]
        assert error["code"] == 1007 and error["data"]["path"] == path and len(error["message"]) < 1000, error
        # Requests that list accounts report it too.
        for method, params in (("accounts", {}), ("account", {"account": "a"})):
            assert peer.answer(peer.send(method, params))["error"] == error
    everything_else_goes_on(peer, provider)


SECRETS = {
    "unset": {"env": "NO_SUCH_VARIABLE"}, "empty": {"env": "EMPTY"}, "no variable": {"env": "A=B\0"}, "no program": {"command": ["/nonexistent"]}, "fails": {"command": ["sh", "-c", "echo s3cr3tvalue; exit 3"]},
    "silent": {"command": ["true"]}, "a blank line": {"command": ["echo"]}, "killed": {"command": ["sh", "-c", "echo s3cr3tvalue; kill -9 $$"]}, "a folder": {"command": ["/"]}, "empty word": {"command": [""]},
}


@pytest.mark.parametrize("account", ["a", "google/work"])
@pytest.mark.parametrize("source", SECRETS)
def test_a_secret_that_is_not_there(start, home, provider, source, account):
    entry = {"provider": provider.description, "clientId": "c", "clientSecret": SECRETS[source]}
    peer = configured(start, home, {"accounts": {account: entry, "good": {**entry, "clientSecret": "x"}}}, "--log-level", "debug", environment={"EMPTY": ""})
    error = peer.answer(peer.send("authorize", {"account": account, "openBrowser": False}))["error"]
    assert error["code"] == 1007 and error["data"]["path"] == f"/accounts/{account.replace('/', '~1')}/clientSecret", error
    # The message names the variable or the program. The command's other words may be private.
    named = SECRETS[source].get("env") or SECRETS[source]["command"][0]
    assert named.split("\0")[0] in error["message"] and "s3cr3tvalue" not in error["message"], error
    if source == "killed":
        assert error["message"].endswith("which failed: signal 9 ended it"), error
    authorize(peer, provider.approve, account="good", openBrowser=False)
    peer.finish()
    assert b"s3cr3tvalue" not in peer.stdout + peer.stderr


@pytest.mark.parametrize("is_own", [True, False])
def test_a_secret_goes_to_its_own_provider_alone(start, home, provider, is_own):
    """A configured account accepts no other provider, so the process never sends its secret to one."""
    own = provider.description if is_own else {"authorizationEndpoint": "https://id.example/authorize", "tokenEndpoint": "https://id.example/token"}
    peer = configured(start, home, {"accounts": {"a": {"provider": own, "clientId": "c", "clientSecret": "s3cr3tvalue"}}})
    if is_own:
        authorize(peer, provider.approve, account="a", provider=provider.description, openBrowser=False)
    data = {"access_token": "at", "refresh_token": provider.secret(), "expires_in": 1}
    imported = {"account": "a", "format": "json", "data": data, "provider": provider.description, "replace": True}
    for method, params in (("importGrant", imported), ("authorize", {"account": "a", "provider": provider.description, "dryRun": True})):
        answer = peer.answer(peer.send(method, params))
        assert ("result" in answer) == is_own and (is_own or answer["error"]["data"]["path"] == "/provider"), answer
    peer.answer(peer.send("refresh", {"account": "a", "force": True}))
    secrets = [request.headers.get("Authorization") for request in provider.requests if request.path == "/token"]
    assert len(secrets) == (2 if is_own else 0) and None not in secrets


KEPT = {"a preset": True, "a preset elsewhere": False, "a description": False, "a stored grant": True}


@pytest.mark.parametrize("named", KEPT)
def test_a_secret_without_its_provider(start, home, provider, named):
    """The configuration names no provider. A preset's name or the stored grant decides, but not a caller's description."""
    peer = configured(start, home, {"accounts": {"a": {"clientId": "c", "clientSecret": "s3cr3tvalue"}}})
    if named == "a stored grant":
        data = {"access_token": "at", "refresh_token": provider.secret()}
        peer.request("importGrant", {"account": "a", "format": "json", "data": data, "provider": provider.description, "clientSecret": "s3cr3tvalue"})
    who = {"a preset": "google", "a preset elsewhere": {"preset": "google", "tokenEndpoint": provider.url + "/token"}}.get(named, provider.description)
    parameters = {"account": "a", "provider": who, "redirectUri": "app.example:/cb", "dryRun": True}
    answer = peer.answer(peer.send("authorize", parameters))
    if KEPT[named]:
        assert "CLIENT_SECRET" in json.dumps(answer["result"]) or "Basic …" in json.dumps(answer["result"], ensure_ascii=False)
    else:
        error = answer["error"]
        assert error["code"] == 1007 and error["data"]["path"] == "/accounts/a/provider" and "name the provider here as well" in error["message"], error
    # A caller with its own secret needs none from the configuration.
    own = peer.answer(peer.send("authorize", {**parameters, "clientSecret": "own"}))
    assert "result" in own


def test_a_preset_with_a_callers_host_gets_no_secret(start, home):
    entry = {"clientId": "c", "clientSecret": "s3cr3tvalue"}
    peer = configured(start, home, {"accounts": {"a": entry, "b": {**entry, "variables": {"host": "git.example"}}}})
    for account, host, is_right in [("a", "evil.example", False), ("a", None, True), ("b", "git.example", True), ("b", "evil.example", False)]:
        variables = {"variables": {"host": host}} if host else {}
        answer = peer.answer(peer.send("authorize", {"account": account, "provider": "gitlab", "redirectUri": "app.example:/cb", "dryRun": True, **variables}))
        assert ("result" in answer) == is_right, (account, host)
        data = "serviceProvider=gitlab&refresh_token=rt"
        imported = peer.answer(peer.send("importGrant", {"account": account, "format": "gtmoauth2", "data": data, "replace": True, **variables}))
        assert ("result" in imported) == is_right, (account, host)
        peer.request("signOut", {"account": account})


@pytest.mark.parametrize("command", [["sleep", "600"], ["yes"], ["sh", "-c", "trap '' PIPE TERM; for i in $(seq 200000); do echo xxxxxxxxxxxxxxxx || :; done"]], ids=["hangs", "endless", "stubborn"])
def test_a_command_that_does_not_end(start, home, provider, command):
    """The request can be cancelled, other accounts keep working, and the command does not keep the process running."""
    entry = {"provider": provider.description, "clientId": "c", "clientSecret": {"command": command}}
    peer = configured(start, home, {"accounts": {"a": entry}})
    identifiers = [peer.send("authorize", {"account": "a", "openBrowser": False}) for _ in range(3)]
    authorize(peer, provider.approve, **{**provider.parameters(), "account": "other"})
    for identifier in identifiers:
        peer.notify("$/cancelRequest", {"id": identifier})
        assert peer.answer(identifier)["error"]["code"] in (-32800, 1007)
    assert peer.finish() == 0


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b'{\n  "accounts": {\n    "a": {},\n  }\n}', "is not valid JSON at line 4, column 3: remove the comma before it"),
        (b'{"accounts": {"a": {"scopes": ["x", ]}}}', "is not valid JSON at line 1, column 37: remove the comma before it"),
        (b'{,}', "is not valid JSON at line 1, column 2"),
        (b'{\n  // mine\n  "accounts": {}\n}', "is not valid JSON at line 2, column 3: JSON has no comments"),
        (b'# mine\n{"accounts": {}}', "is not valid JSON at line 1, column 1: JSON has no comments"),
        (b'{"accounts": {} /* mine */}', "is not valid JSON at line 1, column 17: JSON has no comments"),
        ('{"accounts": {}}'.encode("utf-16"), "begins with the byte order mark of UTF-16: save it as UTF-8"),
        ('{\n  "accounts": {"é": {} x}\n}'.encode(), "is not valid JSON at line 2, column 24"),
        (b'{\n  "accounts": {', "is not valid JSON at line 2, column 16: it ends too early"),
        (b'{"accounts": {}}\n}', "is not valid JSON at line 2, column 1: more text follows its end"),
        (b'{\n  "accounts": {"\xe9": {}}\n}', "is not valid JSON at line 2, column 17: the text there is not UTF-8"),
        (b'{"accounts": {\n  "a": {},\n  "a": {}\n}}', "has the same member twice at line 3, column 5"),
        (b'{\n  "accounts": {"a": {"timeout": 99999999999999999999}}}', "has a number beyond 64 bits at line 2, column 33"),
        (b'{"accounts": {"a": {"timeout": 1e400}}}', "has a number beyond 64 bits at line 1, column 32"),
        (b'{"accounts": ' + b"[" * 200 + b"]" * 200 + b"}", "is nested deeper than 128 levels"),
        (b" " * (1 << 20) + b"{}", "cannot be read: longer than 1048576 bytes"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_invalid_json_is_reported_with_its_position(start, home, content, problem):
    peer = configured(start, home, content)
    error = peer.answer(peer.send("accounts"))["error"]
    assert error["message"] == f"the configuration {home / 'config.json'} {problem}"


def test_an_entry_is_found_in_a_text_with_faults_elsewhere(start, home):
    """An entry is read when a request names its account. What is wrong in another one is reported to requests that read that, or all."""
    entry = b'{"provider": "github", "clientId": "c", "parameters": {"twice": "}\\\\"}}'
    content = b'{"accounts": {"bad": {"scopes": [,]}, "twice": %b, "\\u0067ood\\"": %b, "twice": {}}, "hosts": {}}' % (entry, entry)
    peer = configured(start, home, content)
    state = peer.request("account", {"account": 'good"'})
    assert state["configured"] and peer.request("authorize", {"account": 'good"', "dryRun": True, "redirectUri": "http://127.0.0.1:1/"})
    for method, params in (("account", {"account": "bad"}), ("account", {"account": "twice"}), ("accounts", {})):
        error = peer.answer(peer.send(method, params))["error"]
        assert error["message"] == f"the configuration {home / 'config.json'} is not valid JSON at line 1, column 34"
    assert "configured" not in peer.request("account", {"account": "other"})


def test_a_byte_order_mark_is_ignored(start, home, provider):
    peer = configured(start, home, b"\xef\xbb\xbf" + json.dumps({"accounts": {"a": {"provider": provider.description, "clientId": "c"}}}).encode())
    assert peer.request("account", {"account": "a"})["configured"]


@pytest.mark.parametrize("kind", ["fifo", "folder", "/dev/zero", "large", "unreadable link", "missing"])
def test_a_configuration_that_is_no_file(start, home, provider, kind):
    home.mkdir()
    path = home / "configuration"
    if kind == "fifo":
        os.mkfifo(path)
        # A program that opens the pipe and ends without a word.
        threading.Thread(target=lambda: path.open("w").close(), daemon=True).start()
    elif kind == "folder":
        path.mkdir()
    elif kind == "large":
        with path.open("wb") as file:
            file.truncate(100 << 20)
    elif kind == "unreadable link":
        path.symlink_to(path)
    limit = 1 << 30
    peer = start("--config", "/dev/zero" if kind == "/dev/zero" else path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    error = peer.answer(peer.send("authorize", {"account": "a", "interaction": "never"}))["error"]
    assert error["code"] == 1007, error
    everything_else_goes_on(peer, provider)


@pytest.mark.parametrize("environment", [{}, {"HOME": ""}, {"HOME": "relative"}, {"HOME": "/nonexistent"}, {"XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "HOME": "/dev/null"}], ids=repr)
def test_an_environment_without_a_home(tmp_path, environment):
    requests = b'{"jsonrpc":"2.0","id":1,"method":"providers"}\n{"jsonrpc":"2.0","id":2,"method":"accounts"}\n'
    done = subprocess.run([BINARY], input=requests, env=environment, cwd=tmp_path, capture_output=True, timeout=60)
    assert done.returncode == 0 and sorted(json.loads(line)["id"] for line in done.stdout.splitlines()) == [1, 2]
    assert not list(tmp_path.iterdir()), "nothing is written into the working directory"
    assert not os.path.exists("/nonexistent"), "a home that does not exist is not made"


def test_no_home_and_a_sign_in(tmp_path, provider):
    """The process does not write tokens into its working directory, which may be a repository."""
    process = subprocess.Popen([BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}, cwd=tmp_path)
    request = {"jsonrpc": "2.0", "id": 1, "method": "authorize", "params": provider.parameters()}
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.flush()
    first = json.loads(process.stdout.readline())
    if first.get("method") == "signInWasRequested":
        provider.approve(first["params"]["url"])
    process.communicate(timeout=60)
    assert not list(tmp_path.rglob("*.grant"))


def test_a_part_that_never_ends(start, provider):
    """A form part is read whole, so an endless file must be rejected before it fills the memory."""
    peer = start(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
    authorize(peer, provider.approve, **provider.parameters())
    part = {"name": "x", "file": "/dev/zero"}
    answer = peer.answer(peer.send("callAPI", {"account": "a", "url": "x", "method": "POST", "body": {"multipart": [part]}}))
    assert answer["error"]["data"]["kind"] == "storageFailure"
    peer.request("accounts")


def test_a_folder_that_has_gone(tmp_path, provider):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f'rmdir "{gone}" && exec "$0" --store relative'
    ids = ["accounts", "signOut", "account", "providers"]
    lines = [json.dumps({"jsonrpc": "2.0", "id": name, "method": name, **({"params": {"account": "a"}} if name[-1] in "tT" else {})}) for name in ids]
    done = subprocess.run(["sh", "-c", script, BINARY], cwd=gone, input="\n".join(lines).encode(), capture_output=True, timeout=60, env={"HOME": str(tmp_path)})
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines()) if "id" in answer}
    assert done.returncode == 0 and set(answers) == set(ids), done
    assert answers["signOut"]["error"]["data"]["kind"] == "storageFailure"
    assert all("result" in answers[name] for name in ("accounts", "account", "providers"))


def test_few_descriptors(start, provider):
    """Without a free descriptor only the calls that need one fail."""
    peer = start(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (26, 26)))
    authorize(peer, provider.approve, **provider.parameters())
    provider.instead["/api/slow"] = hold = Hold()
    identifiers = [peer.send("callAPI", {"account": "a", "url": "slow"}) for _ in range(40)]
    identifiers += [peer.send("authorize", {**provider.parameters(wait=False, timeout=2), "account": f"b{n}"}) for n in range(30)]
    peer.wait_for(lambda message: "no file descriptor left" in str(message.get("error")), "an error", 60)
    hold.release()
    said, opened = [], 0
    for identifier in identifiers:
        answer = peer.answer(identifier, 60)
        if "error" in answer:
            # Other calls release theirs, so the same call may succeed later.
            assert answer["error"]["data"]["retryable"] and answer["error"]["data"]["kind"] in ("networkFailure", "storageFailure", "timedOut"), answer
            said.append(answer["error"]["message"])
        elif answer["result"]["status"] == "pending":
            opened += 1
    assert any(message.endswith("the process has no file descriptor left") for message in said), said
    wait_until(lambda: sum(event["method"] == "signInWasAbandoned" for event in peer.events) == opened)
    assert peer.request("callAPI", {"account": "a", "url": "x"})["status"] == 200


@pytest.mark.parametrize("closed", range(8), ids=lambda mask: "".join(str(fd) for fd in range(3) if mask >> fd & 1) or "none")
def test_standard_streams_that_are_closed_at_the_start(home, closed):
    home.mkdir()
    redirections = " ".join(f"{fd}{'<' if fd == 0 else '>'}&-" for fd in range(3) if closed >> fd & 1)
    request = b'{"jsonrpc":"2.0","id":1,"method":"accounts"}\n'
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" --store "$1" {redirections}', BINARY, str(home / "store")], input=request, capture_output=True, timeout=60,
        env={"HOME": str(home)},
    )
    assert done.returncode == (1 if closed & 3 else 0) and b"atal error" not in done.stderr
    if closed & 7 == 1:
        assert done.stderr.decode() == "oauth-stdio: standard input cannot be read: bad file descriptor\n"
    if closed & 3 == 0:
        assert json.loads(done.stdout)["result"] == {"accounts": []} and done.returncode == 0


def test_standard_input_that_is_a_folder(home):
    home.mkdir()
    folder = os.open(home, os.O_RDONLY)
    done = subprocess.run([BINARY, "--store", str(home / "store")], stdin=folder, capture_output=True, timeout=60, env={"HOME": str(home)})
    os.close(folder)
    assert (done.returncode, done.stdout) == (1, b"") and done.stderr == b"oauth-stdio: standard input cannot be read: is a directory\n"


def test_a_change_of_the_file_shows_at_once(start, tmp_path):
    file = tmp_path / "config.json"
    entry = {"provider": "github", "clientId": "c"}
    peer = start("--config", file, environment={})
    for names in (["a"], ["a", "b"], [], ["b"]):
        file.write_text(json.dumps({"accounts": {name: entry for name in names}}))
        shown = {name for name in ("a", "b") if peer.request("account", {"account": name}).get("configured")}
        assert shown == set(names)
    file.write_text("{")
    assert peer.answer(peer.send("account", {"account": "a"}))["error"]["data"]["kind"] == "configurationInvalid"
    file.unlink()
    assert peer.answer(peer.send("account", {"account": "a"}))["error"]["data"]["kind"] == "configurationInvalid"


def test_one_spelling_of_a_name_is_configured(start, home, provider):
    own = {"provider": provider.description, "clientId": "c"}
    peer = configured(start, home, {"accounts": {"e\u0301": own}})
    for name, more in (("\u00e9", own), ("e\u0301", {})):
        peer.request("importGrant", {"account": name, "format": "json", "data": {"access_token": "t"}, **more})
    assert {state["account"]: "configured" in state for state in peer.request("accounts")["accounts"]} == {"\u00e9": False, "e\u0301": True}


def test_a_wrong_account_affects_only_itself(start, home, provider):
    accounts = {
        "good": {"provider": provider.description, "clientId": "c", "scopes": ["read"], "openBrowser": False}, "member": {"clientID": "c"}, "type": {"timeout": "1"},
        "kind": 1, "secret": {"clientSecret": {"path": "x"}}, "provider": {"provider": {"tokenEndPoint": "x"}},
    }
    peer = configured(start, home, json.dumps({"accounts": accounts}).encode())
    authorize(peer, provider.approve, account="good")
    listed = {state["account"]: state for state in peer.request("accounts")["accounts"]}
    assert set(listed) == set(accounts) and all(state["configured"] for state in listed.values())
    assert {name: state["signedIn"] for name, state in listed.items()} == {name: name == "good" for name in accounts}
    assert peer.request("account", {"account": "good"})["signedIn"] is True
    wrong = {"member": "/clientID", "type": "/timeout", "kind": "", "secret": "/clientSecret", "provider": "/provider/tokenEndPoint"}
    for name, place in wrong.items():
        told = [event["params"] for event in peer.events if event["method"] == "errorOccuredWithShortDescription" and event["params"]["account"] == name]
        assert told and told[0]["kind"] == "configurationInvalid"
        for method, params in (("authorize", {"interaction": "never"}), ("account", {})):
            data = peer.answer(peer.send(method, {"account": name, **params}))["error"]["data"]
            assert data["kind"] == "configurationInvalid" and data["path"] == f"/accounts/{name}{place}" and data["account"] == name
    assert peer.request("accessToken", {"account": "good"})["accessToken"]


def test_a_redirect_uri_with_a_port_that_does_not_exist(start, tmp_path):
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"accounts": {"a": {"provider": "github", "clientId": "c", "redirectUri": "http://localhost:99999/"}}}))
    config.chmod(0o600)
    peer = start("--config", config)
    error = peer.answer(peer.send("authorize", {"account": "a"}))["error"]
    assert error["data"]["kind"] == "configurationInvalid"
    assert error["data"]["file"] == str(config) and error["data"]["path"] == "/accounts/a/redirectUri"
    assert error["message"] == f"the configuration {config}, /accounts/a/redirectUri, is wrong: the redirect URI's port is not a number up to 65535"


def as_another_user(*words, **environment) -> subprocess.CompletedProcess:
    """Runs the program as a user whose number no file names, as containers do."""
    if os.geteuid() != 0:
        pytest.skip("only root starts a process of another user")
    user = {"user": 54_321, "group": 54_321, "extra_groups": []}
    if subprocess.run(["/usr/bin/test", "-x", BINARY], **user).returncode != 0:
        pytest.skip("another user cannot start the program")
    return subprocess.run([BINARY, *words], env=environment, cwd="/", capture_output=True, text=True, timeout=60, **user)


def test_a_home_that_cannot_be_written_names_another_place(provider):
    done = as_another_user("login", "a", "--provider", json.dumps(provider.description), "--clientId", "c", "--openBrowser=false", HOME="/usr")
    assert done.returncode == 1, done
    assert done.stderr == "oauth-stdio: the file /usr/.local cannot be used: permission denied; name another folder with --store or XDG_DATA_HOME\n"


def test_a_user_without_a_home():
    done = as_another_user("doctor")
    assert "/nonexistent" not in done.stdout and "HOME is not set, so there is no place for the configuration\n" in done.stdout, done
    assert "set HOME or XDG_CONFIG_HOME, or name the file with --config\n" in done.stdout

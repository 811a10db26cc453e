"""The limits that a user sets at the start: what the client may do."""

import json
import os
import subprocess

import pytest

from provider import Response
from rpc import BINARY, Peer, RPCFault


@pytest.fixture
def signed_in(start, provider):
    """Returns `signed_in(*limits)`, which starts a process with these limits and two accounts that another process has signed in."""
    peer = start()
    for account in ["a", "b"]:
        peer.request("importGrant", grant(provider, account))
    peer.finish()
    return lambda *limits, **options: start(*limits, **options)


def grant(provider, account: str) -> dict:
    token = provider.secret()
    provider.living.add(token)
    return {"account": account, "format": "json", "data": {"access_token": token, "refresh_token": provider.secret()}, "provider": provider.description, "clientId": "c"}


def rejected(peer, rule: str, method: str, params: dict) -> RPCFault:
    with pytest.raises(RPCFault) as caught:
        peer.request(method, params)
    error = caught.value
    assert (error.code, error.kind, error.data["rule"]) == (1016, "notAllowed", rule), error
    assert f"--{rule}" in error.message
    return error


def call(url: str = "root", **params) -> dict:
    return {"account": "a", "url": url, **params}


def test_without_limits_initialize_shows_none(start):
    assert "limits" not in start().request("initialize", {})


def test_initialize_shows_the_limits(start, tmp_path):
    (tmp_path / "files").mkdir()
    options = [
        "--accounts", "a,b", "--allow", "callAPI,account", "--read-only", "--no-tokens", "--allow-call", "GET https://api.example.com/**",
        "--files", str(tmp_path / "files"), "--known-providers",
    ]
    result = start(*options).request("initialize", {})
    assert result["limits"] == {
        "accounts": ["a", "b"], "allow": ["callAPI", "account"], "readOnly": True, "noTokens": True,
        "allowCall": [["GET https://api.example.com/**"]], "files": str(tmp_path / "files"), "knownProviders": True,
    }
    assert result["capabilities"]["methods"] == [
        "initialize", "initialized", "shutdown", "exit", "$/cancelRequest", "notifications/cancelled", "rpc.discover", "callAPI", "account",
    ]


@pytest.mark.parametrize(
    "options, problem",
    [
        (["--allow", "callAPI,fly"], "--allow names the unknown method fly"),
        (["--allow-call", "https://a.example/"], "--allow-call must be a method and a URL"),
        (["--allow-call", "get https://a.example/"], "--allow-call must begin with methods in capitals"),
        (["--allow-call", "GET https://*.example/"], "--allow-call must have a URL with https and a whole host"),
        (["--allow-call", "GET https://a.example/?x=1"], "--allow-call must have a URL without a query"),
        (["--allow-call", "GET https://a.example/x/../y"], "--allow-call must have a path without . and .."),
        (["--allow-call", "GET https://a.example/x;v=1/y"], "without ; and %25, %2E and %5C"),
        (["--files", "/no/such/folder"], "--files is not a folder"),
        (["--profile", "agent"], "has no set of limits named agent"),
        (["--audit", "/no/such/folder/file"], "the audit file /no/such/folder/file cannot be written"),
        (["--read-only=yes"], "--read-only takes no value"),
    ],
)
def test_a_limit_that_cannot_be_understood_stops_the_start(start, options, problem):
    peer = start(*options)
    assert peer.wait() == 2
    assert problem in peer.stderr.decode()


def test_only_some_accounts(signed_in, provider):
    peer = signed_in("--accounts", "a")
    assert peer.request("callAPI", call())["status"] == 200
    assert [entry["account"] for entry in peer.request("accounts", {})["accounts"]] == ["a"]
    for method in ["account", "accessToken", "refresh", "revoke", "signOut", "userInfo", "introspect", "authorize"]:
        rejected(peer, "accounts", method, {"account": "b"})
    rejected(peer, "accounts", "callAPI", {**call(), "account": "b"})
    rejected(peer, "accounts", "importGrant", grant(provider, "c"))
    # Without a name, the provider would name the account.
    rejected(peer, "accounts", "authorize", {"provider": provider.description, "clientId": "c"})


def test_only_some_methods(signed_in):
    peer = signed_in("--allow", "callAPI")
    assert peer.request("callAPI", call())["status"] == 200
    for method, params in [("accounts", {}), ("accessToken", {"account": "a"}), ("revoke", {"account": "a"}), ("accessToken", {})]:
        rejected(peer, "allow", method, params)
    assert peer.request("rpc.discover", {})["openrpc"]
    assert peer.request("shutdown", None) is None


def test_a_rejected_notification_does_nothing(signed_in, provider):
    peer = signed_in("--read-only")
    peer.send_text(json.dumps({"jsonrpc": "2.0", "method": "signOut", "params": {"account": "a"}}))
    assert peer.event("errorOccuredWithShortDescription")["kind"] == "notAllowed"
    assert peer.request("callAPI", call())["status"] == 200


def test_read_only(signed_in, provider):
    peer = signed_in("--read-only")
    before = len(provider.requests)
    for method, params in [
        ("revoke", {"account": "a"}), ("signOut", {"account": "a"}), ("importGrant", grant(provider, "c")),
        ("addScopes", {"account": "a", "scopes": ["write"]}), ("handleRedirect", {"url": "http://127.0.0.1:1/?code=x"}),
        ("authorize", provider.parameters(account="new")), ("authorize", provider.parameters(account="a", interaction="always")),
        ("callAPI", call(method="POST")), ("callAPI", call(method="delete")), ("callAPI", call(method="get")), ("callAPI", call(method="OPTIONS")),
        ("callAPI", call(headers={"X-HTTP-Method-Override": "DELETE"})), ("callAPI", call(method="PUT", body={"text": "x"})),
    ]:
        rejected(peer, "read-only", method, params)
    assert len(provider.requests) == before
    # Only a refresh may reveal that the grant has the scope.
    rejected(peer, "read-only", "authorize", provider.parameters(account="a", scopes=["more"]))
    # Using what is there works: also a refresh, which changes tokens but no login.
    assert peer.request("callAPI", call())["status"] == 200
    assert peer.request("authorize", {"account": "a"})["via"] == "stored"
    assert peer.request("refresh", {"account": "a", "force": True})["via"] == "refreshed"
    assert peer.request("accessToken", {"account": "a"})["accessToken"]


def test_a_read_only_diagnosis_gets_no_token(start, provider, home):
    folder = home / "config" / "oauth-stdio"
    folder.mkdir(parents=True)
    account = {"provider": provider.description, "clientId": "c", "clientSecret": {"env": "SECRET"}, "flow": "clientCredentials"}
    (folder / "config.json").write_text(json.dumps({"accounts": {"robot": account}}))
    for options, requests in [([], 1), (["--read-only"], 1)]:
        findings = start(*options, environment={"SECRET": provider.secret()}).request("diagnose", {"account": "robot"})["findings"]
        (found,) = [finding for finding in findings if finding["check"] == "client"]
        assert found["state"] == ("warning" if options else "ok") and len(provider.requests) == requests


def test_no_tokens(signed_in):
    peer = signed_in("--no-tokens", "--allow-export")
    for method, params in [("accessToken", {"account": "a"}), ("authorizeRequest", call()), ("exportGrant", {"account": "a"})]:
        rejected(peer, "no-tokens", method, params)
    assert peer.request("callAPI", call())["status"] == 200


def test_only_some_calls(signed_in, provider):
    base = provider.url
    peer = signed_in("--allow-call", f"GET {base}/api/repos/*", "--allow-call", f"GET,POST {base}/api/issues/**")
    for params in [call("repos/x"), call("repos/x?q=1"), call("issues/1/comments", method="POST"), call("issues/")]:
        assert peer.request("callAPI", params)["status"] == 200
    before = len(provider.requests)
    for params in [
        call("repos/x/y"), call("repos"), call("reposx"), call("repos/x", method="POST"), call("user"), call("repos/x%2Fy"),
        call("repos/%2e%2e/user"), call("issues/%2e%2e/user"), call("issues/..%2f..%2fuser"), call("issues/%252e%252e/user"), call("issues/..;/user"),
        call("issues/..%5cuser"), call("Repos/x"), call("issues/1", method="DELETE"), call("issues/1", headers={"x-method-override": "DELETE"}),
        call(f"{base.replace('127.0.0.1', 'localhost')}/api/repos/x"),
    ]:
        with pytest.raises(RPCFault) as caught:
            peer.request("callAPI", params)
        assert caught.value.kind in ("notAllowed", "hostNotAllowed"), params
    assert len(provider.requests) == before
    rejected(peer, "allow-call", "authorizeRequest", call("user"))


def test_a_redirect_is_a_call_of_its_own(signed_in, provider):
    provider.instead["/api/repos/moved"] = lambda request: Response(302, headers={"Location": "/api/user"})
    peer = signed_in("--allow-call", f"GET {provider.url}/api/repos/*")
    rejected(peer, "allow-call", "callAPI", call("repos/moved"))
    assert "/api/user" not in [request.path for request in provider.requests]


def test_files_of_one_folder(signed_in, provider, tmp_path):
    folder = tmp_path / "allowed"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (folder / "body").write_text("sent")
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "out").symlink_to(tmp_path)
    (folder / "inner").symlink_to(folder / "sub")
    os.link(tmp_path / "secret", folder / "hard")
    peer = signed_in("--files", str(folder))
    for path in [folder / "body", "body", "./body"]:
        assert peer.request("callAPI", call(method="POST", body={"file": str(path)}))["status"] == 200
        assert provider.requests[-1].body == b"sent"
    parts = [{"name": "f", "file": "body"}]
    assert peer.request("callAPI", call(method="POST", body={"multipart": parts}))["status"] == 200
    assert b'filename="body"' in provider.requests[-1].body and b"sent" in provider.requests[-1].body
    for path in [folder / "saved", "sub/saved", f"{folder}//sub/./saved2"]:
        peer.request("callAPI", call(saveTo=str(path)))
    assert (folder / "saved").exists() and (folder / "sub" / "saved").exists() and (folder / "sub" / "saved2").exists()
    before, names = len(provider.requests), sorted(file.name for file in tmp_path.iterdir())
    for path in [
        tmp_path / "secret", "../secret", f"{folder}/../secret", "link", "out/secret", "hard", "inner/x", "/etc/passwd", f"{folder}-other/x", str(folder), "sub/..",
    ]:
        rejected(peer, "files", "callAPI", call(method="POST", body={"file": str(path)}))
        rejected(peer, "files", "callAPI", call(method="POST", body={"multipart": [{"name": "f", "file": str(path)}]}))
    for path in [tmp_path / "new", "../new", "link", "out/new", "inner/new"]:
        rejected(peer, "files", "callAPI", call(saveTo=str(path), overwrite=True))
    assert len(provider.requests) == before
    assert sorted(file.name for file in tmp_path.iterdir()) == names and (tmp_path / "secret").read_text() == "secret"


@pytest.mark.parametrize(
    "options",
    [["--accounts", "a"], ["--allow", "callAPI"], ["--allow-call", "* URL/**"], ["--read-only"], ["--no-tokens"], ["--known-providers"], ["--profile", "agent"]],
)
def test_with_any_limit_files_need_a_folder(signed_in, provider, home, tmp_path, options):
    """A client with limits is not trusted with the user's files."""
    (home / "config" / "oauth-stdio").mkdir(parents=True)
    (home / "config" / "oauth-stdio" / "config.json").write_text(json.dumps({"profiles": {"agent": {}}}))
    (tmp_path / "body").write_text("mine")
    peer = signed_in(*(option.replace("URL", provider.url) for option in options))
    before = len(provider.requests)
    for params in [{"saveTo": str(tmp_path / "new")}, {"body": {"file": str(tmp_path / "body")}}, {"body": {"multipart": [{"name": "f", "file": str(tmp_path / "body")}]}}]:
        assert "--files DIR" in rejected(peer, "files", "callAPI", call(**params)).message
    assert len(provider.requests) == before and not (tmp_path / "new").exists()


def test_without_limits_files_are_the_clients(signed_in, provider, tmp_path):
    (tmp_path / "body").write_text("mine")
    peer = signed_in()
    peer.request("callAPI", call(method="POST", body={"file": str(tmp_path / "body")}, saveTo=str(tmp_path / "new")))
    assert provider.requests[-1].body == b"mine" and (tmp_path / "new").exists()


def test_the_words_of_a_command_are_the_users(signed_in, home, tmp_path):
    signed_in().finish()
    (tmp_path / "files").mkdir()
    words = [BINARY, "--store", str(home / "store"), "--read-only", "--files", str(tmp_path / "files"), "call", "a", "root", "-o", "saved"]
    subprocess.run(words, check=True, timeout=60, env=Peer.environment(signed_in(), None), cwd=tmp_path)
    assert (tmp_path / "saved").exists()


def test_a_folder_for_files_holds_nothing_of_the_process(start, home, tmp_path):
    """It neither contains the folder of one of the process's files nor lies in it, under whatever name."""
    for folder in ["store/sub", "config/oauth-stdio/providers", "config/oauth-stdio/secrets", "audits", "keys", "dotfiles", "free/x", "elsewhere"]:
        (home / folder).mkdir(parents=True)
    (home / "keys" / "key").write_bytes(bytes(32))
    (home / "store" / "key").symlink_to(home / "keys" / "key")
    (home / "dotfiles" / "mine.json").write_text("{}")
    (home / "config" / "oauth-stdio" / "providers" / "mine.json").symlink_to(home / "dotfiles" / "mine.json")
    accounts = {"x": {"clientSecret": {"file": str(home / "elsewhere" / "secret")}}}
    (home / "config" / "oauth-stdio" / "config.json").write_text(json.dumps({"accounts": accounts}))
    (home / "link").symlink_to(home / "store")
    for files, own, what in [
        ("store", "store", "the store"), ("store/sub", "store", "the store"), ("link", "store", "the store"), (".", "store", "the store"),
        ("keys", "keys", "the store's key"), ("config/oauth-stdio", "config/oauth-stdio", "the configuration"), ("config", "config/oauth-stdio", "the configuration"),
        ("elsewhere", "elsewhere", "a secret of the configuration"), ("dotfiles", "dotfiles", "a provider file"), ("audits", "audits", "the audit file"),
    ]:
        peer = start("--audit", str(home / "audits" / "file"), "--files", str(home / files))
        assert peer.wait() == 2
        text = peer.stderr.decode()
        assert f"the folder for files {home / files} " in text and f"{home / own}, the folder of {what}" in text, (files, text)
    start("--audit", str(home / "audits" / "file"), "--files", str(home / "free" / "x")).request("initialize", {})
    # The store of this process does not exist yet.
    peer = start("--store", str(home / "free" / "x" / "new" / "store"), "--files", str(home / "free" / "x"))
    assert peer.wait() == 2 and "the folder of the store" in peer.stderr.decode()
    start("--store", str(home / "free" / "store"), "--files", str(home / "free" / "x")).request("initialize", {})


@pytest.mark.parametrize("what", ["a command of the configuration", "a command of the configuration: browser", "the key's command", "the browser"])
def test_a_folder_for_files_holds_nothing_that_the_process_runs(start, home, tmp_path, what):
    """A client could replace the script, and the process would run it as the user."""
    script = tmp_path / "work" / "script"
    script.parent.mkdir()
    script.write_text("echo x")
    (home / "config" / "oauth-stdio").mkdir(parents=True)
    what, _, member = what.partition(": ")
    words = ["/bin/sh", str(script)]
    command = ({"browser": words} if member else {"clientSecret": {"command": words}}) if "configuration" in what else {}
    (home / "config" / "oauth-stdio" / "config.json").write_text(json.dumps({"accounts": {"x": command}}))
    key = ["--key", f"command:cat '{script}'"] if "key" in what else []
    browser = {"BROWSER": f"sh {script} %s:firefox"} if "browser" in what else {}
    peer = start(*key, "--files", str(tmp_path / "work"), environment=browser)
    assert peer.wait() == 2 and f"the folder of {what}" in peer.stderr.decode(), peer.stderr
    (tmp_path / "other").mkdir()
    start(*key, "--files", str(tmp_path / "other"), environment=browser).request("initialize", {})


def test_a_folder_that_becomes_a_link_during_the_call_leads_nowhere(signed_in, provider, tmp_path):
    folder = tmp_path / "allowed"
    (folder / "sub").mkdir(parents=True)
    outside = tmp_path / "outside"
    outside.mkdir()

    def exchange(request):
        (folder / "sub").rename(folder / "old")
        (folder / "sub").symlink_to(outside)

    provider.instead["/api/root"] = exchange
    peer = signed_in("--files", str(folder))
    try:
        peer.request("callAPI", call(saveTo="sub/saved"))
    except RPCFault:
        pass
    assert list(outside.iterdir()) == []


def test_known_providers(signed_in, provider, start, home):
    providers = home / "config" / "oauth-stdio" / "providers"
    providers.mkdir(parents=True)
    (providers / "mine.json").write_text(json.dumps(provider.description))
    peer = signed_in("--known-providers")
    before = len(provider.requests)
    inline = provider.parameters(account="n")
    for method, params in [
        ("authorize", inline), ("authorize", {**inline, "provider": provider.url}), ("provider", {"provider": provider.url}),
        ("provider", {"provider": provider.description}), ("provider", {"provider": "keycloak", "variables": {"host": "evil.example", "realm": "x"}}),
        ("authorize", {"account": "n", "provider": "keycloak", "variables": {"host": "evil.example", "realm": "x"}, "clientId": "c"}),
        ("importGrant", grant(provider, "n")),
    ]:
        rejected(peer, "known-providers", method, params)
    assert len(provider.requests) == before
    waiting = peer.send("authorize", {**inline, "provider": "mine"})
    provider.approve(peer.event("signInWasRequested", request=waiting)["url"])
    assert peer.result(waiting)["status"] == "authorized"
    assert peer.request("callAPI", call())["status"] == 200


def test_a_profile_of_the_configuration(signed_in, home):
    folder = home / "config" / "oauth-stdio"
    folder.mkdir(parents=True)
    profiles = {"agent": {"accounts": ["a", "b"], "readOnly": True, "noTokens": True}, "broken": {"readOnly": "yes"}}
    (folder / "config.json").write_text(json.dumps({"profiles": profiles}))
    peer = signed_in("--profile", "agent", "--accounts", "b,c")
    assert peer.request("initialize", {})["limits"] == {"accounts": ["b"], "readOnly": True, "noTokens": True, "profile": "agent"}
    rejected(peer, "accounts", "account", {"account": "a"})
    rejected(peer, "no-tokens", "accessToken", {"account": "b"})
    # A change of the file changes nothing for a running process.
    (folder / "config.json").write_text("{}")
    rejected(peer, "read-only", "signOut", {"account": "b"})
    (folder / "config.json").write_text(json.dumps({"profiles": profiles}))
    broken = signed_in("--profile", "broken")
    assert broken.wait() == 2 and "readOnly" in broken.stderr.decode()
    # A faulty set does no harm to processes that do not name it.
    assert signed_in().request("accounts", {})["accounts"]




# What an attack on the first version of the limits found


@pytest.mark.parametrize("rule, options", [("no-tokens", []), ("allow-call", ["GET https://api.example.com/**"])])
def test_a_client_that_must_not_see_tokens_describes_no_provider(signed_in, provider, rule, options):
    """Its endpoints would get the token, and its members could name the token as the user's attribute."""
    peer = signed_in(f"--{rule}", *options)
    own = {**provider.description, "tokenMembers": ["access_token", "refresh_token"], "userInfoEndpoint": "https://evil.example/"}
    before = len(provider.requests)
    for account in ("a", "new"):
        rejected(peer, rule, "authorize", provider.parameters(account=account, provider=own, interaction="always"))
        rejected(peer, rule, "authorize", provider.parameters(account=account, provider=provider.url))
        rejected(peer, rule, "importGrant", {**grant(provider, account), "provider": own})
    rejected(peer, rule, "authorize", {"account": "a", "provider": "gitlab", "variables": {"host": "evil.example"}})
    rejected(peer, rule, "provider", {"provider": own})
    assert len(provider.requests) == before
    # What the user has set up stays usable.
    assert peer.request("authorize", {"account": "a"})["status"] == "authorized"


def test_a_secret_variable_is_in_no_description_of_the_client(start, provider, home):
    (home / "config" / "oauth-stdio").mkdir(parents=True)
    own = {**provider.description, "tokenParameters": {"api_password": "{password}"}}
    (home / "config" / "oauth-stdio" / "config.json").write_text(
        json.dumps({"accounts": {"w": {"provider": own, "clientId": "c", "variables": {"password": "topsecret-999"}}}})
    )
    peer = start()
    shown = {**own, "authorizationParameters": {"zz": "{password}"}}
    params = {"account": "w", "wait": False, "openBrowser": False, "interaction": "always"}
    with pytest.raises(RPCFault) as caught:
        peer.request("authorize", {**params, "provider": shown})
    assert "password" in caught.value.message and "topsecret-999" not in str(caught.value)
    assert "topsecret-999" not in peer.request("authorize", params)["signIn"]["url"]


def expired(start, provider) -> None:
    """Stores an account whose token has to be refreshed."""
    peer = start()
    data = {"access_token": "old", "refresh_token": provider.secret(), "expires_at": 1}
    peer.request("importGrant", {**grant(provider, "a"), "data": data})
    peer.finish()


def test_a_read_only_client_brings_no_secret(start, provider):
    expired(start, provider)
    peer = start("--read-only")
    rejected(peer, "read-only", "authorize", {"account": "a", "clientId": "c", "clientSecret": "evil"})
    assert not provider.requests
    assert peer.request("refresh", {"account": "a"})["refreshed"] is True


def test_a_secret_of_a_request_ends_no_login(start, provider):
    expired(start, provider)
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_grant"}, 400)
    peer = start()
    with pytest.raises(RPCFault) as caught:
        peer.request("authorize", {"account": "a", "clientId": "c", "clientSecret": "evil", "interaction": "never"})
    assert caught.value.kind == "signInRequired"
    provider.instead.clear()
    assert peer.request("account", {"account": "a"})["canRefresh"] is True
    assert start().request("refresh", {"account": "a"})["refreshed"] is True


def test_a_slash_with_a_combining_mark_leads_nowhere(signed_in, tmp_path):
    """Swift takes both as one character."""
    folder = tmp_path / "allowed"
    folder.mkdir()
    (tmp_path / "\u0301secret").write_text("outside")
    (folder / "link").symlink_to(tmp_path)
    peer = signed_in("--files", str(folder))
    for name in ("../\u0301written", "\u200d/../\u0301written", "link/\u0301written", "../\u200dwritten"):
        rejected(peer, "files", "callAPI", call(saveTo=name))
    for name in ("../\u0301secret", "link/\u0301secret", "./../\u0301secret"):
        rejected(peer, "files", "callAPI", call(method="POST", body={"file": name}))
    rejected(peer, "files", "callAPI", call(saveTo="/\u0301written"))
    assert sorted(path.name for path in tmp_path.iterdir() if "written" in path.name) == []


@pytest.mark.parametrize("method", ["TRACE", "Track"])
def test_no_answer_shows_the_token_to_a_client_without_tokens(signed_in, provider, method):
    peer = signed_in("--no-tokens")
    rejected(peer, "no-tokens", "callAPI", call(method=method))
    assert not provider.requests


def test_a_process_without_tokens_searches_no_answer(signed_in, provider):
    """The client asks for any part and any coding of an answer. Only errors are cleaned."""
    seen = []

    def echo(request):
        seen.append((request.headers.get("Range"), request.headers.get("Accept-Encoding")))
        return Response(400 if request.path.endswith("bad") else 200, request.headers["Authorization"].encode())

    provider.instead["/api/echo"] = provider.instead["/api/bad"] = echo
    peer = signed_in("--no-tokens")
    answer = peer.request("callAPI", call("echo", headers={"Range": "bytes=0-99", "Accept-Encoding": "identity"}))
    assert answer["body"] == provider.requests[-1].headers["Authorization"] and seen == [("bytes=0-99", "identity")]
    with pytest.raises(RPCFault) as caught:
        peer.request("callAPI", call("bad"))
    assert caught.value.data["body"] == "Bearer …"


@pytest.mark.parametrize("header", [
    "X_HTTP_Method_Override", "x-original-method", "X-Original-URL", "X_Rewrite-URL", "Method_Override", "X-Original-URI", "X.HTTP.Method.Override",
    "x-envoy-original-path", "X-Override-URL",
])
def test_no_header_replaces_the_method_or_the_path(signed_in, provider, header):
    for options in (["--read-only"], ["--allow-call", f"GET {provider.url}/**"]):
        rejected(signed_in(*options), options[0][2:], "callAPI", call(headers={header: "/secret"}))
    assert not provider.requests


def test_a_step_up_needs_the_method_that_asks_for_scopes(signed_in, provider):
    provider.instead["/api/root"] = lambda request: Response(
        403, b"{}", {"WWW-Authenticate": 'Bearer error="insufficient_scope", scope="admin"'}
    )
    peer = signed_in("--allow", "callAPI")
    with pytest.raises(RPCFault) as caught:
        peer.request("callAPI", call(stepUp=True))
    assert caught.value.kind == "insufficientScope"
    assert not any(message.get("method") == "signInWasRequested" for message in peer.events)


def test_provider_reads_no_grant_of_another_account(signed_in, home):
    peer = signed_in("--accounts", "a")
    (home / "store" / "127.0.0.1%3a9.grant").write_bytes(b"damaged")
    with pytest.raises(RPCFault):
        peer.request("provider", {"provider": "http://127.0.0.1:9", "timeout": 2})
    assert (home / "store" / "127.0.0.1%3a9.grant").exists()

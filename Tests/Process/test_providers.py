"""Params and files that complete a provider: values for the variables, and the folder of the user's own provider files."""

import json

import pytest


@pytest.mark.parametrize("method", ["provider", "authorize", "importGrant"])
@pytest.mark.parametrize(
    ("preset", "variables", "known"),
    [
        ("microsoft", {"tenat": "contoso"}, ["tenant"]), ("notion", {"host": "x"}, []), ("microsoft", {"tenant": "a/b"}, None),
        ("gitlab", {"host": "https://gitlab.example.com/"}, None), ("gitlab", {"host": ""}, None),
    ],
)
def test_an_invalid_variable(peer, method, preset, variables, known):
    parameters = {"provider": preset, "variables": variables}
    if method != "provider":
        parameters |= {"account": "a", "clientId": "c"}
    if method == "authorize":
        parameters |= {"openBrowser": False, "wait": False}
    if method == "importGrant":
        parameters |= {"format": "json", "data": {"access_token": "at"}}
    error = peer.answer(peer.send(method, parameters))["error"]
    (name,) = variables
    assert error["code"] == -32602 and error["data"]["path"] == f"/variables/{name}" and error["data"].get("known") == known, error


def test_a_value_in_the_configuration_is_the_configurations(tmp_path, start):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"accounts": {"a": {"provider": "gitlab", "clientId": "c", "variables": {"hots": "x"}}}}))
    peer = start("--config", file)
    error = peer.answer(peer.send("authorize", {"account": "a", "dryRun": True}))["error"]
    assert error["code"] == 1007 and "/variables/hots is unknown: the provider's variables are host" in error["message"], error
    # A configured account keeps its provider, so only the configuration sets its variables.
    file.write_text(json.dumps({"accounts": {"a": {"provider": "gitlab", "clientId": "c", "variables": {"host": "x.example"}}}}))
    error = peer.answer(peer.send("authorize", {"account": "a", "provider": "github", "dryRun": True}))["error"]
    assert error["code"] == -32602 and error["data"]["path"] == "/provider", error
    assert peer.request("authorize", {"account": "a", "dryRun": True})["dryRun"]["url"].startswith("https://x.example/")


def test_an_unusable_folder(tmp_path, start):
    folder = tmp_path / "oauth-stdio" / "providers"
    folder.parent.mkdir(parents=True)
    folder.write_text("x")
    peer = start(environment={"XDG_CONFIG_HOME": str(tmp_path)})
    assert peer.request("provider", {"provider": "github"})["name"] == "GitHub"
    assert "github" in peer.request("providers")["providers"]
    assert peer.answer(peer.send("provider", {"provider": "mine"}))["error"]["code"] == -32602
    peer.finish()
    assert str(folder) in peer.stderr.decode()


def test_a_chain_of_presets(tmp_path, start):
    """Each file starts from the next, and the last from nothing."""
    folder = tmp_path / "oauth-stdio" / "providers"
    folder.mkdir(parents=True)
    count = 40
    for number in range(1, count):
        (folder / f"p{number}.json").write_text(json.dumps({"preset": f"p{number + 1}"}))
    (folder / f"p{count}.json").write_text(json.dumps({"tokenEndpoint": "https://id.example/t"}))
    peer = start(environment={"XDG_CONFIG_HOME": str(tmp_path)})
    answer = peer.request("provider", {"provider": {"preset": "p1"}})
    assert answer["endpoints"] == {"tokenEndpoint": "https://id.example/t"}


def test_a_changed_file_reaches_its_accounts(tmp_path, start):
    folder = tmp_path / "oauth-stdio" / "providers"
    folder.mkdir(parents=True)
    described = {"authorizationEndpoint": "https://id.example/a", "tokenEndpoint": "https://id.example/t", "apiHosts": ["api.example"]}
    peer = start(environment={"XDG_CONFIG_HOME": str(tmp_path)})

    def goes_to(**changes) -> str:
        (folder / "mine.json").write_text(json.dumps(described | {"apiBase": "https://api.example/1/"} | changes))
        if "a" not in [account["account"] for account in peer.request("accounts")["accounts"]]:
            data = {"access_token": "at", "refresh_token": "rt"}
            peer.request("importGrant", {"account": "a", "format": "json", "data": data, "provider": "mine", "clientId": "c"})
        return peer.request("authorizeRequest", {"account": "a", "url": "x"})["url"]

    assert goes_to() == "https://api.example/1/x"
    assert goes_to(apiBase="https://api.example/2/") == "https://api.example/2/x"
    assert goes_to(apiBase="https://api.example/3/", tokenEndpoint="https://other.example/t") == "https://api.example/1/x"
    # A new token endpoint on the same host is still the same provider.
    assert goes_to(tokenEndpoint="https://id.example/t2") == "https://api.example/1/x"
    assert peer.request("authorize", {"account": "a", "provider": "mine", "clientId": "c", "interaction": "never"})["via"] == "stored"

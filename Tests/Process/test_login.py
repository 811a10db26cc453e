"""`login` on a terminal: it asks for the client that a provider wants, and saves it."""

import json
import os
import stat

import pytest

import browser
from keyrings import PASSWORD
from provider import Response
from screen import Screen
from store_keys import keyring  # noqa: F401, a fixture
from test_command_line import Shell
from test_file_owners import OTHER, needs_root
from waiting import HeldCall

ID, SECRET = "client-id-7", "s3cret-of-the-client"


@pytest.fixture
def shell(home):
    return Shell(home)


@pytest.fixture
def open_screen(shell):
    """Returns `open(*words)`, which runs a command on a terminal."""
    screens = []

    def new(*words, **environment) -> Screen:
        screen = Screen(shell.words(*words), {**shell.environment, **environment}, shell.home)
        screens.append(screen)
        return screen

    yield new
    for screen in screens:
        screen.__exit__()


def login(provider, **more) -> list[str]:
    description = {**provider.description, "registrationPage": "https://id.example/apps", "name": "Example", **more}
    return ["login", "work", "--provider", json.dumps(description), "--scopes", "read", "--openBrowser=false"]


def answer(screen: Screen, secret: str = SECRET, save: str = "") -> None:
    screen.until("Client ID: ")
    screen.type(ID + "\n")
    screen.until("(Enter if there is none): ")
    assert not screen.echoes
    screen.type(secret + "\n")
    screen.until("[Y/n] ")
    assert screen.echoes
    screen.type(save + "\n")


def sign_in(screen: Screen, provider, **given) -> None:
    answer(screen, **given)
    provider.approve(screen.line("http"))
    assert screen.ended() == 0, screen.shown


def configuration(shell) -> dict:
    return json.loads((shell.home / "config/oauth-stdio/config.json").read_text())


def uses_the_client(provider) -> bool:
    """Whether the last exchange had the client's ID and secret."""
    request = next(request for request in reversed(provider.requests) if request.path == "/token")
    form = browser.query("?" + request.body.decode())
    return form.get("client_id") == ID and form.get("client_secret") == SECRET


POST = {"clientAuthentication": "body"}


def test_the_client_is_saved_with_its_secret_in_the_keyring(shell, open_screen, provider, keyring):
    shell.environment.update(keyring.environment)
    screen = open_screen(*login(provider, **POST))
    shown = screen.until("Client ID: ")
    assert "Example needs a registered OAuth client" in shown and "\n     https://id.example/apps\n" in shown and "(callback URL):\n     http://127.0.0.1/callback\n" in shown
    screen.type(ID + "\n")
    screen.until("none): ")
    screen.type(SECRET + "\n")
    screen.until("[Y/n] ")
    screen.type("\n")
    provider.approve(screen.line("http"))
    assert screen.ended() == 0 and uses_the_client(provider)
    assert screen.shown.endswith("config.json, and its secret in the keyring\n") and SECRET not in screen.shown
    account = configuration(shell)["accounts"]["work"]
    assert account["clientId"] == ID and account["clientSecret"] == {"keyring": f"work ({shell.home}/config/oauth-stdio/config.json)"} and account["scopes"] == ["read"]
    assert "openBrowser" not in account and not (shell.home / "config/oauth-stdio/secrets").exists()

    # The next sign-in needs no answers.
    shell.run("logout", "work")
    screen = open_screen("login", "work", "--openBrowser=false")
    provider.approve(screen.line("http"))
    assert screen.ended() == 0 and uses_the_client(provider) and "Client" not in screen.shown


def test_without_a_keyring_the_secret_is_in_a_file_of_the_user(shell, open_screen, provider):
    screen = open_screen(*login(provider, **POST))
    sign_in(screen, provider)
    file = shell.home / "config/oauth-stdio/secrets/work"
    assert configuration(shell)["accounts"]["work"]["clientSecret"] == {"file": str(file)} and SECRET not in json.dumps(configuration(shell))
    assert file.read_text() == SECRET + "\n" and stat.S_IMODE(file.stat().st_mode) == 0o600 and SECRET not in screen.shown
    assert stat.S_IMODE((shell.home / "config/oauth-stdio/config.json").stat().st_mode) == 0o600
    shell.run("logout", "work")
    screen = open_screen("login", "work", "--openBrowser=false")
    provider.approve(screen.line("http"))
    assert screen.ended() == 0 and uses_the_client(provider)


def test_no_token_of_the_words_is_saved(shell, open_screen, provider):
    screen = open_screen(*login(provider), "--flow", "clientCredentials", "--clientAssertion", "an.assertion.once")
    answer(screen)
    assert screen.ended() == 0, screen.shown
    account = configuration(shell)["accounts"]["work"]
    assert account["clientId"] == ID and "once" not in json.dumps(account)


def test_an_error_begins_on_a_line_of_its_own(shell, open_screen, provider):
    token = json.dumps({"access_token": "t0ken", "token_type": "bearer"})
    shell.result("importGrant", "a", "json", token, "--provider", json.dumps(provider.description), "--clientId", "c")
    provider.instead["/api/x"] = lambda request: Response(404, b"gone")
    screen = open_screen("call", "a", "x")
    assert screen.ended() == 1 and screen.shown.startswith("gone\noauth-stdio: the service answered with status 404"), screen.shown


CONTROLS = "a\x1b]0;title\x07b\x9b2Jc\x7fd\te\n".encode()


@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize("words", [["call", "a", "x"], ["callAPI", "a", "x"], ["--events", "json", "callAPI", "a", "x"], []])
def test_a_service_does_not_control_the_terminal(shell, open_screen, provider, status, words):
    token = json.dumps({"access_token": "t0ken", "token_type": "bearer"})
    shell.result("importGrant", "a", "json", token, "--provider", json.dumps(provider.description), "--clientId", "c")
    # A terminal that does not use UTF-8 knows this control character as one byte.
    body = CONTROLS + (b"\x9b2J\n" if words[:1] == ["call"] else b"")
    provider.instead["/api/x"] = lambda request: Response(status, body, {"Content-Type": "text/plain"})
    screen = open_screen(*words)
    if not words:
        screen.until("--help")
        screen.type('{"jsonrpc":"2.0","id":1,"method":"callAPI","params":{"account":"a","url":"x"}}\n')
        screen.until('"kind":"serviceError"' if status == 404 else '"result"')
        screen.type("\x04")
    assert screen.ended() == (0 if status == 200 or not words else 1)
    shown = screen.shown
    assert "d\te\n" in shown or "d\\te" in shown or status == 404 and words == ["callAPI", "a", "x"], shown
    assert not [character for character in shown if ord(character) < 32 and character not in "\n\t\r" or 127 <= ord(character) < 160], shown


def test_a_failed_sign_in_saves_no_client(shell, open_screen, provider):
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_client"}, 401)
    screen = open_screen(*login(provider))
    answer(screen)
    provider.approve(screen.line("http"))
    assert screen.ended() == 1
    assert "the client is not saved, because the sign-in failed" in screen.shown and "invalid_client" in screen.shown
    assert not (shell.home / "config/oauth-stdio").exists()


@pytest.mark.parametrize("is_linked", [False, True])
def test_a_saved_secret_is_for_its_user_alone(shell, open_screen, provider, is_linked):
    file = shell.home / "config/oauth-stdio/secrets/work"
    file.parent.mkdir(parents=True)
    old = shell.home / "notes" if is_linked else file
    old.write_text("old")
    old.chmod(0o644)
    if is_linked:
        file.symlink_to(old)
    sign_in(open_screen(*login(provider)), provider)
    assert file.read_text() == SECRET + "\n" and stat.S_IMODE(file.lstat().st_mode) == 0o600
    assert not is_linked or old.read_text() == "old"


@needs_root
def test_no_secret_is_saved_in_a_folder_of_another_user(shell, open_screen, provider):
    folder = shell.home / "config/oauth-stdio/secrets"
    folder.mkdir(parents=True)
    os.chown(folder, OTHER, OTHER)
    screen = open_screen(*login(provider))
    sign_in(screen, provider)
    assert "the client could not be saved" in screen.shown and f"belongs to the user {OTHER}" in screen.shown and os.listdir(folder) == []


@needs_root
def test_what_root_saves_is_given_to_a_trusted_user(shell, open_screen, provider):
    """The folder of the configuration is the user's. What is made in it belongs to that user, and so does the secret."""
    folder = shell.home / "config"
    folder.mkdir(parents=True)
    os.chown(folder, OTHER, OTHER)
    shell.home.chmod(0o755)
    sign_in(open_screen("--trust-owner", str(OTHER), *login(provider)), provider)
    made = {path.relative_to(folder).as_posix(): path.stat() for path in folder.rglob("*")}
    assert set(made) == {"oauth-stdio", "oauth-stdio/config.json", "oauth-stdio/secrets", "oauth-stdio/secrets/work"}
    assert {(status.st_uid, status.st_gid, status.st_mode & 0o077) for status in made.values()} == {(OTHER, OTHER, 0)}


@needs_root
def test_root_follows_no_link_of_a_configuration(shell, open_screen, provider):
    """The user could lead root to any file with it."""
    link = shell.home / "config/oauth-stdio/config.json"
    link.parent.mkdir(parents=True)
    (shell.home / "other.json").write_text("{}")
    link.symlink_to(shell.home / "other.json")
    os.chown(link.parent, OTHER, OTHER)
    screen = open_screen("--trust-owner", str(OTHER), *login(provider))
    sign_in(screen, provider, secret="")
    assert "behind a link that root did not make" in screen.shown and (shell.home / "other.json").read_text() == "{}"


@needs_root
def test_no_link_is_put_in_the_way_of_root(shell, open_screen, provider, tmp_path):
    """Root waits for another command's lock. Meanwhile, the user exchanges the file for a link to one that only root can read."""
    file, lock = (shell.home / "config/oauth-stdio" / name for name in ("config.json", ".config.json.lock"))
    file.parent.mkdir(parents=True)
    for path, text in ((file, "{}"), (lock, ""), (shell.home / "of-root.json", '{"of": "root"}')):
        path.write_text(text)
        path.chmod(0o600)
        os.chown(path, OTHER if path.parent == file.parent else 0, -1)
    os.chown(file.parent, OTHER, OTHER)
    held = HeldCall("clock_nanosleep", tmp_path / "held")
    words = shell.words("--trust-owner", str(OTHER), *login(provider))
    with Screen([*held.command, *words[1:]], shell.environment, shell.home) as screen:
        answer(screen, secret="")
        provider.approve(screen.line("http"))
        held.wait()
        file.unlink()
        file.symlink_to(shell.home / "of-root.json")
        lock.unlink()
        held.release(screen.process)
        assert screen.ended() == 0, screen.shown
    assert "the client could not be saved" in screen.shown and file.is_symlink()


@needs_root
def test_the_owner_of_the_configuration_stays(shell, open_screen, provider):
    """As root, with the home of a user."""
    file = shell.home / "config/oauth-stdio/config.json"
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    file.chmod(0o640)
    os.chown(file, OTHER, OTHER)
    words = login(provider)
    sign_in(open_screen("--trust-owner", str(OTHER), *words), provider, secret="")
    status = file.stat()
    assert configuration(shell)["accounts"]["work"]["clientId"] == ID
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (OTHER, OTHER, 0o640)


def test_a_name_that_is_too_long_for_the_keyring(shell, open_screen, provider, keyring):
    shell.environment.update(keyring.environment, XDG_CONFIG_HOME=str(shell.home / ("d" * 200) / ("d" * 200)))
    words = login(provider)
    words[1] = "w" * 150
    screen = open_screen(*words)
    sign_in(screen, provider)
    file = shell.home / ("d" * 200) / ("d" * 200) / "oauth-stdio/config.json"
    assert "file" in json.loads(file.read_text())["accounts"]["w" * 150]["clientSecret"]
    screen = open_screen("login", "w" * 150, "--openBrowser=false", "--interaction=always")
    provider.approve(screen.line("http"))
    assert screen.ended() == 0, screen.shown


def test_a_client_that_the_user_does_not_save(shell, open_screen, provider):
    sign_in(open_screen(*login(provider)), provider, save="n")
    assert not (shell.home / "config").exists()


def test_a_sign_in_that_fails_saves_nothing(shell, open_screen, provider):
    provider.instead["/token"] = lambda request: Response.of({"error": "invalid_client"}, 401)
    screen = open_screen(*login(provider))
    answer(screen)
    provider.approve(screen.line("http"))
    assert screen.ended() == 1 and not (shell.home / "config").exists()


def test_a_public_client(shell, open_screen, provider):
    sign_in(open_screen(*login(provider)), provider, secret="")
    assert "clientSecret" not in configuration(shell)["accounts"]["work"]


@pytest.mark.parametrize("name", ["dotfiles.json", "\u0301.json"])
def test_the_other_content_of_the_configuration_stays(shell, open_screen, provider, name):
    """The file is a link into a folder of settings, and the account exists without a client. An accent at the start of the file's name belongs to the
    slash before it for those who compare characters."""
    real = shell.home / name
    description = {**provider.description, "name": "Example"}
    before = {"$schema": "x", "accounts": {"b": {"provider": "github"}, "work": {"provider": description, "timeout": 60}}, "profiles": {"p": {"readOnly": True}}}
    real.write_text(json.dumps(before))
    link = shell.home / "config/oauth-stdio/config.json"
    link.parent.mkdir(parents=True)
    link.symlink_to(real)
    sign_in(open_screen("login", "work", "--openBrowser=false"), provider, secret="")
    before["accounts"]["work"]["clientId"] = ID
    assert json.loads(real.read_text()) == before and link.is_symlink()
    assert list(json.loads(real.read_text())["accounts"]) == ["b", "work"]


def test_a_configuration_that_another_command_changes(shell, open_screen, provider):
    lock = shell.home / "config/oauth-stdio/.config.json.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    screen = open_screen(*login(provider))
    sign_in(screen, provider, secret="")
    assert "the client could not be saved" in screen.shown and f"delete {lock}" in screen.shown
    assert os.listdir(lock.parent) == [lock.name]


def test_a_provider_that_compares_the_port(shell, open_screen, provider):
    screen = open_screen(*login(provider, redirectPolicy="pinnedPort"))
    assert "(callback URL):\n     http://127.0.0.1:8765/callback\n" in screen.until("3. ")
    sign_in(screen, provider, secret="")
    assert configuration(shell)["accounts"]["work"]["redirectUri"] == "http://127.0.0.1:8765/callback"


def test_a_signal_at_the_hidden_question_leaves_the_terminal_as_it_was(open_screen, provider):
    screen = open_screen(*login(provider))
    screen.until("Client ID: ")
    screen.type(ID + "\n")
    screen.until("none): ")
    assert not screen.echoes
    screen.type("\x03")
    assert screen.ended() == 130 and screen.echoes


def test_the_user_gives_no_client(open_screen, provider):
    screen = open_screen(*login(provider))
    screen.until("Client ID: ")
    screen.type("\n")
    assert screen.ended() == 2 and "Example needs a client: register one at https://id.example/apps" in screen.shown


def test_all_missing_variables_are_asked_for_in_one_run(open_screen):
    screen = open_screen("login", "keycloak", "--clientId", "c", "--dryRun")
    assert "The provider's URL https://{host}/realms/{realm}/protocol/openid-connect/auth needs host and realm.\n" in screen.until("host: ")
    screen.type("id.example\n")
    screen.until("realm: ")
    screen.type("staff\n")
    assert screen.ended() == 0 and "https://id.example/realms/staff/protocol/openid-connect/auth?" in screen.shown


def test_the_variables_are_saved_with_the_client(shell, open_screen, provider):
    """One is given, and two are asked for."""
    place = provider.url.replace("127.0.0.1", "{host}")
    described = {"authorizationEndpoint": place + "/{page}", "tokenEndpoint": place + "/{tokens}", "apiBase": place + "/api/", "name": "Example"}
    screen = open_screen(
        "login", "work", "--provider", json.dumps(described), "--variables", '{"page":"authorize"}', "--scopes", "read", "--openBrowser=false")
    assert "The provider needs host and tokens.\n" in screen.until("host: ")
    screen.type("127.0.0.1\n")
    screen.until("tokens: ")
    screen.type("token\n")
    sign_in(screen, provider, secret="")
    assert configuration(shell)["accounts"]["work"]["variables"] == {"page": "authorize", "host": "127.0.0.1", "tokens": "token"}


@pytest.mark.parametrize(("typed", "said"), [("\n", "Add --variables"), ("\x1b[A\n", "the host contains control characters"), ("a//b\n", "must be a host")])
def test_a_variable_that_the_user_does_not_give(open_screen, typed, said):
    screen = open_screen("login", "keycloak", "--variables", '{"realm":"staff"}', "--clientId", "c", "--dryRun")
    screen.until("host: ")
    screen.type(typed)
    assert screen.ended() == 2 and said in screen.shown


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"file": "/nonexistent/secret"}, "/clientSecret, names the file /nonexistent/secret, which does not exist"),
        ({"file": "/dev/null"}, "names the file /dev/null, which cannot be read: not a regular file"),
        ({"file": "secret"}, "/clientSecret/file, must be an absolute path"),
        ({"keyring": ""}, "/clientSecret/keyring, must have from 1 to 500 bytes"),
        ({"keyring": "other"}, "names the secret other, which the keyring does not have"),
        ({"keyboard": "x"}, "/clientSecret, must be a string"),
    ],
)
def test_a_source_without_a_secret(shell, provider, keyring, source, said):
    shell.environment.update(keyring.environment)
    file = shell.home / "config.json"
    file.write_text(json.dumps({"accounts": {"work": {"provider": provider.description, "clientId": ID, "clientSecret": source}}}))
    assert said in shell.message("--config", file, "login", "work", "--openBrowser=false", status=2)


def test_a_locked_keyring(shell, provider, keyring):
    shell.environment.update(keyring.environment)
    keyring.start(None)
    file = shell.home / "config.json"
    file.write_text(json.dumps({"accounts": {"work": {"provider": provider.description, "clientId": ID, "clientSecret": {"keyring": "work"}}}}))
    assert "the keyring is locked: unlock it" in shell.message("--config", file, "login", "work", "--openBrowser=false", status=1)
    keyring.start(PASSWORD)


def test_a_device_code(open_screen, provider):
    provider.instead["/device"] = lambda request: Response.of({
        "device_code": provider.secret(), "user_code": "WDJB-MJHT", "verification_uri": provider.url + "/type", "expires_in": 60, "interval": 1})
    description = {**provider.description, "deviceAuthorizationEndpoint": provider.url + "/device"}
    screen = open_screen("login", "work", "--provider", json.dumps(description), "--clientId", "c", "--flow", "device")
    assert "type the code WDJB-MJHT on this page:\n" in screen.until(f"\n{provider.url}/type\n")
    assert screen.ended() == 0

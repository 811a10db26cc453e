"""The TypeScript client against the program and the demo provider, and against the compiler."""

import json
import re
import subprocess

import pytest

import typescript
from example_user import Home
from rpc import PATIENCE

pytestmark = pytest.mark.ci


@pytest.fixture(scope="module", autouse=True)
def compiled():
    return typescript.compile_client()


@pytest.fixture
def user(tmp_path, demo) -> Home:
    home = Home(tmp_path / "user")
    home.configure(provider=demo.provider)
    return home


# What each script has: a client, and helpers for events.
HEAD = """\
import assert from "node:assert/strict";
import * as oauth from "%s";

const options = { program: process.env.OAUTH_STDIO, args: ["--config", process.env.OAUTH_CONFIG] };
const client = new oauth.Client(options);
const event = (name) => new Promise((resolve) => { const remove = client.on(name, (params) => { remove(); resolve(params); }); });
const visitPages = () => client.on("signInWasRequested", ({ url }) => console.error(`sign in here: ${url}`));
"""


@pytest.fixture
def script(user, tmp_path, compiled):
    """Returns a function that runs a script with a client and returns what it prints. The script's assertions are the test's."""

    def run(text: str, **environment) -> str:
        file = tmp_path / "script.mjs"
        file.write_text(HEAD % (compiled / "index.js").as_uri() + text)
        status, said, told = user.run("node", str(file), **environment)
        assert status == 0, told
        return said

    return run


# Requests, events and errors


def test_a_sign_in_and_a_call(script):
    script(
        """
        visitPages();
        const heard = [];
        client.on("authorizationWasSuccessful", ({ via }) => heard.push(via));
        client.on("responseFromServiceWasReceived", ({ status }) => heard.push(status));
        const signedIn = await client.authorize({ account: "demo", scopes: ["read"] });
        assert.deepEqual([signedIn.via, signedIn.grantedScopes], ["signedIn", ["read"]]);
        const answer = await client.callAPI({ account: "demo", url: "me", query: { q: ["a", "b"] }, as: "json" });
        assert.deepEqual([answer.status, answer.json.user], [200, "demo"]);
        assert.equal((await client.accounts()).accounts[0].canAuthorize, true);
        await client.close();
        assert.deepEqual(heard, ["signedIn", 200]);
        """
    )


def test_errors_are_classes_by_kind(script):
    script(
        """
        const signIn = client.authorize({ account: "demo", interaction: "never" });
        await assert.rejects(signIn, (error) => {
          assert.ok(error instanceof oauth.SignInRequired && error instanceof oauth.OAuthError);
          assert.deepEqual([error.name, error.code, error.kind, error.retryable], ["SignInRequired", 1000, "signInRequired", false]);
          return error.data.account === "demo";
        });
        visitPages();
        await client.authorize({ account: "demo" });
        await assert.rejects(client.callAPI({ account: "demo", url: "status/404" }), (error) =>
          error instanceof oauth.ServiceError && error.data.httpStatus === 404 && error.message === "the service answered with status 404");
        await assert.rejects(client.account({ account: "" }), (error) =>
          error instanceof oauth.InvalidParams && error.data.path === "/account");
        await assert.rejects(client.request("nothing", {}, {}), oauth.MethodNotFound);
        await client.close();
        """
    )


def test_a_quick_request_overtakes_a_slow_one_and_one_process_serves_both(script):
    script(
        """
        visitPages();
        await client.authorize({ account: "demo" });
        const pid = client.processId;
        const done = [];
        const get = (url) => client.callAPI({ account: "demo", url }).then(() => done.push(url));
        await Promise.all([get("slow?seconds=1"), get("me")]);
        assert.deepEqual([done, client.processId], [["me", "slow?seconds=1"], pid]);
        await client.close();
        """
    )


def test_a_long_line_and_a_line_separator_in_it(script):
    script(
        """
        assert.ok(JSON.stringify(await client.rpcDiscover()).length > 1 << 17);
        visitPages();
        await client.authorize({ account: "demo" });
        const answer = await client.callAPI({ account: "demo", url: "me", query: { q: "\\u2028é" }, as: "json" });
        assert.equal(answer.json.query.q, "\\u2028é");
        await client.close();
        """
    )


def test_a_callback_that_fails_or_is_removed(script):
    said = script(
        """
        process.on("uncaughtException", (error) => console.log(error.message));
        const heard = [];
        client.on("signInWasRequested", () => { throw new Error("the callback failed"); });
        const remove = client.on("signInWasRequested", ({ account }) => heard.push(account));
        await client.authorize({ account: "demo", wait: false });
        remove();
        await client.authorize({ account: "demo", wait: false });
        await client.close();
        assert.deepEqual(heard, ["demo"]);
        """
    )
    assert said == "the callback failed\n" * 2


# Cancellation


def test_aborting_the_signal_cancels_the_request(script):
    script(
        """
        const controller = new AbortController();
        const requested = event("signInWasRequested");
        const abandoned = event("signInWasAbandoned");
        const request = client.authorize({ account: "demo" }, { signal: controller.signal });
        const { signIn } = await requested;
        const pid = client.processId;
        controller.abort();
        await assert.rejects(request, { name: "AbortError" });
        const { reason, ...ended } = await abandoned;
        assert.deepEqual([ended.signIn, reason], [signIn, "cancelled"]);
        assert.equal((await client.account({ account: "demo" })).signIn, undefined);
        await assert.rejects(client.authorize({ account: "demo" }, { signal: controller.signal }), { name: "AbortError" });
        const outOfTime = event("signInWasAbandoned");
        // As AbortSignal.timeout does, once the page is open.
        const late = new AbortController();
        event("signInWasRequested").then(() => late.abort(new DOMException("late", "TimeoutError")));
        await assert.rejects(client.authorize({ account: "demo" }, { signal: late.signal }), { name: "TimeoutError" });
        assert.equal((await outOfTime).reason, "cancelled");
        assert.equal((await client.account({ account: "demo" })).signIn, undefined);
        assert.equal(client.processId, pid);
        await client.close();
        """
    )


# The end of the process


def test_a_killed_process_is_started_again(script):
    script(
        """
        const requested = event("signInWasRequested");
        const waiting = [client.authorize({ account: "demo" }), client.authorize({ account: "demo" })];
        await requested;
        const killed = client.processId;
        process.kill(killed, "SIGKILL");
        for (const request of await Promise.allSettled(waiting)) {
          assert.ok(request.reason instanceof oauth.ProcessEnded);
          assert.deepEqual([request.reason.message, request.reason.signal], ["the program ended with SIGKILL", "SIGKILL"]);
        }
        assert.equal(client.processId, undefined);
        visitPages();
        assert.equal((await client.authorize({ account: "demo" })).via, "signedIn");
        assert.ok(client.processId && client.processId !== killed);
        await client.close();
        """
    )


def test_initialize_holds_after_a_restart(script):
    script(
        """
        const heard = [];
        client.on("signInWasRequested", (params) => heard.push(params));
        await client.initialize({ events: ["authorizationWasSuccessful"] });
        await client.authorize({ account: "demo", wait: false });
        process.kill(client.processId, "SIGKILL");
        await client.accounts().catch((error) => assert.ok(error instanceof oauth.ProcessEnded));
        await client.authorize({ account: "demo", wait: false });
        await client.accounts();
        await client.close();
        assert.deepEqual(heard, []);
        """
    )


def test_closing_cancels_open_requests_and_ends_the_process(script):
    script(
        """
        const requested = event("signInWasRequested");
        const request = client.authorize({ account: "demo" });
        await requested;
        const pid = client.processId;
        await Promise.all([client[Symbol.asyncDispose](), assert.rejects(request, oauth.RequestCancelled)]);
        assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
        await assert.rejects(client.accounts(), { name: "ProcessEnded", message: "the client is closed" });
        await client.close();
        """
    )


def test_other_programs(script, tmp_path):
    talker = tmp_path / "talker"
    talker.write_text("#!/bin/sh\necho hello\nread -r line\nread -r line\n")
    talker.chmod(0o755)
    script(
        """
        const missing = new oauth.Client({ program: "/nonexistent/oauth-stdio" });
        await assert.rejects(missing.accounts(), { code: "ENOENT" });
        await assert.rejects(missing.accounts(), { code: "ENOENT" });
        await missing.close();
        const talker = new oauth.Client({ program: process.env.TALKER });
        await assert.rejects(talker.accounts(), /not JSON/);
        await talker.close();
        """,
        TALKER=str(talker),
    )


# Installation and types


@pytest.fixture
def project(tmp_path, compiled):
    """A user's project with the package among its modules."""
    package = tmp_path / "node_modules" / "oauth-stdio"
    package.mkdir(parents=True)
    (package / "dist").symlink_to(compiled)
    (package / "package.json").write_text((typescript.PACKAGE / "package.json").read_text())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    options = json.loads((typescript.PACKAGE / "tsconfig.json").read_text())["compilerOptions"]
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": {**options, "rootDir": "."}, "files": ["main.ts"]}))
    return tmp_path


RIGHT = """\
import { Client, ServiceError } from "oauth-stdio";
import type { AuthorizationResult, SignInWasRequested } from "oauth-stdio";

const show = (event: SignInWasRequested): void => console.log(event.url, event.userCode ?? "");

export async function use(client: Client): Promise<string | undefined> {
  client.on("signInWasRequested", show);
  await client.authorize({ provider: { preset: "keycloak", pkce: "off" }, scopes: ["read"], flow: "device" });
  await client.callAPI({ account: "a", url: "u", method: "POST", body: { form: { a: 1, b: ["c", true] } }, query: { q: "r" } });
  await client.refresh({ account: "a", force: true }, { signal: new AbortController().signal });
  try {
    const status: number = (await client.callAPI({ account: "a", url: "u" })).status;
    console.log(status);
  } catch (error) {
    if (error instanceof ServiceError) return error.data.serviceMessage;
  }
  const state: AuthorizationResult = await client.authorize();
  return state.email;
}
console.log(typeof Client);
"""
# Each line is a statement that must not pass.
WRONG = [
    'await client.authorize("github");',
    'await client.authorize({ acount: "github" });',
    "await client.authorize({ account: 1 });",
    'await client.authorize({ flow: "popup" });',
    'await client.authorize({ scopes: "read" });',
    'await client.callAPI({ account: "a" });',
    'await client.callAPI({ account: "a", url: "u", body: { xml: "<a/>" } });',
    '(await client.authorize({ account: "a" })).token;',
    'client.account({ account: "a" }).account;',
    'client.on("signInWasRequested", (event) => event.link);',
    'client.on("signInWasWanted", () => {});',
    "required.data.nothing;",
    "await client.shutdown();",
    'await client.request("accounts", {}, {});',
]


def test_a_project_uses_the_package(project):
    (project / "main.ts").write_text(RIGHT)
    assert typescript.tsc(project, project) == []
    printed = subprocess.run(["node", project / "main.js"], capture_output=True, text=True, timeout=PATIENCE)
    assert (printed.stdout, printed.stderr) == ("function\n", "")


def test_the_compiler_rejects_wrong_calls(project):
    head = [
        'import type { Client, SignInRequired } from "oauth-stdio";',
        "export async function use(client: Client, required: SignInRequired) {",
    ]
    (project / "main.ts").write_text("\n".join([*head, *WRONG, "}"]) + "\n")
    told = typescript.tsc(project, project)
    rejected = {int(number) for number in re.findall(r"^main\.ts\((\d+),\d+\): error", "\n".join(told), re.MULTILINE)}
    accepted = [line for number, line in enumerate(WRONG, len(head) + 1) if number not in rejected]
    assert not accepted, told

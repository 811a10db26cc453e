/** What the user sees during a sign-in: the choice of an account, a notification, the page, the code, and a box for the redirect. */
import * as vscode from "vscode";
import { plain } from "./errors.js";
import type { AccountState, Client, SignInWasRequested } from "../../typescript/src/index.js";

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Returns the only account, or the one that the user chooses. */
export async function chooseAccount(states: readonly AccountState[]): Promise<string> {
  const [first, second] = states;
  if (!first) throw new Error('No account is configured. Run "oauth-stdio login github" in a terminal, or add accounts to the configuration file.');
  if (!second) return first.account;
  const items = states.map(({ account, canAuthorize, email, provider }) => ({
    label: account,
    description: canAuthorize ? `signed in${email ? ` as ${email}` : ""}` : provider ?? "",
  }));
  const choice = await vscode.window.showQuickPick(items, { placeHolder: "The account to sign in" });
  if (!choice) throw new vscode.CancellationError();
  return choice.label;
}

/** Runs a request that may ask the user to sign in. Cancelling the notification aborts the request. */
export async function askUser<Result>(
  client: Client,
  account: string,
  request: (signal: AbortSignal) => Promise<Result>
): Promise<Result> {
  const options = { location: vscode.ProgressLocation.Notification, title: `Sign in: ${account}`, cancellable: true };
  return await vscode.window.withProgress(options, async (progress, cancellation) => {
    const controller = new AbortController();
    const ended = new vscode.CancellationTokenSource();
    const cancelled = cancellation.onCancellationRequested(() => controller.abort());
    const remove = client.on("signInWasRequested", (event) => {
      if (event.account !== account) return;
      const page = { client, event, progress, ended: ended.token, cancel: () => controller.abort() };
      show(page).catch((error: Error) => vscode.window.showErrorMessage(plain(`${account}: ${error.message}`)));
    });
    try {
      return await request(controller.signal);
    } catch (error) {
      throw controller.signal.aborted ? new vscode.CancellationError() : error;
    } finally {
      remove();
      cancelled.dispose();
      ended.cancel();
      ended.dispose();
    }
  });
}

interface Page {
  readonly client: Client;
  readonly event: SignInWasRequested;
  readonly progress: vscode.Progress<{ message?: string }>;
  readonly ended: vscode.CancellationToken;
  readonly cancel: () => void;
}

async function show(page: Page): Promise<void> {
  if (page.event.userCode !== undefined) return await showCode(page, plain(page.event.userCode));
  page.progress.report({ message: "Finish in the browser." });
  const isReachable = await reachesProcess(page.event.url);
  const isOpen = await open(page.event.url);
  if (!isReachable || !isOpen) await askForRedirect(page);
}

async function showCode({ event, progress, ended, cancel }: Page, code: string): Promise<void> {
  const action = "Copy Code and Open Page";
  const page = plain(event.verificationUri ?? event.url);
  progress.report({ message: `The code is ${code}. Type it on ${page}` });
  const detail = `Type it on the page ${page}`;
  const choice = await vscode.window.showInformationMessage(`The code is ${code}`, { modal: true, detail }, action);
  if (ended.isCancellationRequested) return;
  if (choice !== action) return cancel();
  await vscode.env.clipboard.writeText(code);
  await open(event.url);
}

/** Opens the page as a string: VS Code would decode and encode the query of a `Uri`, which turns `%2B` and `%26` into `+` and `&`. */
function open(url: string): Thenable<boolean> {
  return vscode.env.openExternal(url as unknown as vscode.Uri);
}

/** Returns whether the browser's redirect reaches the process. In a remote window, VS Code has to forward the port under its own number. */
async function reachesProcess(url: string): Promise<boolean> {
  if (vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop) return true;
  const redirect = new URL(url).searchParams.get("redirect_uri");
  if (redirect === null) return false;
  const { origin, hostname, port } = new URL(redirect);
  if (!LOOPBACK.has(hostname)) return false;
  const external = new URL((await vscode.env.asExternalUri(vscode.Uri.parse(origin))).toString(true));
  return LOOPBACK.has(external.hostname) && external.port === port && isBrowserHere();
}

/** Returns false if the editor is a page of a server elsewhere. VS Code forwards no port for it, and leaves the redirect as it is. */
function isBrowserHere(): boolean {
  const { remoteName = "", uiKind } = vscode.env;
  // The name of such a remote is the server's address.
  return uiKind === vscode.UIKind.Desktop || LOOPBACK.has(remoteName.replace(/:\d+$/, ""));
}

/** Asks for the address of the browser's last page, until it is the redirect, the user gives up, or the sign-in ends. */
async function askForRedirect({ client, event, ended }: Page): Promise<void> {
  let prompt = "If the browser ends on a page that does not load, paste that page's address here.";
  while (!ended.isCancellationRequested) {
    const box = { title: `Sign in: ${event.account}`, prompt, placeHolder: "http://127.0.0.1:…/callback?code=…", ignoreFocusOut: true };
    const address = await vscode.window.showInputBox(box, ended);
    if (!address) return;
    const answer = await client.handleRedirect({ url: address }).catch(({ message }: Error) => ({ handled: false, reason: message }));
    if (answer.handled) return;
    prompt = `${answer.reason ?? "This address does not belong to the sign-in"}. Paste the whole address of the page that does not load.`;
  }
}

/** The program's accounts as sessions of VS Code. */
import * as vscode from "vscode";
import { Client, OAuthError, ProcessEnded, SignInRequired } from "../../typescript/src/index.js";
import type { AccountState, AccountsResult } from "../../typescript/src/index.js";
import { explained } from "./errors.js";
import { askUser, chooseAccount } from "./signIn.js";

type Session = vscode.AuthenticationSession;
type Options = vscode.AuthenticationProviderSessionOptions;

/** A session is a signed-in account with all of its granted scopes, and its ID is the account's name. */
export class Sessions implements vscode.AuthenticationProvider, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  readonly onDidChangeSessions = this.#changes.event;
  #client: Client | undefined;
  #isClosed = false;
  /** The signed-in accounts as `accounts` last answered them. */
  #known: ReadonlyMap<string, AccountState> | undefined;
  /** The accounts that the program reported as changed since then. */
  #reported = new Set<string>();
  #lastLook: Promise<unknown> = Promise.resolve();
  #nextLook: Promise<ReadonlyArray<AccountState>> | undefined;
  readonly #signIns = new Map<string, Promise<Session>>();

  // What VS Code calls

  /** Returns the accounts whose granted scopes include the requested ones. Never opens a page. */
  async getSessions(scopes: readonly string[] | undefined, { account }: Options): Promise<Session[]> {
    const states = await this.#explaining(() => this.#look());
    const wanted = states.filter((state) => state.canAuthorize && (!account || state.account === account.id));
    const found = await Promise.allSettled(wanted.map((state) => this.#session(state, scopes ?? [])));
    const sessions = found.flatMap((each) => (each.status === "fulfilled" && each.value ? [each.value] : []));
    // One account without a network does not hide the others.
    const failed = found.findIndex((each) => each.status === "rejected");
    if (sessions.length === 0 && failed >= 0) throw this.#explained((found[failed] as PromiseRejectedResult).reason, wanted[failed]?.account);
    return sessions;
  }

  /** Asks the user to sign in, and shows a failure to the user as well as to the extension that asked. */
  async createSession(scopes: readonly string[], { account }: Options): Promise<Session> {
    let name = account?.id;
    try {
      const states = await this.#look();
      name ??= await chooseAccount(states);
      return await this.#signIn(name, scopes);
    } catch (error) {
      if (error instanceof vscode.CancellationError) throw error;
      const shown = this.#explained(error, name);
      void vscode.window.showErrorMessage(shown.message);
      throw shown;
    }
  }

  /** Deletes the account's grant, for all programs that use it. */
  async removeSession(account: string): Promise<void> {
    await this.#explaining(async () => {
      await this.#look();
      await this.#running().signOut({ account });
      await this.#look();
    }, account);
  }

  // What the extension calls

  /** Returns the names of the signed-in accounts. */
  async signedIn(): Promise<string[]> {
    const states = await this.#explaining(() => this.#look());
    return states.filter((state) => state.canAuthorize).map((state) => state.account);
  }

  /** Ends the process. The next request starts one with the current settings. */
  async restart(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.restart();
  }

  dispose(): void {
    void this.close();
    this.#changes.dispose();
  }

  // The process

  #running(): Client {
    if (this.#isClosed) throw new vscode.CancellationError();
    if (this.#client) return this.#client;
    const client = new Client(settings());
    client.on("accountWasChanged", ({ account }) => {
      this.#reported.add(account);
      this.#look().catch(() => {});
    });
    const introduction = {
      clientInfo: { name: "vscode", version: vscode.version },
      capabilities: { openUrl: true },
      events: ["signInWasRequested", "accountWasChanged"] as const,
    };
    // The request behind this one fails with the same error, and the next request needs a new introduction.
    client.initialize(introduction).catch(() => {
      if (this.#client === client) void this.restart();
    });
    return (this.#client = client);
  }

  /** Returns the states of all accounts, and reports what has changed since the last time. */
  #look(): Promise<ReadonlyArray<AccountState>> {
    if (this.#nextLook) return this.#nextLook;
    const look = this.#lastLook.then(() => {
      this.#nextLook = undefined;
      return this.#compare();
    });
    this.#lastLook = look.catch(() => {});
    return (this.#nextLook = look);
  }

  /** Compares states because events alone are not enough: the process sends none for what it has shown, or while it is not running. */
  async #compare(): Promise<ReadonlyArray<AccountState>> {
    const reported = this.#reported;
    this.#reported = new Set();
    const { accounts } = await this.#accounts();
    const before = this.#known;
    const now = new Map(accounts.filter((state) => state.canAuthorize).map((state) => [state.account, state]));
    this.#known = now;
    if (!before) return accounts;
    const added = [...now.values()].filter(({ account }) => !before.has(account));
    const removed = [...before.values()].filter(({ account }) => !now.has(account));
    const changed = [...now.values()].filter((state) => {
      const previous = before.get(state.account);
      return previous && (reported.has(state.account) || grant(previous) !== grant(state));
    });
    if (added.length + removed.length + changed.length === 0) return accounts;
    const withToken = (states: AccountState[]) => Promise.all(states.map((state) => this.#sessionOfEvent(state)));
    this.#changes.fire({
      added: await withToken(added),
      removed: removed.map((state) => session(state, "")),
      changed: await withToken(changed),
    });
    return accounts;
  }

  /** Asks a second time if a signal ended the process, because the question changes nothing and the client starts a new process. */
  async #accounts(): Promise<AccountsResult> {
    try {
      return await this.#running().accounts();
    } catch (error) {
      if (error instanceof ProcessEnded && error.signal !== null) return await this.#running().accounts();
      throw error;
    }
  }

  /** Returns the session even if its token cannot be had now, because the account did change. */
  async #sessionOfEvent(state: AccountState): Promise<Session> {
    const token = await this.#running().accessToken({ account: state.account }).catch(() => undefined);
    return session(state, token?.accessToken ?? "");
  }

  /** Returns nothing if the account lacks a scope or needs a sign-in. */
  async #session(state: AccountState, scopes: readonly string[]): Promise<Session | undefined> {
    if (!(await this.#hasScopes(state, scopes))) return undefined;
    try {
      return session(state, (await this.#running().accessToken({ account: state.account })).accessToken);
    } catch (error) {
      if (error instanceof SignInRequired) return undefined;
      throw error;
    }
  }

  /** The program knows scopes with two names, such as Google's `email`. With `flow`, it does not request a new token for a client's own grant. */
  async #hasScopes({ account, grantedScopes }: AccountState, scopes: readonly string[]): Promise<boolean> {
    if (scopes.every((scope) => grantedScopes?.includes(scope))) return true;
    try {
      const answer = await this.#running().authorize({ account, scopes, flow: "browser", interaction: "never" });
      return !answer.missingScopes?.length;
    } catch (error) {
      if (error instanceof OAuthError) return false;
      throw error;
    }
  }

  // Signing in

  /** Signs in. A second request for the account waits for the open sign-in, which may be enough for it. */
  async #signIn(account: string, scopes: readonly string[]): Promise<Session> {
    const open = this.#signIns.get(account);
    if (open) {
      await open;
      const state = await this.#state(account);
      const found = state.canAuthorize && (await this.#session(state, scopes));
      if (found) return found;
    }
    const signIn = this.#askForScopes(account, scopes).finally(() => this.#signIns.delete(account));
    this.#signIns.set(account, signIn);
    return await signIn;
  }

  async #askForScopes(account: string, scopes: readonly string[]): Promise<Session> {
    const state = await this.#state(account);
    const client = this.#running();
    const hasScopes = state.canAuthorize && (await this.#hasScopes(state, scopes));
    const { missingScopes = [] } = await askUser(client, account, (signal) => {
      // The user of a signed-in account adds scopes. Another user may replace that one only if nothing is added.
      if (state.canAuthorize && !hasScopes) return client.addScopes({ account, scopes }, { signal });
      const wanted = scopes.length > 0 ? { scopes: [...new Set([...(state.grantedScopes ?? []), ...scopes])] } : {};
      return client.authorize({ account, ...wanted, interaction: hasScopes ? "always" : "ifNeeded" }, { signal });
    });
    const missing = missingScopes.filter((scope) => scopes.includes(scope));
    if (missing.length > 0) throw new Error(`${account}: ${missing.join(", ")} was not granted. Sign in again and allow it.`);
    const { accessToken } = await client.accessToken({ account });
    return session(await this.#state(account), accessToken);
  }

  async #state(account: string): Promise<AccountState> {
    const states = await this.#look();
    return states.find((state) => state.account === account) ?? { account, canAuthorize: false, canRefresh: false };
  }

  // Errors

  async #explaining<Value>(work: () => Promise<Value>, account?: string): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      throw this.#explained(error, account);
    }
  }

  #explained(error: unknown, account: string | undefined): Error {
    return explained(error, settings().program, account);
  }
}

function settings(): { readonly program: string; readonly args: readonly string[] } {
  const settings = vscode.workspace.getConfiguration("oauth-stdio");
  return { program: settings.get("program", "oauth-stdio"), args: settings.get<readonly string[]>("arguments", []) };
}

/** VS Code remembers the user's permissions by label, so the label is the account's name, which is unique and stays. */
function session({ account, grantedScopes }: AccountState, accessToken: string): Session {
  return { id: account, accessToken, account: { id: account, label: account }, scopes: grantedScopes ?? [] };
}

/** Returns a text that differs for different grants of an account. */
function grant({ refreshedAt, expiresAt, grantedScopes, subject, email }: AccountState): string {
  return JSON.stringify([refreshedAt, expiresAt, grantedScopes, subject, email]);
}

/**
 * An extension host without a window: the part of the module `vscode` that the extension uses.
 *
 *     node host.mjs FOLDER WORLD     WORLD is a JSON object with the members of the interface `World`
 *
 * It loads the extension as VS Code does. The test sends commands as JSON lines, {"id": 1, "do": "getSessions", "with": […]},
 * and answers what the extension shows, {"answer": 3, "value": "…"}. Each line of the output is an answer or something shown.
 * The types are those of VS Code's own declarations, so the compiler compares this host with them.
 */
import { readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type * as vscode from "vscode";

interface Manifest {
  readonly type?: string;
  readonly main: string;
  readonly contributes: {
    readonly authentication: ReadonlyArray<{ readonly id: string; readonly label: string }>;
    readonly commands: ReadonlyArray<{ readonly command: string }>;
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> };
  };
}

interface World {
  readonly settings?: Record<string, unknown>;
  readonly remoteName?: string;
  readonly uiKind?: "web";
  /** What `asExternalUri` returns. */
  readonly external?: string;
}

interface Command {
  readonly id: number;
  readonly do: string;
  readonly with?: readonly any[];
  readonly answer?: number;
  readonly cancel?: number;
  readonly value?: unknown;
}

const [folder = ".", given = "{}"] = process.argv.slice(2);
const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const world: World = JSON.parse(given);
const settings: Record<string, unknown> = { ...world.settings };

function print(line: object): void {
  process.stdout.write(JSON.stringify(line) + "\n");
}

// VS Code keeps what an extension prints in a log.
for (const level of ["debug", "error", "info", "log", "warn"] as const) {
  console[level] = (...words: unknown[]) => void process.stderr.write(words.map(String).join(" ") + "\n");
}

// Values

class Disposable implements vscode.Disposable {
  static from(...all: { dispose: () => unknown }[]): Disposable {
    return new Disposable(() => all.forEach((each) => each.dispose()));
  }

  constructor(private readonly callOnDispose: () => unknown) {}

  dispose(): void {
    this.callOnDispose();
  }
}

class EventEmitter<T> implements vscode.EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => unknown>();

  readonly event: vscode.Event<T> = (listener, self, disposables) => {
    const call = (event: T) => listener.call(self, event);
    this.#listeners.add(call);
    const disposable = new Disposable(() => this.#listeners.delete(call));
    disposables?.push(disposable);
    return disposable;
  };

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

class CancellationTokenSource implements vscode.CancellationTokenSource {
  readonly #emitter = new EventEmitter<unknown>();
  #isCancelled = false;
  readonly token: vscode.CancellationToken;

  constructor() {
    const isCancelled = () => this.#isCancelled;
    this.token = {
      get isCancellationRequested() {
        return isCancelled();
      },
      onCancellationRequested: this.#emitter.event,
    };
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    this.#emitter.fire(undefined);
  }

  dispose(): void {
    this.#emitter.dispose();
  }
}

class CancellationError extends Error implements vscode.CancellationError {
  constructor() {
    super("Canceled");
    this.name = "Canceled";
  }
}

/** Keeps its parts decoded, as VS Code's does. */
class Uri implements vscode.Uri {
  static parse(value: string): Uri {
    const [, scheme = "", , authority = "", path = "", , query = "", , fragment = ""] =
      /^(?:([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$/.exec(value) ?? [];
    const absolute = path || (/^https?$/.test(scheme) ? "/" : "");
    return new Uri(scheme, ...([authority, absolute, query, fragment].map(decodeURIComponent) as [string, string, string, string]));
  }

  private constructor(
    readonly scheme: string,
    readonly authority: string,
    readonly path: string,
    readonly query: string,
    readonly fragment: string
  ) {}

  get fsPath(): string {
    return this.path;
  }

  with(change: { scheme?: string; authority?: string; path?: string; query?: string; fragment?: string }): Uri {
    const { scheme, authority, path, query, fragment } = { ...this.toJSON(), ...change };
    return new Uri(scheme, authority, path, query, fragment);
  }

  toString(skipEncoding = false): string {
    const encode = skipEncoding ? (text: string) => text : encodeURIComponent;
    const path = this.path.split("/").map(encode).join("/");
    const rest = (this.query ? `?${encode(this.query)}` : "") + (this.fragment ? `#${encode(this.fragment)}` : "");
    return `${this.scheme}://${this.authority}${path}${rest}`;
  }

  toJSON() {
    return { scheme: this.scheme, authority: this.authority, path: this.path, query: this.query, fragment: this.fragment };
  }
}

// What the user sees and answers

let lastKey = 0;
const open = new Map<number, (value: any) => void>();

/** Shows something and returns the test's answer. A cancelled token closes it, as if the user had. */
function show<Value>(kind: string, what: object, token?: vscode.CancellationToken): Promise<Value | undefined> {
  const key = ++lastKey;
  print({ shows: kind, key, ...what });
  return new Promise((resolve) => {
    open.set(key, resolve);
    token?.onCancellationRequested(() => {
      print({ closed: key });
      resolve(undefined);
    });
  });
}

function message(level: string) {
  return (text: string, ...rest: any[]): Promise<any> => {
    const isPlain = rest.length === 0 || typeof rest[0] === "string";
    const [options, buttons] = isPlain ? [{}, rest] : [rest[0], rest.slice(1)];
    return show(level, { text, ...options, buttons });
  };
}

const cancellations = new Map<number, CancellationTokenSource>();

const window: Pick<
  typeof vscode.window,
  "showInformationMessage" | "showErrorMessage" | "showQuickPick" | "showInputBox" | "withProgress"
> = {
  showInformationMessage: message("information"),
  showErrorMessage: message("error"),
  async showQuickPick(items: any, options?: vscode.QuickPickOptions): Promise<any> {
    const all: readonly (string | vscode.QuickPickItem)[] = await items;
    const labels = all.map((item) => (typeof item === "string" ? item : item.label));
    const descriptions = all.map((item) => (typeof item === "string" ? "" : item.description));
    const label = await show<string>("quickPick", { labels, descriptions, placeHolder: options?.placeHolder });
    return label === undefined ? undefined : all[labels.indexOf(label)];
  },
  showInputBox: (options, token) => show<string>("inputBox", { ...options }, token),
  async withProgress(options, task) {
    const key = ++lastKey;
    const source = new CancellationTokenSource();
    cancellations.set(key, source);
    print({ shows: "progress", key, ...options });
    try {
      return await task({ report: (value) => print({ progress: key, ...value }) }, source.token);
    } finally {
      print({ closed: key });
    }
  },
};

const env: Pick<typeof vscode.env, "openExternal" | "asExternalUri" | "remoteName" | "uiKind" | "clipboard"> = {
  /** VS Code opens a string as it is, and encodes the decoded parts of a `Uri`. */
  async openExternal(target: vscode.Uri | string) {
    const url = typeof target === "string" ? target : encodeURI(target.toString(true));
    return (await show<boolean>("page", { url })) ?? false;
  },
  async asExternalUri(target) {
    print({ forwards: target.toString(true) });
    return Uri.parse(world.external ?? target.toString());
  },
  remoteName: world.remoteName,
  uiKind: world.uiKind === "web" ? 2 : 1,
  clipboard: {
    readText: async () => "",
    writeText: async (text) => print({ copied: text }),
  },
};

// What the extension registers

const providers = new Map<string, vscode.AuthenticationProvider>();
const commands = new Map<string, (...rest: any[]) => unknown>();
const configurationChanges = new EventEmitter<vscode.ConfigurationChangeEvent>();

const authentication: Pick<typeof vscode.authentication, "registerAuthenticationProvider"> = {
  registerAuthenticationProvider(id, label, provider, options) {
    if (!manifest.contributes.authentication.some((each) => each.id === id)) throw new Error(`package.json does not declare ${id}`);
    providers.set(id, provider);
    const subscription = provider.onDidChangeSessions((event) => print({ sessions: event }));
    print({ registered: id, label, ...options });
    return Disposable.from(subscription, new Disposable(() => providers.delete(id)));
  },
};

const commandsNamespace: Pick<typeof vscode.commands, "registerCommand"> = {
  registerCommand(name, callback, self) {
    if (commands.has(name)) throw new Error(`command '${name}' already exists`);
    commands.set(name, callback.bind(self));
    return new Disposable(() => commands.delete(name));
  },
};

function read(name: string): unknown {
  const { properties } = manifest.contributes.configuration;
  if (!(name in properties)) throw new Error(`package.json does not declare the setting ${name}`);
  return settings[name] ?? properties[name]?.default;
}

const workspace: Pick<typeof vscode.workspace, "getConfiguration" | "onDidChangeConfiguration"> = {
  getConfiguration(section = "") {
    const get = (name: string, otherwise?: unknown): any => read(`${section}.${name}`) ?? otherwise;
    const fail = () => {
      throw new Error("the extension only reads its settings");
    };
    return { get, has: fail, inspect: fail, update: fail };
  },
  onDidChangeConfiguration: configurationChanges.event,
};

const ProgressLocation: Omit<typeof vscode.ProgressLocation, number> = { SourceControl: 1, Window: 10, Notification: 15 };
const UIKind: Omit<typeof vscode.UIKind, number> = { Desktop: 1, Web: 2 };
const version: typeof vscode.version = "1.100.0";
const values = { CancellationError, CancellationTokenSource, Disposable, EventEmitter, ProgressLocation, UIKind, Uri, version };
const api: object = { ...values, authentication, commands: commandsNamespace, env, window, workspace };

// Loading

/** Returns a URL with the source in it, as VS Code makes its loader and the module `vscode`. */
const inline = (source: string) => `data:text/javascript;base64,${Buffer.from(source).toString("base64")}`;

async function load(): Promise<{ activate(context: vscode.ExtensionContext): unknown; deactivate?(): unknown }> {
  // VS Code requires any other extension as CommonJS.
  if (manifest.type !== "module") throw new Error("package.json does not have the type module");
  Object.defineProperty(globalThis, "vscodeOfTheHost", { value: api });
  const names = Object.keys(api).map((name) => `export const ${name} = globalThis.vscodeOfTheHost.${name};`);
  const loader = `export const resolve = async (specifier, context, next) =>
    specifier === "vscode" ? { url: ${JSON.stringify(inline(names.join("\n")))}, shortCircuit: true } : next(specifier, context);`;
  // The declarations of Node 18 do not have it yet.
  (nodeModule as unknown as { register(url: string): void }).register(inline(loader));
  return await import(pathToFileURL(join(folder, manifest.main)).href);
}

const extension = await load();
const subscriptions: { dispose(): unknown }[] = [];
await extension.activate({ subscriptions } as Pick<vscode.ExtensionContext, "subscriptions"> as vscode.ExtensionContext);
print({ activated: [...commands.keys()] });

// Commands of the test

function provider(): vscode.AuthenticationProvider {
  const [only] = providers.values();
  if (!only) throw new Error("no provider is registered");
  return only;
}

const actions: Record<string, (...values: any[]) => unknown> = {
  getSessions: (scopes, options = {}) => provider().getSessions(scopes, options),
  createSession: (scopes, options = {}) => provider().createSession(scopes, options),
  removeSession: (id) => provider().removeSession(id),
  executeCommand: (name) => commands.get(name)!(),
  set(name: string, value: unknown) {
    settings[name] = value;
    configurationChanges.fire({ affectsConfiguration: (section) => name === section || name.startsWith(`${section}.`) });
  },
  async deactivate() {
    await extension.deactivate?.();
    for (const each of subscriptions.reverse()) each.dispose();
  },
};

async function obey(command: Command): Promise<void> {
  if (command.answer !== undefined) return open.get(command.answer)?.(command.value ?? undefined);
  if (command.cancel !== undefined) return cancellations.get(command.cancel)?.cancel();
  try {
    print({ id: command.id, result: (await actions[command.do]!(...(command.with ?? []))) ?? null });
  } catch (error) {
    const { name, message } = error as Error;
    print({ id: command.id, error: { name, message } });
  }
}

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => void obey(JSON.parse(line)));
// A window that closes ends its extension host, and the extension cannot prevent that.
lines.on("close", () => process.exit());

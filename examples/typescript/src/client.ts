/** Runs the program and exchanges messages with it. `generated.ts` gives each message its types. */
import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** An error answer. Each kind of error is a subclass, and so is each code of JSON-RPC. */
export class OAuthError<Data = Readonly<Record<string, unknown>>> extends Error {
  readonly code: number;
  readonly data: Data;
  readonly kind: string | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;

  constructor(code: number, message: string, data: Data) {
    super(message);
    const members = data as { readonly kind?: string; readonly retryable?: boolean };
    this.name = new.target.name;
    this.code = code;
    this.data = data;
    this.kind = members.kind;
    this.retryable = members.retryable ?? false;
  }
}

/** Code -32700: the input is not JSON. */
export class ParseError extends OAuthError<{ readonly position?: number }> {}

/** Code -32600: the message is not a valid request. */
export class InvalidRequest extends OAuthError<{ readonly position?: number }> {}

/** Code -32601: no method has this name. */
export class MethodNotFound extends OAuthError {}

/** Code -32602: the params are wrong. `data.path` is the JSON pointer of the wrong param. */
export class InvalidParams extends OAuthError<{ readonly path?: string }> {}

/** Code -32603: the process failed in an unforeseen way. */
export class InternalError extends OAuthError {}

/** Code -32800: the client cancelled the request, for example by closing itself. */
export class RequestCancelled extends OAuthError {}

/** Code -32000: the process ended before the request was done. */
export class ProcessEnding extends OAuthError {}

type ErrorClass = new (code: number, message: string, data: any) => OAuthError<any>;

const PROTOCOL_ERRORS = new Map<number, ErrorClass>([
  [-32700, ParseError],
  [-32600, InvalidRequest],
  [-32601, MethodNotFound],
  [-32602, InvalidParams],
  [-32603, InternalError],
  [-32800, RequestCancelled],
  [-32000, ProcessEnding],
]);

/** The process ended without an answer. It may have done what the request wanted. The next request starts a new process. */
export class ProcessEnded extends Error {
  /** The exit status, or `null` after a signal. */
  readonly status: number | null;
  readonly signal: string | null;

  constructor(message: string, status: number | null, signal: string | null) {
    super(message);
    this.name = "ProcessEnded";
    this.status = status;
    this.signal = signal;
  }
}

export interface ClientOptions {
  /** The program. Default: `"oauth-stdio"`. */
  readonly program?: string;
  /** Options of the program, such as `["--config", "config.json"]`. */
  readonly args?: readonly string[];
  /** The environment of the program in place of this one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface RequestOptions {
  /** Aborting it cancels the request. */
  readonly signal?: AbortSignal;
}

interface Waiting {
  readonly resolve: (result: any) => void;
  readonly reject: (error: unknown) => void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly kind?: string } };
}

/** The seconds after which `close` terminates a program that has not ended. */
const PATIENCE = 10;

/** One run of the program. */
class Run {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onEvent: (message: Message) => void;
  readonly #errorOf: (error: NonNullable<Message["error"]>) => Error;
  readonly #end: Promise<void>;
  #lastId = 0;
  #hasEnded = false;
  // The pieces of a line that has no end yet.
  #parts: Buffer[] = [];

  constructor(options: ClientOptions, onEvent: (message: Message) => void, errorOf: (error: NonNullable<Message["error"]>) => Error) {
    this.#onEvent = onEvent;
    this.#errorOf = errorOf;
    this.#child = spawn(options.program ?? "oauth-stdio", options.args ?? [], { stdio: ["pipe", "pipe", "inherit"], env: options.env });
    // "close" reports a process that does not read any more.
    this.#child.stdin.on("error", () => {});
    this.#child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#child.on("exit", () => (this.#hasEnded = true));
    this.#end = new Promise((resolve) => {
      this.#child.on("error", (error) => {
        this.#fail(error);
        resolve();
      });
      this.#child.on("close", (status, signal) => {
        this.#fail(new ProcessEnded(`the program ended with ${signal ?? `status ${status}`}`, status, signal));
        resolve();
      });
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  request(method: string, params: object, signal: AbortSignal | undefined): Promise<any> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.#lastId;
    return new Promise<any>((resolve, reject) => {
      const abort = () => {
        this.#cancel(id);
        this.#waiting.delete(id);
        reject(signal?.reason);
      };
      const done = <Value>(settle: (value: Value) => void) => (value: Value) => {
        signal?.removeEventListener("abort", abort);
        settle(value);
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.set(id, { resolve: done(resolve), reject: done(reject) });
      this.#send({ id, method, params });
    });
  }

  async close(): Promise<void> {
    for (const id of this.#waiting.keys()) this.#cancel(id);
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill(), PATIENCE * 1000);
    await this.#end;
    clearTimeout(timer);
  }

  #cancel(id: number): void {
    this.#send({ method: "$/cancelRequest", params: { id } });
  }

  #send(message: object): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  }

  /** Handles the lines of a chunk. In newer versions of Node, `node:readline` also splits at U+2028, which JSON may contain. */
  #read(chunk: Buffer): void {
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10)) {
      const line = Buffer.concat([...this.#parts, chunk.subarray(0, end)]).toString();
      this.#parts = [];
      chunk = chunk.subarray(end + 1);
      try {
        this.#receive(JSON.parse(line));
      } catch (fault) {
        // This is another program.
        this.#child.kill();
        this.#fail(new ProcessEnded(`the program printed something that is not JSON: ${fault}`, null, null));
        return;
      }
    }
    this.#parts.push(chunk);
  }

  #receive(message: Message): void {
    if (message.method !== undefined) return this.#onEvent(message);
    if (message.id === undefined) return;
    // A cancelled request does not wait any more.
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.reject(this.#errorOf(message.error));
    else waiting?.resolve(message.result);
  }

  #fail(error: Error): void {
    this.#hasEnded = true;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/**
 * Starts the program at the first request, and again at the first request after it has ended.
 * A running program keeps Node alive until `close`.
 */
export class Transport<Events extends object> {
  readonly #options: ClientOptions;
  readonly #errors: ReadonlyMap<string, ErrorClass>;
  readonly #callbacks = new Map<string, Set<{ readonly call: (params: any) => void }>>();
  #initialization: object | undefined;
  #run: Run | undefined;
  #isClosed = false;

  protected constructor(options: ClientOptions, errors: Readonly<Record<string, ErrorClass>>) {
    this.#options = options;
    this.#errors = new Map(Object.entries(errors));
  }

  /** The ID of the running process. */
  get processId(): number | undefined {
    return this.#run?.hasEnded ? undefined : this.#run?.pid;
  }

  /** Calls the callback for each such event, until the returned function is called. */
  on<Name extends keyof Events & string>(event: Name, callback: (params: Events[Name]) => void): () => void {
    const callbacks = this.#callbacks.get(event) ?? new Set();
    const entry = { call: callback };
    this.#callbacks.set(event, callbacks.add(entry));
    return () => void callbacks.delete(entry);
  }

  /** Cancels the open requests and ends the program. Later requests reject with `ProcessEnded`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#run?.close();
  }

  /** Lets `await using` close the client. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  protected async request(method: string, params: object, { signal }: RequestOptions): Promise<any> {
    const result = await this.#running().request(method, params, signal);
    if (method === "initialize") this.#initialization = params;
    return result;
  }

  #running(): Run {
    if (this.#isClosed) throw new ProcessEnded("the client is closed", null, null);
    if (this.#run && !this.#run.hasEnded) return this.#run;
    this.#run = new Run(this.#options, (message) => this.#receive(message), (error) => this.#errorOf(error));
    // The program reads requests in their order, so the next one need not wait for this answer.
    if (this.#initialization) this.#run.request("initialize", this.#initialization, undefined).catch(() => {});
    return this.#run;
  }

  #errorOf({ code, message, data }: NonNullable<Message["error"]>): Error {
    const Kind = this.#errors.get(data?.kind ?? "") ?? PROTOCOL_ERRORS.get(code) ?? OAuthError;
    return new Kind(code, message, data ?? {});
  }

  #receive(message: Message): void {
    for (const { call } of [...(this.#callbacks.get(message.method ?? "") ?? [])]) {
      try {
        call(message.params);
      } catch (error) {
        // As if the callback had been called by Node: the other callbacks and messages do not suffer.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

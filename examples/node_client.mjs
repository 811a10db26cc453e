#!/usr/bin/env node
// A client for oauth-stdio in JavaScript without dependencies. Another program needs only the class.
//
//     node_client.mjs [ACCOUNT [URL]]      prints who the API says you are (default: github user)
//
// OAUTH_STDIO   the program (default: oauth-stdio)
// OAUTH_CONFIG  the configuration file, such as config.json in this folder (default: the program's own)
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** An error answer. Branch on `kind`. `data` has the other members. */
export class OAuthError extends Error {
  constructor({ code, message, data = {} }) {
    super(message);
    Object.assign(this, { name: "OAuthError", code, data, kind: data.kind });
  }
}

/** Runs the program and sends it requests, any number at a time. `onEvent(name, params)` receives the events. */
export class OAuth {
  #pending = new Map();
  #lastId = 0;
  #process;
  #closed;
  #ended;

  constructor({ program = "oauth-stdio", args = [], onEvent = () => {} } = {}) {
    this.#process = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#process.stdin.on("error", () => {}); // "close" reports it, with the status.
    this.#closed = new Promise((resolve) => {
      this.#process.on("error", (error) => this.#end(error));
      this.#process.on("close", (status) => resolve(this.#end(new Error(`the program ended with status ${status}`))));
    });
    createInterface({ input: this.#process.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      if (message.method) return onEvent(message.method, message.params);
      const request = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.error) request?.reject(new OAuthError(message.error));
      else request?.resolve(message.result);
    });
  }

  /** Sends a request and resolves to the result. */
  request(method, params = {}) {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    this.send({ id, method, params });
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
  }

  /** Sends one message without waiting. A message without an id is a notification, which gets no answer. */
  send(message) {
    this.#process.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  }

  /** Closes the program's input. The program answers the open requests and ends. */
  close() {
    this.#process.stdin.end();
    return this.#closed;
  }

  #end(error) {
    this.#ended ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }
}

async function main(account = "github", url = "user") {
  const oauth = new OAuth({
    program: process.env.OAUTH_STDIO || "oauth-stdio",
    args: process.env.OAUTH_CONFIG ? ["--config", process.env.OAUTH_CONFIG] : [],
    onEvent: (name, params) => {
      if (name !== "signInWasRequested") return;
      console.error(`sign in here: ${params.url}` + (params.userCode ? `\nand type this code: ${params.userCode}` : ""));
    },
  });
  // Over SSH the browser is on another machine, so the user may paste the address of its last page.
  if (process.stdin.isTTY) {
    process.stdin.on("data", (text) => oauth.send({ method: "handleRedirect", params: { url: String(text).trim() } }));
  }
  try {
    await oauth.request("authorize", { account }); // Does nothing if the user has signed in before.
    const me = JSON.parse((await oauth.request("callAPI", { account, url })).body);
    console.log(me.login ?? me.username ?? me.name ?? me.user ?? me);
  } catch (error) {
    console.error(`node_client: ${error.message}`);
    process.exitCode = 1;
  } finally {
    process.stdin.unref?.();
    await oauth.close();
  }
}

// Only if run, not if imported.
const isRun = process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href;
if (isRun) await main(...process.argv.slice(2));

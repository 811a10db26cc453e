/**
 * Prints who the API says you are.
 *
 *     node dist/example.js [ACCOUNT [URL]]     default: github user
 *
 * OAUTH_STDIO   the program (default: oauth-stdio)
 * OAUTH_CONFIG  the configuration file, such as config.json in the folder above this package (default: the program's own)
 */
import { Client } from "./index.js";

const [account = "github", url = "user"] = process.argv.slice(2);
const client = new Client({
  program: process.env.OAUTH_STDIO || "oauth-stdio",
  args: process.env.OAUTH_CONFIG ? ["--config", process.env.OAUTH_CONFIG] : [],
});
client.on("signInWasRequested", ({ url, userCode }) => {
  console.error(`sign in here: ${url}` + (userCode ? `\nand type this code: ${userCode}` : ""));
});

/** Sends the address that a browser on another machine ended on, as over SSH. */
async function finish(address: string): Promise<void> {
  const answer = await client.handleRedirect({ url: address }).catch((error: Error) => ({ handled: false, reason: error.message }));
  if (!answer.handled) console.error(answer.reason);
}

if (process.stdin.isTTY) process.stdin.on("data", (text) => void finish(String(text).trim()));
try {
  // Does nothing if the user has signed in before.
  await client.authorize({ account });
  const me = JSON.parse((await client.callAPI({ account, url })).body ?? "null");
  console.log(me.login ?? me.username ?? me.name ?? me.user ?? me);
} catch (error) {
  console.error(`example: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  process.stdin.unref?.();
  await client.close();
}

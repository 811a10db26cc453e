/** Errors as the user reads them. */
import * as vscode from "vscode";
import { AccessDenied, OAuthError, ProcessEnded, SignInInProgress } from "../../typescript/src/index.js";

/** Returns the text without links. VS Code makes them from Markdown, also in the words of a server, and a link can run a command. */
export function plain(text: string): string {
  return text.replace(/\](?=\()/g, "] ");
}

/** Returns an error whose message says what the user can do. */
export function explained(error: unknown, program: string, account: string | undefined): Error {
  const found = explanation(error, program, account);
  found.message = plain(found.message);
  return found;
}

function explanation(error: unknown, program: string, account: string | undefined): Error {
  if (error instanceof vscode.CancellationError) return error;
  if (error instanceof ProcessEnded) return new Error(textOfEnd(error));
  if (error instanceof OAuthError) return new Error(`${account ? `${account}: ` : ""}${textOfAnswer(error, account)}`);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") {
    return new Error(`The program "${program}" was not found. Install oauth-stdio, or set "oauth-stdio.program" in the settings to its path.`);
  }
  if (code === "EACCES") return new Error(`"${program}" cannot be executed. Correct "oauth-stdio.program" in the settings.`);
  return new Error(message);
}

function textOfEnd({ status, signal, message }: ProcessEnded): string {
  if (signal) return `The program ended with ${signal}. Try again.`;
  if (status === null) return `This is not oauth-stdio: ${message}. Correct "oauth-stdio.program" in the settings.`;
  return `The program ended with status ${status}. Check "oauth-stdio.arguments" in the settings. In a terminal, the program prints the reason.`;
}

function textOfAnswer(error: OAuthError, account: string | undefined): string {
  if (error instanceof SignInInProgress) return "Another sign-in of the account is open. Finish it or cancel it, and try again.";
  if (error instanceof AccessDenied && error.data.reason === "anotherUser") {
    return "Another user signed in. Sign in as the account's own user, or sign out first.";
  }
  if (error instanceof AccessDenied) return "Access was denied. To use the account, sign in again and allow the access.";
  if (error.retryable) return `${error.message}. Try again later.`;
  return account ? `${error.message}. Run "oauth-stdio doctor ${account}" in a terminal to see what to change.` : error.message;
}

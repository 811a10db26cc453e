/** Registers the program's accounts as an authentication provider of VS Code, and the two commands. */
import * as vscode from "vscode";
import { Sessions } from "./sessions.js";

let sessions: Sessions | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const provider = (sessions = new Sessions());
  context.subscriptions.push(
    provider,
    vscode.authentication.registerAuthenticationProvider("oauth-stdio", "OAuth", provider, { supportsMultipleAccounts: true }),
    vscode.commands.registerCommand("oauth-stdio.signIn", () => signIn(provider)),
    vscode.commands.registerCommand("oauth-stdio.signOut", () => signOut(provider)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("oauth-stdio")) void provider.restart();
    })
  );
}

/** Ends the process. VS Code waits for the promise. */
export async function deactivate(): Promise<void> {
  await sessions?.close();
}

async function signIn(provider: Sessions): Promise<void> {
  // The provider itself shows an error to the user.
  const session = await provider.createSession([], {}).catch(() => undefined);
  if (session) void vscode.window.showInformationMessage(`${session.account.label}: signed in`);
}

async function signOut(provider: Sessions): Promise<void> {
  try {
    const names = await provider.signedIn();
    if (names.length === 0) return void vscode.window.showInformationMessage("No account is signed in.");
    const account = await vscode.window.showQuickPick(names, { placeHolder: "The account to sign out" });
    if (account === undefined) return;
    await provider.removeSession(account);
    void vscode.window.showInformationMessage(`${account}: signed out`);
  } catch (error) {
    void vscode.window.showErrorMessage((error as Error).message);
  }
}

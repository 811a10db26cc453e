import Jansson
import Methods
import Platform

/// Shows the accounts as a table.
struct StatusCommand: MethodCommand {
  static let name = "status"
  static let method: String? = Methods.accounts
  let words: [String]

  func methodWords() -> [String]? { words.isEmpty ? [Methods.accounts] : [Methods.account] + Self.named(words) }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    if result["accounts"] == nil, !CommandSession.hasAccount(in: result) {
      run.log.line("oauth-stdio: \(session.noAccount(result["account"]?.string ?? ""))")
      return 1
    }
    return run.print(StatusTable.text(result["accounts"]?.array ?? [result], session, width: run.width))
  }
}

/// Says why a sign-in fails.
struct DoctorCommand: MethodCommand {
  static let name = "doctor"
  static let method: String? = Methods.diagnose
  let words: [String]

  func methodWords() -> [String]? { [Methods.diagnose] + words }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    let hasFailed = result["findings"]?.array?.contains { $0["state"] == "failed" } == true
    return max(run.print(FindingList.text(result, session.program, width: run.width)), hasFailed ? 1 : 0)
  }
}

/// Serves kubectl as a credential plug-in (client.authentication.k8s.io).
struct ExecCredentialCommand: MethodCommand {
  static let name = "exec-credential"
  static let method: String? = Methods.accessToken
  static let isForScripts = true
  let words: [String]

  func methodWords() -> [String]? { [Methods.accessToken] + words.map { $0 == "--id-token" ? "--idToken" : $0 } }

  /// kubectl names the version that it wants in its environment.
  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    let usesIDToken = words.contains("--id-token")
    let asked = ProcessEnvironment.variable("KUBERNETES_EXEC_INFO").flatMap { try? JSON.parse(Array($0.utf8)) }
    // kubectl asks again after that time. An ID token has its own.
    let end = result[usesIDToken ? "idTokenExpiresAt" : "expiresAt"]?.integer
    let status: JSON = ["token": result[usesIDToken ? "idToken" : "accessToken"] ?? "", "expirationTimestamp": end.map(JSON.time)]
    let answer: JSON = [
      "apiVersion": asked?["apiVersion"] ?? "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": status,
    ]
    return run.print(String(decoding: answer.text, as: UTF8.self) + "\n")
  }
}

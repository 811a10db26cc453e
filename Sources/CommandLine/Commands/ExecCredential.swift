import Jansson
import Methods
import Platform

/// What kubectl reads from a credential plug-in (client.authentication.k8s.io).
enum ExecCredential {
  /// Returns the answer for a result of `accessToken`. kubectl names the version that it wants in its environment.
  static func text(_ result: JSON, usesIDToken: Bool) -> String {
    let asked = ProcessEnvironment.variable("KUBERNETES_EXEC_INFO").flatMap { try? JSON.parse(Array($0.utf8)) }
    var status: [JSON.Member] = [.init("token", result[usesIDToken ? "idToken" : "accessToken"] ?? "")]
    // kubectl asks again after that time. An ID token has its own.
    let end = result[usesIDToken ? "idTokenExpiresAt" : "expiresAt"]?.integer
    if let (date, time) = end.map(Clock.utc) { status.append(.init("expirationTimestamp", .string("\(date)T\(time)Z"))) }
    let answer: JSON = [
      "apiVersion": asked?["apiVersion"] ?? "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": .object(status),
    ]
    return String(decoding: answer.text, as: UTF8.self) + "\n"
  }
}

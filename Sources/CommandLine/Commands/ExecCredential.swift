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
    if let end { status.append(.init("expirationTimestamp", .string(time(end)))) }
    let answer: JSON = [
      "apiVersion": asked?["apiVersion"] ?? "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": .object(status),
    ]
    return String(decoding: answer.text, as: UTF8.self) + "\n"
  }

  /// Returns Unix seconds as RFC 3339 writes them, in UTC.
  private static func time(_ seconds: Int) -> String {
    var (seconds, parts) = (time_t(seconds), tm())
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

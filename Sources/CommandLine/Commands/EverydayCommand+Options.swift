import OAuthCore

/// What an everyday command takes besides the params of its method, for the completion in shells.
extension EverydayCommand {
  struct Option {
    let name: String
    /// The usual values, of which there may be none; nil if the option takes no value.
    let values: [String]?
    let isRepeated: Bool

    init(_ name: String, _ values: [String]?, isRepeated: Bool = false) {
      (self.name, self.values, self.isRepeated) = (name, values, isRepeated)
    }
  }

  var options: [Option] {
    let curl = [
      Option("-X", ["GET", "POST", "PUT", "PATCH", "DELETE"]), Option("-d", []), Option("--json", []), Option("-H", [], isRepeated: true),
      Option("-o", []),
    ]
    return switch self {
    case .call, .header: curl
    case .sasl:
      [
        Option("--user", []), Option("--mechanism", SASLMessage.Mechanism.allCases.map(\.rawValue)), Option("--host", []),
        Option("--port", []),
      ]
    case .execCredential: [Option("--id-token", nil)]
    case .mcp: [Option("--allow-writes", nil), Option("--allow-tokens", nil)]
    case .setup: [Option("--remove", nil)]
    case .login, .logout, .status, .token, .doctor, .import, .gitCredential, .dockerCredential: []
    }
  }

  /// The words of which the first one must be one; empty if it may be another one.
  var choices: [String] {
    switch self {
    case .setup: ["git", "docker"]
    case .gitCredential: ["get", "store", "erase"]
    case .dockerCredential: ["get", "store", "erase", "list", "version"]
    default: []
    }
  }
}

import Jansson
import Methods
import Platform

/// Asks a person for the values that a provider's description needs, such as the host of a server: all of them in one run.
struct VariablesPrompt {
  /// The names that an error of `authorize` misses, in the order of the description.
  private let names: [String]
  /// The names that the user has given values for.
  private let given: [String]
  /// The URL in which the first name stands; nil if the catalog does not describe the provider.
  private let template: String?

  /// Returns nil if `error` is another one.
  init?(_ error: CommandSession.Failure, _ params: [JSON.Member], _ session: CommandSession) {
    guard error["file"] == nil, let missing = error["missing"]?.array, !missing.isEmpty else { return nil }
    names = missing.compactMap(\.string)
    given = params.first { $0.name == "variables" }?.value.members?.map(\.name) ?? []
    let member = error["path"]?.string?.dropFirst("/provider/".count) ?? ""
    let provider = params.first { $0.name == "provider" }?.value.string.flatMap { try? session.catalog.description(of: $0) }
    template = provider?.first { $0.name == member }?.value.string
  }

  /// The error as a command says it. A value may be a secret, so it is not repeated.
  var message: String {
    let values = JSON.object((given + names).map { .init($0, "…") })
    return "\(needs). Add --variables '\(values.line.plain)'"
  }

  /// Returns the params of `authorize` with the values. Returns nil if the user leaves one out.
  func ask(_ params: [JSON.Member], _ log: Log) -> [JSON.Member]? {
    log.line("\(needs.prefix(1).uppercased() + needs.dropFirst()).")
    log.flush()
    var values = params.first { $0.name == "variables" }?.value.members ?? []
    for name in names {
      guard let value = Terminal.ask("\(name.plain):"), !value.isEmpty, TypedText.isWhole(value, name.plain, log) else { return nil }
      values.append(.init(name, .string(value)))
    }
    return params.filter { $0.name != "variables" } + [.init("variables", .object(values))]
  }

  private var needs: String {
    let list = (names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "") + (names.last ?? "")).plain
    guard let template else { return "the provider needs \(list)" }
    return "the provider's URL \(template.plain) needs \(list)"
  }
}

/// Rejects typed text that the terminal has damaged: control characters, or a line that was cut.
enum TypedText {
  /// Returns whether the text can be used, and otherwise says why not.
  static func isWhole(_ text: String, _ name: String, _ log: Log) -> Bool {
    let isDamaged = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    guard isDamaged || text.utf8.count >= Terminal.lineLimit else { return true }
    let long = "is longer than a terminal's line: put it into the configuration"
    log.line("oauth-stdio: the \(name) \(isDamaged ? "contains control characters, such as those of an arrow key" : long)")
    return false
  }
}

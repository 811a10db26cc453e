import Jansson
import OAuth
import Synchronization

/// The environment for programs that the process starts: its own, without the variables that the configuration names with `{env}`.
final class ChildEnvironment: Sendable {
  private let configuration: JSONFile
  /// What was named once stays out: a file that is broken today doesn't make yesterday's secret anybody's.
  private let secrets = Mutex<Set<String>>([])

  init(_ configuration: JSONFile) { self.configuration = configuration }

  /// Reads the configuration, so it is not for Swift's cooperative pool.
  var variables: [String: String] {
    let named = secrets.withLock { secrets in
      secrets.formUnion(readNames())
      return secrets
    }
    return ProcessEnvironment.variables.filter { !named.contains($0.key) }
  }

  private func readNames() -> Set<String> {
    do throws(OAuthFailure) {
      return try configuration.read().map(Self.names) ?? []
    } catch {
      // The accounts that need the file say what is wrong with it.
      return []
    }
  }

  /// Wherever it stands, so that a fault in one account doesn't hide another's.
  private static func names(in json: JSON) -> Set<String> {
    switch json {
    case .object(let members):
      if members.count == 1, members[0].name == "env", let name = members[0].value.string { return [name] }
      return members.reduce(into: []) { $0.formUnion(names(in: $1.value)) }
    case .array(let elements): return elements.reduce(into: []) { $0.formUnion(names(in: $1)) }
    default: return []
    }
  }
}

import Jansson
import Loopback
import OAuthCore
import Store
import Synchronization

/// The environment of child processes: the process's own, without the variables that the configuration names with `{env}`.
final class ChildEnvironment: BrowserEnvironment {
  private let configuration: JSONFile
  /// Every variable named so far. A name stays here when the file can no longer be read, so a broken file exposes no secret.
  private let secrets = Mutex<Set<String>>([])

  init(_ configuration: JSONFile) { self.configuration = configuration }

  /// Reads the configuration file, so call it outside Swift's cooperative pool.
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
      // The accounts that need the file report what is wrong with it.
      return []
    }
  }

  /// Returns the names anywhere in the file, so a fault in one account doesn't hide another's.
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

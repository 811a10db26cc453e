import Jansson
import Store
import Synchronization

/// The environment of child processes: the process's own, without the variables that the configuration names with `{env}`.
package final class ChildEnvironment: Sendable {
  private let configuration: JSONFile
  /// Every variable named so far. A name stays here when the file can no longer be read, so a broken file exposes no secret.
  private let secrets = Mutex<(names: Set<String>, file: JSONFile.FileState)>(([], .unknown))

  init(_ configuration: JSONFile) { self.configuration = configuration }

  /// Reads the configuration file, so call it outside Swift's cooperative pool.
  package var variables: [String: String] {
    let file = configuration.look()
    let named = secrets.withLock { secrets in
      // The accounts that need the file report what is wrong with it.
      if file == .unknown || file != secrets.file, let json = try? configuration.read() {
        secrets = (secrets.names.union(Self.names(in: json)), file)
      }
      return secrets.names
    }
    return ProcessEnvironment.variables.filter { !named.contains($0.key) && $0.key != Self.jobToken }
  }

  /// The variable with which a job of GitHub Actions gets ID tokens.
  private static let jobToken = "ACTIONS_ID_TOKEN_REQUEST_TOKEN"

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

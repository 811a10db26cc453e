import Jansson

/// A JSON file that a user wrote; whatever is wrong with it is told with its path and the place inside.
package struct JSONFile: Sendable {
  package let path: String
  /// What it is, for messages, such as `the configuration`.
  package let what: String

  package init(_ path: String, _ what: String) {
    self.path = path
    self.what = what
  }

  /// What stands at the path, as far as a look can tell.
  package enum Sight: Equatable, Sendable {
    case nothing
    case file(FileStamp)
    /// Reading says why.
    case hidden
  }

  package func look() -> Sight {
    do throws(PosixFile.Fault) {
      return try FileStamp.of(path).map(Sight.file) ?? .nothing
    } catch {
      return .hidden
    }
  }

  /// nil where there is none.
  package func read() throws(OAuthFailure) -> JSON? {
    let bytes: [UInt8]?
    do throws(OAuthFailure) {
      bytes = try TextFile.read(path)
    } catch {
      throw invalid("", "cannot be read: \(error.message)")
    }
    guard let bytes else { return nil }
    do throws(JSONFault) {
      return try JSON.parse(bytes)
    } catch {
      guard case .syntax(let position) = error else { throw invalid("", "is no json that can be read") }
      throw invalid("", "is no json at line \(bytes.prefix(position).count { $0 == 10 } + 1)")
    }
  }

  package func invalid(_ place: String, _ problem: String) -> OAuthFailure {
    OAuthFailure(
      .configurationInvalid, "\(what) \(path)\(place.isEmpty ? "" : ", \(place),") \(problem)",
      details: [.init("path", .string(place)), .init("file", .string(path))])
  }
}

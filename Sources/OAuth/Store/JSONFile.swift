import Jansson

/// A JSON file that a user wrote; whatever is wrong with it is told with its path and the place inside.
package struct JSONFile: Sendable {
  package let path: String
  /// What it is, for messages, such as `the configuration`.
  package let what: String
  private let owners: TrustedOwners

  package init(_ path: String, _ what: String, _ owners: TrustedOwners = TrustedOwners()) {
    self.path = path
    self.what = what
    self.owners = owners
  }

  /// Whether its owner alone can read it.
  package var isPrivate: Bool { (try? PosixFile.isPrivate(path)) ?? true }

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

  /// 1 MiB: more than anybody writes by hand.
  private static let limit = 1 << 20

  /// nil where there is none.
  package func read() throws(OAuthFailure) -> JSON? {
    let found: [UInt8]?
    do throws(PosixFile.Fault) {
      found = try PosixFile.read(path, limit: Self.limit, check: owners.usersOwn)
    } catch {
      if error.reason == Descriptors.exhausted { throw StorageFailure.from(error) }
      if let problem = error.problem { throw invalid("", "is rejected: \(problem)") }
      throw invalid("", "cannot be read: \(error.isTooLarge ? "longer than \(Self.limit) bytes" : error.reason)")
    }
    guard var bytes = found else { return nil }
    // Some editors put a byte order mark in front; RFC 8259 (8.1) lets a reader pass over it.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard bytes.contains(where: { $0 > 0x20 }) else { throw invalid("", "is empty") }
    do throws(JSONFault) {
      return try JSON.parse(bytes)
    } catch {
      throw invalid("", Self.problem(error, in: bytes))
    }
  }

  /// What keeps a text from being read and where, counted as editors do.
  private static func problem(_ fault: JSONFault, in bytes: [UInt8]) -> String {
    func place(_ position: Int) -> String {
      let before = bytes.prefix(position)
      let line = before.split(separator: 10, omittingEmptySubsequences: false)
      // Bytes that go on with a character are no column of their own.
      return "line \(line.count), column \((line.last ?? []).count { $0 & 0xC0 != 0x80 } + 1)"
    }
    return switch fault {
    case .syntax(let position, .malformed): "is no json at \(place(position))"
    case .syntax(let position, .notUTF8): "is no json at \(place(position)): what stands there is not utf-8"
    case .syntax(let position, .endsEarly): "is no json at \(place(position)): it ends too early"
    case .syntax(let position, .goesOn): "is no json at \(place(position)): something follows behind its end"
    case .duplicateMember(let position): "names a member a second time at \(place(position))"
    case .nulInName(let position): "has a name with u+0000 in it at \(place(position))"
    case .tooDeep(let limit): "is nested deeper than \(limit) levels"
    case .numberOutOfRange: "has a number beyond 64 bits at \(place(JSON.positionOfLargeNumber(bytes)))"
    }
  }

  package func invalid(_ place: String, _ problem: String) -> OAuthFailure {
    OAuthFailure(
      .configurationInvalid, "\(what) \(path)\(place.isEmpty ? "" : ", \(place),") \(problem)",
      details: [.init("path", .string(place)), .init("file", .string(path))])
  }
}

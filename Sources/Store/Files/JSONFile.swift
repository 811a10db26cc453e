import Jansson
import OAuthCore
import Platform

/// A JSON file that a user wrote. Every error names the file's path and the place inside.
package struct JSONFile: Sendable {
  package let path: String
  /// What the file is, for messages, such as `the configuration`.
  package let what: String
  private let owners: TrustedOwners
  /// The content of a pipe, which has been read; nil for a file.
  private var piped: [UInt8]?

  package init(_ path: String, _ what: String, _ owners: TrustedOwners = TrustedOwners()) {
    (self.path, self.what, self.owners) = (path, what, owners)
  }

  /// Returns the file with its content if it is a pipe, which can be read only once. Waits for the end of the pipe.
  /// A file without a name counts as a pipe: a shell may make one for `<<`.
  package func readingPipe() throws(OAuthFailure) -> JSONFile {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO || status.st_nlink == 0 else { return self }
    var file = self
    file.piped = try content(isPipe: true)
    return file
  }

  /// Whether nothing can be written to it that a later process reads.
  package var isPipe: Bool { piped != nil }

  /// Whether only its owner can read the file.
  package var isPrivate: Bool { (try? PosixFile.isPrivate(path)) ?? true }

  /// Whether it belongs to the process's own user.
  package var isOwn: Bool { FileStamp.ifAny(path)?.owner == geteuid() }

  /// What is at the path, without reading it.
  package enum FileState: Equatable, Sendable {
    case nothing
    case file(FileStamp)
    /// The path cannot be examined, of which `read` reports the reason, or a further write may have the same stamp.
    case unknown
  }

  package func look() -> FileState {
    if isPipe { return .nothing }
    do throws(PosixFile.Fault) {
      return try FileStamp.of(path).map { $0.isSettled ? .file($0) : .unknown } ?? .nothing
    } catch {
      return .unknown
    }
  }

  /// 1 MiB: more than a handwritten file needs.
  private static let limit = 1 << 20

  private func content(isPipe: Bool) throws(OAuthFailure) -> [UInt8]? {
    if let piped { return piped }
    do throws(PosixFile.Fault) {
      return try PosixFile.read(path, limit: Self.limit, isPipe: isPipe, check: owners.usersOwn)
    } catch {
      if error.reason == Descriptors.exhausted { throw StorageFailure.from(error) }
      if let problem = error.problem { throw invalid("", "is rejected: \(problem)") }
      throw invalid("", "cannot be read: \(error.isTooLarge ? "longer than \(Self.limit) bytes" : error.reason)")
    }
  }

  /// Returns the parsed file, or nil if there is none.
  package func read() throws(OAuthFailure) -> JSON? {
    guard let bytes = try text() else { return nil }
    return try parsed(bytes)
  }

  /// Returns the file with an empty object in the place of the object `name`, the whole text, and the outline of that object, which is not parsed.
  package func read(without name: String) throws(OAuthFailure) -> (json: JSON, text: [UInt8], outline: [JSON.Unparsed])? {
    guard let bytes = try text() else { return nil }
    if let (rest, members) = JSON.outline(of: name, in: bytes), let json = try? JSON.parse(rest) { return (json, bytes, members) }
    return (try parsed(bytes), bytes, [])
  }

  private func text() throws(OAuthFailure) -> [UInt8]? {
    guard var bytes = try content(isPipe: false) else { return nil }
    // Some editors write a byte order mark. RFC 8259 (8.1) allows a parser to ignore it.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard bytes.contains(where: { $0 > 0x20 }) else { throw invalid("", "is empty") }
    return bytes
  }

  package func parsed(_ bytes: [UInt8]) throws(OAuthFailure) -> JSON {
    do throws(JSONFault) {
      return try JSON.parse(bytes)
    } catch {
      throw invalid("", Self.problem(error, in: bytes))
    }
  }

  /// Describes what is wrong with the text and where, in lines and columns as editors count them.
  private static func problem(_ fault: JSONFault, in bytes: [UInt8]) -> String {
    func place(_ position: Int) -> String {
      let before = bytes.prefix(position)
      let line = before.split(separator: 10, omittingEmptySubsequences: false)
      // A UTF-8 continuation byte is not a column.
      return "line \(line.count), column \((line.last ?? []).count { $0 & 0xC0 != 0x80 } + 1)"
    }
    return switch fault {
    // UTF-8 has no such byte.
    case .syntax where bytes[0] >= 0xFE: "begins with the byte order mark of UTF-16: save it as UTF-8"
    case .syntax(let position, .malformed): "is not valid JSON at \(place(position))\(cause(bytes, position))"
    case .syntax(let position, .notUTF8): "is not valid JSON at \(place(position)): the text there is not UTF-8"
    case .syntax(let position, .endsEarly): "is not valid JSON at \(place(position)): it ends too early"
    case .syntax(let position, .goesOn): "is not valid JSON at \(place(position)): more text follows its end"
    case .duplicateMember(let position): "has the same member twice at \(place(position))"
    case .nulInName(let position): "has a name with U+0000 in it at \(place(position))"
    case .tooDeep(let limit): "is nested deeper than \(limit) levels"
    case .numberOutOfRange: "has a number beyond 64 bits at \(place(JSON.positionOfLargeNumber(bytes)))"
    }
  }

  /// Returns what other formats allow there; empty if that is not known.
  private static func cause(_ bytes: [UInt8], _ position: Int) -> String {
    let rest = bytes.dropFirst(position)
    if ["//", "/*", "#"].contains(where: { rest.starts(with: $0.utf8) }) { return ": JSON has no comments" }
    let isEnd = rest.first == UInt8(ascii: "}") || rest.first == UInt8(ascii: "]")
    return isEnd && bytes.prefix(position).last { $0 > 0x20 } == UInt8(ascii: ",") ? ": remove the comma before it" : ""
  }

  /// Returns what `decode` makes of the file. A fault gets the file's path.
  package func decoded<Value>(_ decode: () throws(FieldError) -> Value) throws(OAuthFailure) -> Value {
    do throws(FieldError) { return try decode() } catch { throw invalid(error.path, error.wholeProblem) }
  }

  package func invalid(_ place: String, _ problem: String) -> OAuthFailure {
    OAuthFailure(
      .configurationInvalid, "\(what) \(path)\(place.isEmpty ? "" : ", \(place),") \(problem)",
      details: [.init("path", .string(place)), .init("file", .string(path))])
  }
}

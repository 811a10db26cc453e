import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Signatures

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A provider's documented requests and answers, read from a file in `Exchanges`.
///
/// The file begins with comments (`#`) that link the documentation, and with lines of `name: value`. Then come sections, each after a line `---
/// name`. `{state}`, `{nonce}`, `{challenge}` and `{verifier}` are placeholders for values that differ with each sign-in.
struct Exchange {
  struct Section {
    var name: String
    var text: String
  }

  let preset: String
  private(set) var sources: [String] = []
  private(set) var fields: [(name: String, value: String)] = []
  private(set) var sections: [Section] = []

  init(_ preset: String) throws {
    self.preset = preset
    let text = String(decoding: try #require(Self.file("Tests/OAuthTests/Providers/Exchanges/\(preset).txt")), as: UTF8.self)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("--- ") {
        sections.append(Section(name: String(line.dropFirst(4)), text: ""))
      } else if !sections.isEmpty {
        sections[sections.count - 1].text += Self.filled(line) + "\n"
      } else if line.hasPrefix("#") {
        sources += line.split(separator: " ").filter { $0.hasPrefix("https://") }.map(String.init)
      } else if !line.isEmpty {
        fields.append(try Self.pair(line))
      }
    }
    for index in sections.indices { sections[index].text = Self.trimmed(sections[index].text) }
  }

  subscript(_ field: String) -> String? { fields.first { $0.name == field }?.value }

  func section(_ name: String) -> String? { sections.first { $0.name == name }?.text }
  func sections(_ name: String) -> [String] { sections.filter { $0.name == name }.map(\.text) }

  /// Returns the words of a field, without commas.
  func words(_ field: String) -> [String] { (self[field] ?? "").split { $0 == " " || $0 == "," }.map(String.init) }

  static let proof = AuthorizationRequest.PKCE(random: Array(repeating: 0, count: 32))
  static let hexadecimal = AuthorizationRequest.PKCE(random: Array(repeating: 0, count: 32), isHexadecimal: true).challenge
  static let state = Base64.encodeURL(Array(repeating: 0, count: 16))

  private static func filled(_ line: Substring) -> String {
    var text = String(line)
    let proofs = [("challenge", proof.challenge), ("hexadecimal", hexadecimal), ("verifier", proof.verifier.value)]
    for (name, value) in [("state", state), ("nonce", state)] + proofs {
      text = text.split(separator: "{\(name)}", omittingEmptySubsequences: false).joined(separator: value)
    }
    return text
  }

  static func pair(_ line: Substring) throws -> (name: String, value: String) {
    let colon = try #require(line.firstIndex(of: ":"), "\(line)")
    return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }

  /// Returns a file of the package by its path; nil if it does not exist.
  static func file(_ path: String) -> [UInt8]? {
    guard let stream = fopen(root + path, "r") else { return nil }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  /// Returns the file names in a folder of the package, up to their first dot.
  static func names(in folder: String) throws -> [String] {
    let stream = try #require(opendir(root + folder))
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { place in
        place.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(String(name.prefix { $0 != "." })) }
    }
    return names.sorted()
  }

  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/") + "/"
}

extension HTTPRequest {
  /// The request as an exchange writes it: the first line, the headers sorted by name, and the body.
  var written: String {
    var lines = ["\(method) \(url)"]
    lines += headers.sorted { $0.name.lowercased() < $1.name.lowercased() }.map { "\($0.name): \($0.value)" }
    if case .bytes(let bytes) = body, !bytes.isEmpty { lines += ["", String(decoding: bytes, as: UTF8.self)] }
    return lines.joined(separator: "\n")
  }
}

extension HTTPResponse {
  /// Reads `HTTP 200`, the headers, and the body after an empty line or from a bracket.
  init(exchange text: String) throws {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    let status = try #require(lines.first?.split(separator: " ").last.flatMap { Int($0) }, "\(text)")
    self.init(status: status)
    lines.removeFirst()
    while let line = lines.first, !line.isEmpty, line.first != "{", line.first != "[" {
      let (name, value) = try Exchange.pair(line)
      headers.append(HTTPHeader(name, value))
      lines.removeFirst()
    }
    if lines.first?.isEmpty == true { lines.removeFirst() }
    body = Array(lines.joined(separator: "\n").utf8)
  }
}

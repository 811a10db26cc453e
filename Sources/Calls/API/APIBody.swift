import Jansson
import OAuthCore
import Platform

/// A request's body in one of its forms.
package enum APIBody: Sendable {
  case form(NamedValues<OneOrMany>)
  case json(JSON)
  case text(String)
  case bytes([UInt8])
  case file(String)
  case multipart([Part])

  /// One part of a multipart body (RFC 7578).
  package struct Part: FieldObject {
    package static let schemaName: String? = "BodyPart"

    package indirect enum Content: Sendable {
      case json(JSON)
      case text(String)
      case bytes([UInt8])
      case file(String)

      fileprivate var fileName: String? {
        guard case .file(let path) = self else { return nil }
        return path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
      }
    }

    package var name: String
    package var content: Content
    package var fileName: String?
    package var contentType: String?

    package init(_ fields: inout ObjectReader) throws(FieldError) {
      name = try fields.required("name", "The field's name.")
      let text: String? = try fields.optional("text", "The content as text.")
      let json: JSON? = try fields.optional("json", "The content as JSON.")
      let base64: String? = try fields.optional("base64", "The content in base64.")
      let file: String? = try fields.optional("file", "The path of a file with the content, at most 64 MiB.")
      fileName = try fields.optional("fileName", "The file name for the service.")
      contentType = try fields.optional("contentType", "The content's media type.")
      content = .text("")
      if fields.isDescribing { return }
      for (member, value) in [("name", name), ("fileName", fileName ?? ""), ("contentType", contentType ?? "")]
      where value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        throw FieldError(fields.pointer(member), "must not contain control characters")
      }
      content = try fields.one(of: [
        ("text", text.map(Content.text)), ("json", json.map(Content.json)), ("base64", base64.map { _ in .bytes([]) }),
        ("file", file.map(Content.file)),
      ])
      if let base64 { content = .bytes(try APIBody.decode(base64, at: fields.pointer("base64"))) }
      if let file { try APIBody.check(path: file, at: fields.pointer("file")) }
    }
  }
}

extension APIBody: FieldObject {
  package static let schemaName: String? = "Body"
  package static let placeholder = APIBody.text("")

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    let form: NamedValues<OneOrMany>? = try fields.optional(
      "form", "Names and values, which the process sends as a form. An array repeats its name.")
    let json: JSON? = try fields.optional("json", "Any JSON. Its numbers keep their value.")
    let text: String? = try fields.optional("text", "Text, which the process sends as UTF-8.")
    let base64: String? = try fields.optional("base64", "Bytes in base64.")
    let file: String? = try fields.optional("file", "The path of a file to send.")
    let multipart: [Part]? = try fields.optional("multipart", "The parts of a `multipart/form-data` body.")
    self = .text("")
    if fields.isDescribing { return }
    self = try fields.one(of: [
      ("form", form.map(APIBody.form)), ("json", json.map(APIBody.json)), ("text", text.map(APIBody.text)),
      ("base64", base64.map { _ in .bytes([]) }), ("file", file.map(APIBody.file)), ("multipart", multipart.map(APIBody.multipart)),
    ])
    if let base64 { self = .bytes(try Self.decode(base64, at: fields.pointer("base64"))) }
    if let file { try Self.check(path: file, at: fields.pointer("file")) }
  }

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> APIBody {
    if case .string = json { throw FieldError(path, "must be an object, not a string: did you mean {\"text\": …}?") }
    return try decode(json, at: path)
  }

  static func decode(_ base64: String, at path: String) throws(FieldError) -> [UInt8] {
    guard let bytes = try? Base64.decode(base64) else { throw FieldError(path, "is not base64") }
    return bytes
  }

  /// Rejects an empty path and one with a NUL. The system would cut the path at the NUL and send another file.
  static func check(path text: String, at path: String) throws(FieldError) {
    guard !text.isEmpty, !text.utf8.contains(0) else { throw FieldError(path, "must be a path") }
  }

  /// The paths of the files to send.
  var files: [String] {
    switch self {
    case .file(let path): [path]
    case .multipart(let parts):
      parts.compactMap { part in
        if case .file(let path) = part.content { path } else { nil }
      }
    default: []
    }
  }

  /// Replaces the paths of the files, in the order of `files`.
  mutating func replaceFiles(by paths: [String]) {
    var rest = paths[...]
    switch self {
    case .file: if let path = rest.popFirst() { self = .file(path) }
    case .multipart(var parts):
      for index in parts.indices {
        guard case .file(let old) = parts[index].content, let path = rest.popFirst() else { continue }
        // The service sees the name that the caller wrote.
        if parts[index].fileName == nil { parts[index].fileName = APIBody.Part.Content.file(old).fileName }
        parts[index].content = .file(path)
      }
      self = .multipart(parts)
    default: break
    }
  }

  /// Returns the bytes to send and their media type. A single file is sent from disk.
  /// Reads the files of multipart parts, so a body with `files` must not be encoded on the task pool.
  /// With `root`, the paths start in that open folder and have no link.
  func encode(boundary: String, below root: Int32?) throws(OAuthFailure) -> (body: HTTPRequest.Body, contentType: String) {
    switch self {
    case .form(let form):
      let pairs = form.pairs.flatMap { pair in pair.value.values.map { (pair.name, $0) } }
      return (.bytes(Array(FormEncoding.encode(pairs).utf8)), "application/x-www-form-urlencoded")
    case .json(let json): return (.bytes(json.text), "application/json")
    case .text(let text): return (.bytes(Array(text.utf8)), "text/plain; charset=utf-8")
    case .bytes(let bytes): return (.bytes(bytes), "application/octet-stream")
    case .file(let path): return (.file(path: path), "application/octet-stream")
    case .multipart(let parts):
      var body: [UInt8] = []
      for part in parts {
        body.append(contentsOf: "--\(boundary)\r\n\(part.disposition)\r\n".utf8)
        let (bytes, type) = try part.encode(below: root)
        if let type = part.contentType ?? type { body.append(contentsOf: "Content-Type: \(type)\r\n".utf8) }
        body.append(contentsOf: "\r\n".utf8)
        body.append(contentsOf: bytes)
        body.append(contentsOf: "\r\n".utf8)
      }
      body.append(contentsOf: "--\(boundary)--\r\n".utf8)
      return (.bytes(body), "multipart/form-data; boundary=\(boundary)")
    }
  }
}

extension APIBody.Part {
  /// Escapes quotes and line ends as browsers do (WHATWG, multipart/form-data). Receivers would take a backslash literally.
  fileprivate var disposition: String {
    var line = "Content-Disposition: form-data; name=\"\(Self.quoted(name))\""
    if let shown = fileName ?? content.fileName { line += "; filename=\"\(Self.quoted(shown))\"" }
    return line
  }

  private static func quoted(_ text: String) -> String {
    // Escapes scalars, not characters: with a combining mark, a quote becomes another character but stays a quote for the receiver.
    var quoted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted.append(contentsOf: "%22".unicodeScalars)
      // A file name may contain line ends, which would start another header.
      case "\r": quoted.append(contentsOf: "%0D".unicodeScalars)
      case "\n": quoted.append(contentsOf: "%0A".unicodeScalars)
      default: quoted.append(scalar)
      }
    }
    return String(quoted)
  }

  /// 64 MiB, because parts are assembled in memory. A larger file can be sent as the only body, from disk.
  private static let fileLimit = 64 << 20

  fileprivate func encode(below root: Int32?) throws(OAuthFailure) -> (bytes: [UInt8], type: String?) {
    switch content {
    case .json(let json): return (json.text, "application/json")
    case .text(let text): return (Array(text.utf8), nil)
    case .bytes(let bytes): return (bytes, "application/octet-stream")
    case .file(let path):
      do throws(PosixFile.Fault) {
        guard let bytes = try PosixFile.read(path, limit: Self.fileLimit, below: root) else {
          throw PosixFile.Fault(path: path, code: ENOENT)
        }
        return (bytes, "application/octet-stream")
      } catch {
        throw OAuthFailure(HTTPFailure.file(path: path, reason: error.reason))
      }
    }
  }
}

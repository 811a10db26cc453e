import Jansson

/// One call of a service's API, as a caller describes it.
package struct APIRequest: Sendable {
  /// How the response's body is wanted.
  package enum As: String, FieldWord {
    case text, json, base64
    /// The part of the JSON that the provider's `apiErrors` calls `results`, out of its envelope.
    case results
  }

  package var account: String
  package var url: String
  /// The endpoint of the provider's own description that this goes to, where it is no call of the API proper.
  package var endpoint: String?
  package var method = "GET"
  package var query = NamedValues<OneOrMany>()
  package var headers = NamedValues<String>()
  /// Sent in the query or in the body, as the method and the provider want it.
  package var parameters: NamedValues<JSON>?
  package var body: APIBody?
  package var `as` = As.text
  package var saveTo: String?
  /// Whether `saveTo` replaces a file that is there.
  package var overwrites = false
  package var streams = false
  /// Seconds for the whole call, retries included.
  package var timeout = 60
  package var maxBytes: Int?
  package var retries: Bool?
  /// The id of the request.
  package var cause: JSON?

  package init(account: String, url: String) {
    self.account = account
    self.url = url
  }

  /// Whether it moves a file or a stream, whose size nobody knows.
  package var isLarge: Bool {
    if case .file? = body { return true }
    return saveTo != nil || streams
  }

  /// What can be said of the request before anything is sent: a CR, LF, NUL or blank in the wrong place would change what goes out (RFC 9112, 11.1).
  func check() throws(FieldError) {
    guard !method.isEmpty, method.utf8.allSatisfy(Self.isToken) else { throw FieldError("/method", "has to be one token of letters") }
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw FieldError("/url", "must not contain blanks or control characters")
    }
    if body != nil, method.uppercased() == "HEAD" { throw FieldError("/body", "cannot go with HEAD") }
    if body != nil, parameters != nil { throw FieldError("/parameters", "cannot go together with body") }
    for (name, value) in headers.pairs {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isToken) else { throw FieldError("/headers", "has a name that is no header name") }
      guard !value.utf8.contains(where: { $0 == 13 || $0 == 10 || $0 == 0 }) else {
        throw FieldError("/headers/\(name)", "must not contain line ends or nul")
      }
      if ["host", "content-length", "transfer-encoding", "connection"].contains(name.lowercased()) {
        throw FieldError("/headers/\(name)", "is decided by the transport")
      }
    }
  }

  /// The parameters as they go into a query or a form, which have no place for objects.
  var scalarParameters: [(name: String, value: OneOrMany)] {
    get throws(FieldError) {
      var scalars: [(name: String, value: OneOrMany)] = []
      for (name, value) in parameters?.pairs ?? [] {
        scalars.append((name, try OneOrMany.read(value, at: Fields.pointer(to: name, in: "/parameters"))))
      }
      return scalars
    }
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

/// A value, or several under one name.
package enum OneOrMany: FieldValue {
  case one(String)
  case many([String])

  package var values: [String] {
    switch self {
    case .one(let value): [value]
    case .many(let values): values
    }
  }

  package static var schema: JSON {
    let scalar: JSON = ["type": ["string", "integer", "boolean"]]
    return ["anyOf": [scalar, ["type": "array", "items": scalar]]]
  }

  package static let placeholder = OneOrMany.one("")

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> OneOrMany {
    guard case .array(let elements) = json else { return .one(try scalar(json, at: path)) }
    var values: [String] = []
    for (index, element) in elements.enumerated() { values.append(try scalar(element, at: "\(path)/\(index)")) }
    return .many(values)
  }

  private static func scalar(_ json: JSON, at path: String) throws(FieldError) -> String {
    switch json {
    case .string(let value): return value
    case .integer(let value): return String(value)
    case .bool(let value): return value ? "true" : "false"
    default: throw FieldError(path, "has to be a string, an integer or a boolean, not \(json.kind)")
    }
  }

  package func write(to writer: inout JSONWriter) { values.write(to: &writer) }
}

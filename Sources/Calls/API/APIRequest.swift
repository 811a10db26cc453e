import Jansson
import OAuthCore
import Plans
import Store

/// One call of a service's API, as a caller describes it.
package struct APIRequest: Sendable {
  /// The form of the response's body that the caller wants.
  package enum As: String, DescribedEnum {
    package static let schemaName: String? = "ResponseForm"

    case text, json, base64
    case results
  }

  package var account: String
  /// What another token than the account's own is for.
  package var terms = TokenTerms()
  package var validity = Grant.Validity.use
  package var url: String
  /// Set if the request is for an endpoint of the provider's description instead of the API.
  package var endpoint: String?
  package var method = "GET"
  package var query = NamedValues<OneOrMany>()
  package var headers = NamedValues<String>()
  /// Sent in the query or in the body, depending on the method and the provider.
  package var parameters: NamedValues<JSON>?
  package var body: APIBody?
  package var `as` = As.text
  package var saveTo: String?
  /// Whether `saveTo` replaces an existing file.
  package var overwrites = false
  /// Whether `saveTo` continues a download that broke off.
  package var resumes = false
  package var streams = false
  /// Set if another program's request is passed on.
  package var passing: Passing?
  /// Seconds for the whole call, retries included.
  package var timeout = 60
  package var maxBytes: Int?
  package var retries: Bool?
  /// What the service wants in the proof of a request that the client sends itself.
  package var dpopNonce: String?
  /// The id of the JSON-RPC request.
  package var requestID: JSON?

  package init(account: String, url: String) {
    self.account = account
    self.url = url
  }

  /// Whether the call transfers a file or a stream, whose size is unknown.
  package var isLarge: Bool {
    if case .file? = body { return true }
    return saveTo != nil || streams
  }

  /// Checks the request before anything is sent. A CR, LF, NUL or blank in the wrong place would change the message (RFC 9112, 11.1).
  func check() throws(FieldError) {
    guard HTTPRequest.isToken(method) else { throw FieldError("/method", "must be one word without separators") }
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw FieldError("/url", "must not contain blanks or control characters")
    }
    if body != nil, method.uppercased() == "HEAD" { throw FieldError("/body", "cannot be used with HEAD") }
    if resumes,
      method.uppercased() != "GET" || body != nil
        || headers.pairs.contains(where: { ["range", "if-range"].contains($0.name.lowercased()) })
    {
      throw FieldError("/resume", "needs the method GET without a Range header")
    }
    if body != nil, parameters != nil { throw FieldError("/parameters", "cannot be combined with body") }
    for (name, value) in headers.pairs {
      guard HTTPRequest.isToken(name) else { throw FieldError("/headers", "has an invalid header name") }
      guard !value.utf8.contains(where: { $0 == 13 || $0 == 10 || $0 == 0 }) else {
        throw FieldError("/headers/\(name)", "must not contain line ends or NUL")
      }
      if ["host", "content-length", "transfer-encoding", "connection"].contains(name.lowercased()) {
        throw FieldError("/headers/\(name)", "cannot be set: the process sets this header itself")
      }
    }
  }

  /// The parameters for a query or a form, which cannot contain objects.
  var scalarParameters: [(name: String, value: OneOrMany)] {
    get throws(FieldError) {
      try (parameters?.pairs ?? []).map { name, value throws(FieldError) in
        (name, try OneOrMany.read(value, at: ObjectReader.pointer(to: name, in: "/parameters")))
      }
    }
  }
}

import OAuthCore

/// A request prepared for signing: the signed data, and the place of the protocol's parameters.
struct OAuth1Draft {
  private let source: OAuth1Request
  /// Without its fragment, with the step's own parameters if the query takes them.
  private let url: URLParts
  /// The body if it is a single-part form (RFC 5849 §3.4.1.3.1), with any method.
  private let form: [UInt8]?
  private let placement: SignaturePlacement
  private let protocolParameters: [OAuth1Parameter]
  package let baseString: SignatureBaseString

  init(_ source: OAuth1Request) throws(OAuthFailure) {
    self.source = source
    let client = source.client
    var url = try Self.url(source.request.url)
    if client.signatureMethod == .plaintext, !url.hasSafeScheme {
      throw .misconfigured("/url", "plaintext signatures contain the secrets, so they need https")
    }
    let contentType = source.request.headers.first { $0.isNamed("content-type") }?.value
    let isForm = contentType.map(Self.isForm) ?? false
    form = try Self.form(source, isForm: isForm)
    placement = Self.placement(source, hasForm: form != nil, hasContentType: contentType != nil)
    protocolParameters = source.protocolParameters

    var covered = EncodedParameters()
    for parameter in protocolParameters { covered.add(parameter.name, parameter.value) }
    if let form { covered.add(form: form) }
    for parameter in source.parameters where !parameter.isProtocol {
      if placement == .body {
        covered.add(parameter.name, parameter.value)
      } else {
        url = url.appendingQuery([(parameter.name, parameter.value)])
      }
    }
    self.url = url
    baseString = SignatureBaseString(method: source.request.method, url: url, parameters: covered)
    if let name = baseString.parameters.excessProtocolName { throw .misconfigured("/url", "the request has \(name) already") }
  }

  /// Returns the request with the protocol's parameters and the signature.
  package func request(signature: String) throws(OAuthFailure) -> HTTPRequest {
    var all: [OAuth1Parameter] { protocolParameters + [OAuth1Parameter("oauth_signature", signature)] }
    var request = source.request
    switch placement {
    case .header:
      request.url = url.description
      request.headers.removeAll { $0.isNamed("authorization") }
      request.headers.append(HTTPHeader("Authorization", try authorization(signature)))
    case .query: request.url = url.appendingQuery(all.map { ($0.name, $0.value) }).description
    case .body:
      request.url = url.description
      var body = form ?? []
      for parameter in source.parameters.filter({ !$0.isProtocol }) + all {
        if !body.isEmpty, body.last != UInt8(ascii: "&") { body.append(UInt8(ascii: "&")) }
        body += "\(PercentEncoding.encode(parameter.name))=\(PercentEncoding.encode(parameter.value))".utf8
      }
      request.body = .bytes(body)
      if form == nil { request.headers.append(HTTPHeader("Content-Type", "application/x-www-form-urlencoded")) }
    }
    return request
  }

  /// Returns the header's value (§3.5.1). The realm is a quoted string (RFC 7235 §2.2).
  private func authorization(_ signature: String) throws(OAuthFailure) -> String {
    var header = "OAuth "
    if let realm = source.client.realm {
      guard realm.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        throw .misconfigured("/provider/realm", "the realm has a control character")
      }
      let marks = "\"\\".utf8
      header +=
        "realm=\"\(String(decoding: realm.utf8.flatMap { marks.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }, as: UTF8.self))\", "
    }
    return header
      + (protocolParameters + [OAuth1Parameter("oauth_signature", signature)])
      .map { "\(PercentEncoding.encode($0.name))=\"\(PercentEncoding.encode($0.value))\"" }.joined(separator: ", ")
  }
}

// MARK: Taking apart
extension OAuth1Draft {
  private static func url(_ text: String) throws(OAuthFailure) -> URLParts {
    do throws(URLFailure) {
      var url = try URLParts(text)
      guard url.scheme == "https" || url.scheme == "http" else { throw .scheme }
      guard url.userInfo == nil else { throw .userInfo }
      url.fragment = nil
      return url
    } catch {
      throw .misconfigured("/url", error.description)
    }
  }

  /// Returns whether the Content-Type is the form's, with any parameters and in any case (RFC 9110 §8.3.1).
  private static func isForm(_ contentType: String) -> Bool {
    contentType.prefix { $0 != ";" }.trimmed.lowercased() == "application/x-www-form-urlencoded"
  }

  private static func form(_ source: OAuth1Request, isForm: Bool) throws(OAuthFailure) -> [UInt8]? {
    guard isForm else { return nil }
    switch source.request.body {
    case .none: return []
    case .bytes(let bytes): return bytes
    case .file: throw .misconfigured("/body", "the signature covers a form, so a form cannot be sent from a file")
    case .supplied: throw .unsupported("the signature covers a form (RFC 5849, 3.4.1.3), and the form is passed on unread: use callAPI")
    }
  }

  /// Returns the placement. Uses the header instead of `.body` if the request can have no form.
  private static func placement(_ source: OAuth1Request, hasForm: Bool, hasContentType: Bool) -> SignaturePlacement {
    guard source.client.placement == .body else { return source.client.placement }
    // These methods give a body no meaning (RFC 9110 §9.3.1, §9.3.2), so servers ignore it.
    if ["GET", "HEAD"].contains(source.request.method.uppercased()) { return .header }
    switch source.request.body {
    case .none: return hasForm || !hasContentType ? .body : .header
    case .bytes(let bytes): return hasForm || bytes.isEmpty && !hasContentType ? .body : .header
    case .file, .supplied: return .header
    }
  }
}

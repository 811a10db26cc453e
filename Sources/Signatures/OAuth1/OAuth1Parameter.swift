import OAuthCore

/// One parameter, not encoded.
package typealias OAuth1Parameter = RedirectParameter

extension OAuth1Parameter {
  /// Whether the parameter belongs to the protocol, and so into the header (§3.5.1); `xoauth_displayname` does not.
  var isProtocol: Bool { name.utf8.starts(with: "oauth_".utf8) }

  /// Whether every signed request sets this parameter itself (§3.1), so that no other source may.
  package var isCredential: Bool {
    [
      "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_version", "oauth_body_hash", "oauth_nonce", "oauth_timestamp",
      "oauth_signature",
    ].contains(name)
  }
}

/// The `OAuth` challenge of a `WWW-Authenticate` header (RFC 5849 §3.5.1).
package enum OAuth1Challenge {
  /// Returns the challenge's parameters, percent-decoded except for the realm; empty if the header has no such challenge.
  package static func parameters(_ header: String) -> [OAuth1Parameter] {
    HTTPChallenge.parameters(header, scheme: "oauth").map { name, value in
      if name == "realm" { return OAuth1Parameter(name, String(decoding: value, as: UTF8.self)) }
      return OAuth1Parameter(name, PercentEncoding.lenientText(value[...], plusIsBlank: false))
    }
  }
}

/// The names and values of a response or a stored grant, as GTMOAuth reads them.
package enum OAuth1Form {
  /// Splits at `&` and the first `=`. A part without a name is ignored; a name without `=` has an empty value.
  ///
  /// `+` stays `+`: tokens contain base64 that many servers forget to escape, and never a space. A broken escape stays as it is.
  package static func decode(_ form: some BidirectionalCollection<UInt8>) -> [OAuth1Parameter] {
    FormEncoding.parts(form).map { pair in
      func text(_ part: ArraySlice<UInt8>) -> String { PercentEncoding.lenientText(part, plusIsBlank: false) }
      return OAuth1Parameter(text(pair.name), text(pair.value))
    }.filter { !$0.name.isEmpty }
  }
}

/// The signed text: method, URL and parameters in a form that both sides can compute (RFC 5849 §3.4.1).
struct SignatureBaseString {
  /// In capitals (§3.4.1.1).
  package let method: String
  /// Scheme, host and path, without the query and the scheme's default port (§3.4.1.2).
  package let uri: String
  /// Sorted.
  package let parameters: EncodedParameters

  /// `parameters` are all signed parameters except the URL's query, in any order.
  ///
  /// The path keeps its spelling: `%2F` stays.
  init(method: String, url: URLParts, parameters: EncodedParameters) {
    self.method = method.uppercased()
    uri = url.origin + (url.path.isEmpty ? "/" : url.path)
    var parameters = parameters
    if let query = url.query { parameters.add(form: query.utf8) }
    parameters.sort()
    self.parameters = parameters
  }

  package var bytes: [UInt8] { Array("\(PercentEncoding.encode(method))&\(PercentEncoding.encode(uri))&\(parameters.encodedAgain)".utf8) }
}

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

/// The parameters that a signature covers, encoded and put in order (RFC 5849 §3.4.1.3.2).
struct EncodedParameters {
  /// Names and values, encoded once (§3.6).
  private(set) var pairs: [(name: String, value: String)] = []

  mutating func add(_ name: String, _ value: String) { pairs.append((PercentEncoding.encode(name), PercentEncoding.encode(value))) }

  /// Adds the parameters of a query or a form (§3.4.1.3.1). Each part is decoded, `+` as a space, and encoded again: `%7e` becomes `~`.
  /// The values between are bytes, since escapes in a query need not be valid UTF-8 and must stay.
  ///
  /// A part without `=` has an empty value. An empty part is ignored. A percent sign without an escape stays as it is.
  mutating func add(form: some Sequence<UInt8>) {
    func encoded(_ part: ArraySlice<UInt8>) -> String { PercentEncoding.encode(PercentEncoding.decodeLeniently(part, plusIsBlank: true)) }
    pairs += FormEncoding.parts(form).map { (encoded($0.name), encoded($0.value)) }
  }

  /// Sorts the parameters by their encoded bytes, name before value: `%` sorts before every letter and digit.
  mutating func sort() { pairs.sort { ($0.name, $0.value) < ($1.name, $1.value) } }

  /// The name of a forbidden parameter: a repeated one beginning with `oauth_`, or the signature, which is added last (§3.1). Call `sort` first.
  var excessProtocolName: String? {
    pairs.indices.first { index in
      let name = pairs[index].name
      return name.hasPrefix("oauth_") && (name == "oauth_signature" || (index > 0 && pairs[index - 1].name == name))
    }.map { pairs[$0].name }
  }

  /// `name=value&…`, encoded a second time for the base string (§3.4.1.1).
  var encodedAgain: String { pairs.map { PercentEncoding.encode($0.name + "=" + $0.value) }.joined(separator: PercentEncoding.encode("&")) }
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

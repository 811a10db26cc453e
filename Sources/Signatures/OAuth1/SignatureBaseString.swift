import OAuthCore

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
  /// The path keeps its spelling: `%2F` stays. GTMOAuth lost it by rebuilding the URL from decoded parts.
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

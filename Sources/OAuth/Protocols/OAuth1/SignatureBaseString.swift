/// What is signed: method, URL and parameters in one text that both sides can make (RFC 5849 §3.4.1).
struct SignatureBaseString {
  /// In capitals (§3.4.1.1).
  let method: String
  /// Scheme, host and path; no query, and no port where it is the scheme's own (§3.4.1.2).
  let uri: String
  /// In order.
  let parameters: EncodedParameters

  /// `parameters` are all that the signature covers but the URL's query, in any order.
  ///
  /// The path is taken as it is written: a `%2F` in it stays one, which GTMOAuth lost by building the URL anew from decoded parts.
  init(method: String, url: URLParts, parameters: EncodedParameters) {
    self.method = method.uppercased()
    uri = url.origin + (url.path.isEmpty ? "/" : url.path)
    var parameters = parameters
    if let query = url.query { parameters.add(form: query.utf8) }
    parameters.sort()
    self.parameters = parameters
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    EncodedParameters.appendEncoded(method.utf8, to: &bytes)
    bytes.append(UInt8(ascii: "&"))
    EncodedParameters.appendEncoded(uri.utf8, to: &bytes)
    bytes.append(UInt8(ascii: "&"))
    parameters.appendEncodedAgain(to: &bytes)
    return bytes
  }
}

import Crypto
import Jansson

@testable import OAuthCore
@testable import Signatures

/// OAuth 1.0a: a server that follows RFC 5849 computes the signature that was sent, and only a matching callback gives its verifier.
///
/// The input has lines: the URL, the step's own parameters, the realm, and then the body.
struct OAuth1Target: FuzzTarget {
  static let name = "oauth1"

  func run(_ input: [UInt8]) throws {
    checkAnswers(input)
    let lines = input.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false).map(Array.init)
    guard lines.count == 4, let url = String(validating: lines[0], as: UTF8.self) else { return }
    for placement in SignaturePlacement.allCases {
      for isForm in [true, false] {
        let headers = isForm ? [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")] : []
        let client = OAuth1Client(
          consumerKey: "key&", consumerSecret: Secret("s e"), placement: placement, realm: lines[2].text)
        let request = OAuth1Request(
          HTTPRequest(method: "POST", url: url, headers: headers, body: .bytes(isForm || placement != .body ? lines[3] : [])),
          client: client,
          token: OAuth1Token(token: Secret("t/"), secret: Secret("%")), parameters: OAuth1Form.decode(lines[1]), nonce: "n", timestamp: 1)
        guard let signed = try? request.signed() else { continue }
        checkSignature(signed, isForm: isForm || placement == .body)
      }
    }
  }

  /// Verifies the request as a server does: it collects the parameters from their three places (RFC 5849 §3.4.1.3.1).
  private func checkSignature(_ request: HTTPRequest, isForm: Bool) {
    guard let url = try? URLParts(request.url) else { fatalError("the signed URL is none") }
    var pairs: [([UInt8], [UInt8])] = []
    pairs += Self.form(Array((url.query ?? "").utf8))
    if isForm, case .bytes(let bytes) = request.body { pairs += Self.form(bytes) }
    if let header = request.headers.first(where: { $0.name == "Authorization" }) { pairs += Self.header(Array(header.value.utf8)) }
    let signatures = pairs.filter { $0.0 == Array("oauth_signature".utf8) }
    require(signatures.count == 1, "\(signatures.count) signatures are sent")
    for name in ["oauth_consumer_key", "oauth_token", "oauth_nonce", "oauth_timestamp", "oauth_signature_method"] {
      require(pairs.count { $0.0 == Array(name.utf8) } == 1, "\(name) is not sent once")
    }
    let encoded = pairs.filter { $0.0 != Array("oauth_signature".utf8) }.map { (Self.encoded($0.0), Self.encoded($0.1)) }
    let sorted = encoded.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    var uri = "\(url.scheme)://\(url.host)"
    if let port = url.explicitPort, port != (url.scheme == "https" ? 443 : 80) { uri += ":\(port)" }
    uri += url.path.isEmpty ? "/" : url.path
    let base = "POST&\(Self.encoded(Array(uri.utf8)))&\(Self.encoded(Array(sorted.utf8)))"
    // Both secrets, encoded.
    let key = SymmetricKey(data: Array("s%20e&%25".utf8))
    let code = Array(HMAC<Insecure.SHA1>.authenticationCode(for: Array(base.utf8), using: key))
    require(signatures[0].1 == Array(Base64.encode(code).utf8), "a server computes another signature over \(base)")
  }

  /// Responses and callbacks.
  private func checkAnswers(_ input: [UInt8]) {
    let token = Secret("our-token")
    let parameters = FormEncoding.decodeLeniently(input).map { RedirectParameter(name: $0.0, value: $0.1) }
    func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }
    switch OAuth1Callback(parameters, token: token) {
    case .notOurs: break
    case .verifier(let verifier):
      require(values("oauth_token").allSatisfy { $0 == token.value } && !values("oauth_token").isEmpty, "a foreign token gives a verifier")
      require(values("oauth_verifier") == [verifier.value] && !verifier.value.isEmpty, "the verifier is not the callback's only one")
    case .failure:
      require((values("oauth_token") + values("denied")).contains(token.value), "a foreign callback ends the sign-in")
    }
    let request = OAuth1Request(
      HTTPRequest(method: "POST", url: "https://a.example/"), client: OAuth1Client(consumerKey: "k"), nonce: "n", timestamp: 1)
    if let credentials = try? TemporaryCredentials(HTTPResponse(status: 200, body: input), sent: request) {
      require(!credentials.token.token.value.isEmpty, "the token is empty")
      // The name may be escaped.
      let isNamed = input.text.lowercased().contains("oauth_callback_confirmed") || input.contains { "%\\".utf8.contains($0) }
      require(isNamed, "the callback is not confirmed")
    }
    let rejection = HTTPResponse(status: 401, headers: [HTTPHeader("WWW-Authenticate", input.text)], body: input)
    if let problem = OAuth1Problem(rejection, sent: request) {
      require(problem.failure.message.plain == problem.failure.message, "the message is not plain text")
    }
  }

  // MARK: A server's own decoding

  private static func form(_ bytes: [UInt8]) -> [([UInt8], [UInt8])] {
    bytes.split(separator: UInt8(ascii: "&")).map { part in
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      return (decoded(part[..<equals], plusIsBlank: true), decoded(part[equals...].dropFirst(), plusIsBlank: true))
    }
  }

  /// `OAuth name="value", …` without the realm (§3.5.1).
  private static func header(_ bytes: [UInt8]) -> [([UInt8], [UInt8])] {
    var rest = bytes.dropFirst("OAuth ".utf8.count)
    var pairs: [([UInt8], [UInt8])] = []
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let name = rest[..<equals]
      rest = rest[equals...].dropFirst(2)
      var value: [UInt8] = []
      while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "\\"), let next = rest.popFirst() { value.append(next) } else { value.append(byte) }
      }
      rest = rest.drop { $0 == UInt8(ascii: ",") || $0 == 0x20 }
      if !name.elementsEqual("realm".utf8) { pairs.append((decoded(name, plusIsBlank: false), decoded(value[...], plusIsBlank: false))) }
    }
    return pairs
  }

  private static func decoded(_ text: ArraySlice<UInt8>, plusIsBlank: Bool) -> [UInt8] {
    var (bytes, rest) = ([UInt8](), text)
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hexDigitValue), let low = rest.dropFirst().first.flatMap(hexDigitValue) {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return bytes
  }

  private static func encoded(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let character = Character(Unicode.Scalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) { return String(character) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

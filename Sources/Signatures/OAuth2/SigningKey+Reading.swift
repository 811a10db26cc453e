import Crypto
import CryptoExtras
import Jansson
import OAuthCore

extension SigningKey {
  typealias Found = (material: Material, algorithm: String?, id: String?)

  /// Characters. RSA keys of 16,384 bits need fewer.
  private static let longest = 16 << 10

  /// Turns a key of any other form into PKCS#8 without a passphrase.
  private static let conversion = "openssl pkey -in FILE -out NEW"

  /// Reads a JWK, or a key in PEM: PKCS#8, PKCS#1 or SEC1.
  static func read(_ text: String) throws(OAuthFailure) -> Found {
    guard text.utf8.count <= longest else { throw invalid("is longer than \(longest) bytes") }
    let text = FileText.decoded(text).trimmed
    return text.first == "{" ? try readJWK(text) : (try material(try der(inPEM: String(text))), nil, nil)
  }

  private static func invalid(_ problem: String) -> OAuthFailure { .misconfigured("/privateKey", "the private key \(problem)") }

  // MARK: PEM
  /// Returns the bytes of the first block with a private key. Where a variable or a form has lost its line ends, spaces may stand in their place.
  static func der(inPEM text: String) throws(OAuthFailure) -> [UInt8] {
    var rest = FileText.withLineEnds(text)[...]
    var others: [String] = []
    while let begin = rest.firstRange(of: "-----BEGIN ") {
      rest = rest[begin.upperBound...]
      guard let mark = rest.firstRange(of: "-----"), let end = rest.firstRange(of: "-----END "), mark.upperBound <= end.lowerBound
      else { throw invalid("is PEM without an end: where a variable has one line, write \\n for each line end, or use a file") }
      let (label, body) = (String(rest[..<mark.lowerBound]), rest[mark.upperBound..<end.lowerBound])
      rest = rest[end.upperBound...]
      if label == "ENCRYPTED PRIVATE KEY" || body.contains("ENCRYPTED") {
        throw invalid("is encrypted: `\(conversion)` asks for its passphrase and writes it without one")
      }
      guard ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"].contains(label) else {
        others.append(label)
        continue
      }
      guard let der = try? Base64.decode(String(body.filter { !$0.isWhitespace })) else {
        throw invalid("is a PEM block that is not base64")
      }
      return der
    }
    if let other = others.first(where: { $0.contains("PUBLIC") || $0.contains("CERTIFICATE") }) {
      throw invalid("is a \(other), which cannot sign: give the private key that belongs to it")
    }
    if others.first == "OPENSSH PRIVATE KEY" {
      throw invalid("has OpenSSH's own form: `ssh-keygen -p -N '' -m PKCS8 -f COPY` turns a copy of an RSA or ECDSA key into PEM")
    }
    if text.first == "/" || text.first == "~" { throw invalid("is a path: the configuration names a file as {\"file\": PATH}") }
    throw invalid(
      (others.first.map { "is a PEM block named \($0)" } ?? "is neither PEM nor a JWK")
        + ": `\(conversion)` turns a key that openssl can read into PEM")
  }

  private static func material(_ der: [UInt8]) throws(OAuthFailure) -> Material {
    // RFC 8410, 7: the algorithm 1.3.101.112 and 32 bytes. The library rejects the form that has the public key, too.
    if der.count >= 48, der[5..<16] == [0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20] {
      if let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: der[16..<48]) { return .ed25519(key) }
    }
    if let key = try? P256.Signing.PrivateKey(derRepresentation: der) { return .p256(key) }
    if let key = try? P384.Signing.PrivateKey(derRepresentation: der) { return .p384(key) }
    if let key = try? P521.Signing.PrivateKey(derRepresentation: der) { return .p521(key) }
    return .rsa(try rsa { try _RSA.Signing.PrivateKey(derRepresentation: der) })
  }

  private static func rsa(_ key: () throws -> _RSA.Signing.PrivateKey) throws(OAuthFailure) -> _RSA.Signing.PrivateKey {
    do {
      return try key()
    } catch CryptoKitError.incorrectParameterSize {
      throw invalid("has less than 2048 bits: make a longer one, such as by oauth-stdio key new")
    } catch {
      // The library's error may quote the key.
      throw invalid("cannot be read: RSA, P-256, P-384, P-521 and Ed25519 can sign")
    }
  }

  // MARK: JWK
  private static func readJWK(_ text: Substring) throws(OAuthFailure) -> Found {
    guard let json = try? JSON.parse(Array(text.utf8)) else { throw invalid("is a JWK that is not valid JSON") }
    guard json["kty"]?.string != nil else {
      let advice =
        json["keys"] != nil ? ": give one key of this set" : json["private_key"] != nil ? ": name Google's file as serviceAccount" : ""
      throw invalid("is JSON without kty, so it is no JWK\(advice)")
    }
    guard json["d"] != nil else { throw invalid("is a public JWK, which cannot sign: give the JWK that has a member d") }
    let material = try material(of: json)
    let publicKey = material.publicPart.json
    for name in ["x", "y"] where json[name] != nil && json[name] != publicKey[name] {
      throw invalid("is a JWK whose \(name) belongs to another key than its d")
    }
    return (material, json["alg"]?.string, json["kid"]?.string)
  }

  private static func material(of json: JSON) throws(OAuthFailure) -> Material {
    func bytes(_ name: String) -> [UInt8] { json[name]?.string.flatMap { try? Base64.decodeURL($0) } ?? [] }
    let secret = bytes("d")
    switch (json["kty"], json["crv"]) {
    case ("EC", "P-256"): if let key = try? P256.Signing.PrivateKey(rawRepresentation: secret) { return .p256(key) }
    case ("EC", "P-384"): if let key = try? P384.Signing.PrivateKey(rawRepresentation: secret) { return .p384(key) }
    case ("EC", "P-521"): if let key = try? P521.Signing.PrivateKey(rawRepresentation: secret) { return .p521(key) }
    case ("OKP", "Ed25519"): if let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: secret) { return .ed25519(key) }
    case ("RSA", _):
      let numbers = ["n", "e", "p", "q"].map(bytes)
      // Without its primes, the modulus would have to be factorized.
      guard !numbers.contains([]) else { throw invalid("is a JWK of RSA that lacks n, e, p or q") }
      return .rsa(try rsa { try _RSA.Signing.PrivateKey(n: numbers[0], e: numbers[1], d: secret, p: numbers[2], q: numbers[3]) })
    default: break
    }
    throw invalid("is a JWK that cannot be read: RSA, P-256, P-384, P-521 and Ed25519 can sign")
  }
}

@testable import Jansson
@testable import OAuthCore
@testable import Signatures

/// Issuers' key sets: only public keys for signatures are taken, and a set verifies a token only if it contains its key.
struct KeySetsTarget: FuzzTarget {
  static let name = "keysets"

  private let signatures: [JSONWebSignature]

  init() throws { signatures = try Issuer.tokens.map { try JSONWebSignature(Secret($0)) } }

  func run(_ input: [UInt8]) {
    guard let set = try? JSONWebKeySet(input) else { return }
    // An empty member is a missing one.
    let document = (try? JSON.parse(input))?.withoutEmptyMembers()
    let elements = document?["keys"]?.array ?? []
    require(document?["keys"]?.array != nil || document == [:], "a key set has no array of keys")
    require(elements.count <= 100, "\(elements.count) keys are parsed")
    let usable = elements.filter { element in
      let isForSignatures = (element["use"] ?? "sig") == "sig" && element["key_ops"]?.array?.contains("verify") != false
      return element["d"] == nil && isForSignatures && ["RSA", "EC", "OKP"].contains(element["kty"]?.string)
    }
    require(set.keys.count <= usable.count, "a private key, or one for another purpose, is taken")
    for element in elements { check(element) }
    for (index, signature) in signatures.enumerated() where set.candidates(for: signature).contains(where: { signature.isMade(by: $0) }) {
      let names = usable.flatMap { [$0["n"], $0["x"]] }
      let isThere = names.contains { $0?.string.flatMap(Self.bytes) == Self.bytes(Issuer.marks[index]) }
      require(isThere, "a set without the key verifies the token")
    }
  }

  private func check(_ element: JSON) {
    guard let key = JSONWebKey(element) else { return }
    require(element["alg"] == nil || key.algorithm?.rawValue == element["alg"]?.string || element["alg"] == "Ed25519", "another algorithm")
    require(key.id == element["kid"]?.string && key.issuer == element["issuer"]?.string, "the key is named otherwise")
    let kind =
      switch key.material {
      case .rsa: "RSA";
      case .p256, .p384, .p521: "EC";
      case .ed25519: "OKP"
      }
    require(element["kty"]?.string == kind, "the key is of another type")
    for algorithm in JSONWebAlgorithm.allCases where key.mayBe(algorithm) {
      require(algorithm.fits(key.material), "a key is used with an algorithm of another type")
    }
    if case .rsa = key.material {
      let bits = (element["n"]?.string.flatMap(Self.bytes) ?? []).count * 8
      require((2048...8192).contains(bits), "an RSA key has \(bits) bits")
    }
  }

  /// The number, without leading zeros, which some servers send.
  private static func bytes(_ text: String) -> [UInt8]? { (try? Base64.decodeURL(text)).map { Array($0.drop { $0 == 0 }) } }
}

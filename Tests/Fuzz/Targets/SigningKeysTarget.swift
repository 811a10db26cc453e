@testable import OAuthCore
@testable import Signatures

/// A client's private key, as PEM or a JWK: a key that is accepted signs what its public half verifies, and stays itself as PEM.
struct SigningKeysTarget: FuzzTarget {
  static let name = "signingkeys"

  func run(_ input: [UInt8]) throws {
    guard let key = try? SigningKey(Secret(input.text)), let publicKey = JSONWebKey(key.publicKey) else { return }
    let token = try JSONWebToken.signed([], header: [], by: key)
    require(try JSONWebSignature(token).isMade(by: publicKey), "the public half does not verify the signature")
    require(try SigningKey(key.pem).thumbprint == key.thumbprint, "the key is another one as PEM")
  }
}

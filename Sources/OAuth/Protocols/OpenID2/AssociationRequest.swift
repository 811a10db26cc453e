import Crypto
import Jansson

/// Asks a provider for a shared key (OpenID Authentication 2.0, 8.1), and reads what it answers (8.2).
package struct AssociationRequest: Sendable {
  /// What the key travels under (section 8.4).
  package enum Session: String, Sendable, CaseIterable {
    /// Nothing but the connection's own encryption.
    case noEncryption = "no-encryption"
    case diffieHellmanSHA1 = "DH-SHA1"
    case diffieHellmanSHA256 = "DH-SHA256"
  }

  package enum Answer: Sendable, Equatable {
    case association(OpenIDAssociation)
    /// It wants another kind or session; nil where it named one that is not known here or does not fit.
    case unsupported(OpenIDAssociation.Kind?, Session?)
    /// It makes none now; its answers are to be checked by asking it.
    case refused
  }

  package let endpoint: String
  package let kind: OpenIDAssociation.Kind
  package let session: Session
  /// None with `no-encryption`.
  private let exchange: DiffieHellman?

  /// `random` are `DiffieHellman.exponentBytes` bytes. A session without encryption goes over https alone, or inside this machine (8.1.1);
  /// one whose hash has another length than the key cannot carry it.
  package init(endpoint: String, kind: OpenIDAssociation.Kind, session: Session, random: [UInt8]) throws(OAuthFailure) {
    guard Self.fits(session, kind) else {
      throw Self.invalid("an association of type \(kind.rawValue) cannot travel in a session of type \(session.rawValue)")
    }
    self.endpoint = endpoint
    self.kind = kind
    self.session = session
    switch session {
    case .noEncryption:
      exchange = nil
      guard let url = try? URLParts(endpoint), AllowedHosts.isSafe(url) else {
        throw Self.invalid("an association without encryption needs an https endpoint")
      }
    case .diffieHellmanSHA1, .diffieHellmanSHA256:
      guard let exchange = DiffieHellman(random: random) else { throw Self.invalid("the secret exponent is too short") }
      self.exchange = exchange
    }
  }

  static func fits(_ session: Session, _ kind: OpenIDAssociation.Kind) -> Bool {
    switch session {
    case .noEncryption: true
    case .diffieHellmanSHA1: kind == .hmacSHA1
    case .diffieHellmanSHA256: kind == .hmacSHA256
    }
  }

  package var httpRequest: HTTPRequest {
    var message = OpenIDMessage([
      ("ns", OpenIDMessage.namespace), ("mode", "associate"), ("assoc_type", kind.rawValue), ("session_type", session.rawValue),
    ])
    // The default modulus and generator are what is meant where none are sent (8.1.2).
    if let exchange { message.set("dh_consumer_public", exchange.publicKey) }
    return message.directRequest(to: endpoint)
  }

  /// A key of the wrong length, an answer of another type than was asked for, or one that cannot be read is `responseUntrusted`.
  package func answer(_ response: HTTPResponse, now: Int) throws(OAuthFailure) -> Answer {
    guard response.status == 200 else { return refusal(response) }
    // A few servers tell an error with 200, and those that make no associations may answer with a page, as they do to whoever comes.
    guard let message = try? OpenIDMessage(response), message["assoc_handle"] != nil || Self.isAssociation(message) else {
      return refusal(response)
    }
    guard message["assoc_type"] == kind.rawValue else { throw .untrusted("the association is of another type than was asked for") }
    // OpenID 1.1's servers leave the session out where nothing is encrypted.
    guard (message["session_type"] ?? Session.noEncryption.rawValue) == session.rawValue else {
      throw .untrusted("the association came in another session than was asked for")
    }
    guard let handle = message["assoc_handle"], handle.utf8.count <= 255, handle.utf8.allSatisfy({ (33...126).contains($0) }) else {
      throw .untrusted("the association has no handle, or none that could be sent back")
    }
    guard let seconds = message["expires_in"].flatMap({ Int($0) }), seconds > 0 else {
      throw .untrusted("the association does not say how long it lives")
    }
    // A year is beyond any association's life, and keeps the sum below what an integer holds.
    return .association(
      OpenIDAssociation(handle: handle, kind: kind, key: try key(message), expiresAt: now + min(seconds, 31_536_000)))
  }

  /// Whether an answer without a handle is meant as an association all the same.
  private static func isAssociation(_ message: OpenIDMessage) -> Bool {
    guard message["error_code"] == nil, message["error"] == nil else { return false }
    return ["assoc_type", "session_type", "expires_in", "mac_key", "enc_mac_key"].contains { message[$0] != nil }
  }

  private func key(_ message: OpenIDMessage) throws(OAuthFailure) -> [UInt8] {
    let key: [UInt8]?
    do throws(Base64.Failure) {
      switch session {
      case .noEncryption: key = try message["mac_key"].map { text throws(Base64.Failure) in try Base64.decode(text) }
      case .diffieHellmanSHA1: key = try decrypted(Insecure.SHA1.self, message)
      case .diffieHellmanSHA256: key = try decrypted(SHA256.self, message)
      }
    } catch {
      throw .untrusted("the association's key is not in base 64")
    }
    guard let key, key.count == kind.keyBytes else {
      throw .untrusted("the association's key is missing, or is not the \(kind.keyBytes) bytes that \(kind.rawValue) takes")
    }
    return key
  }

  private func decrypted<Hash: HashFunction>(_: Hash.Type, _ message: OpenIDMessage) throws(Base64.Failure) -> [UInt8]? {
    guard let exchange, let otherKey = message["dh_server_public"], let encrypted = message["enc_mac_key"] else { return nil }
    return exchange.macKey(Hash.self, encrypted: try Base64.decode(encrypted), otherKey: try Base64.decode(otherKey))
  }

  /// What an answer without an association says (8.2.4). Whatever it is, answers can still be checked by asking.
  private func refusal(_ response: HTTPResponse) -> Answer {
    guard let message = try? OpenIDMessage(response), message["error_code"] == "unsupported-type" else { return .refused }
    let kind = message["assoc_type"].flatMap(OpenIDAssociation.Kind.init(rawValue:))
    let session = message["session_type"].flatMap(Session.init(rawValue:))
    return .unsupported(kind, session)
  }

  private static func invalid(_ message: String) -> OAuthFailure {
    OAuthFailure(.configurationInvalid, message, details: [.init("path", "/provider/openidAssociation")])
  }
}

extension AssociationRequest {
  /// The request by what the provider said that it supports, to be sent once; nil where that is the same again or does not fit.
  package func negotiated(_ kind: OpenIDAssociation.Kind?, _ session: Session?, random: [UInt8]) -> AssociationRequest? {
    guard let kind, let session, Self.fits(session, kind), kind != self.kind || session != self.session else { return nil }
    return try? AssociationRequest(endpoint: endpoint, kind: kind, session: session, random: random)
  }
}

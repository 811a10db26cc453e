import Crypto
import Testing

@testable import OAuth

@Suite struct AssociationTests {
  private static let endpoint = "https://op.example/e"
  private static let otherKey =
    "AKrIEuBqkKH2HTryiFzC+hjho+5zQcT4jWDyTkMaSBcGprG97ub/om9TEbSTWe9da9BnytOZF8aJw4NdlwPPmaH2y3LoSl2EQ4XPgh42+u9KEW7UYbI5"
    + "b8DGsfGEqseUQlnOP5dkJFas9o/4hQK0MWqXv81SLjZ1ugo5ardKeAkz"

  private func request(
    _ kind: OpenIDAssociation.Kind = .hmacSHA256, _ session: AssociationRequest.Session = .noEncryption, _ endpoint: String = Self.endpoint
  ) throws(OAuthFailure) -> AssociationRequest {
    try AssociationRequest(endpoint: endpoint, kind: kind, session: session, random: [UInt8](1...64))
  }

  /// An answer with these lines in the place of a good one's; nil leaves a line out.
  private func answer(
    _ kind: OpenIDAssociation.Kind, _ session: AssociationRequest.Session, _ changes: [String: String?] = [:], status: Int = 200
  ) -> HTTPResponse {
    var lines = [
      "ns": "http://specs.openid.net/auth/2.0", "assoc_handle": "{h}{b'=='}", "assoc_type": kind.rawValue, "session_type": session.rawValue,
      "expires_in": "100",
    ]
    switch session {
    case .noEncryption: lines["mac_key"] = Base64.encode([UInt8](0..<UInt8(kind.keyBytes)))
    case .diffieHellmanSHA1: lines["enc_mac_key"] = "AepIoaV2eqtCudiT5OqFp/jeYbs="
    case .diffieHellmanSHA256: lines["enc_mac_key"] = "IK2MrBX+JmC03fKRV658ihS6Cdyx0x8l1VkpyfduusI="
    }
    if session != .noEncryption { lines["dh_server_public"] = Self.otherKey }
    for (name, value) in changes { lines[name] = value }
    return HTTPResponse(status: status, body: Array(lines.map { "\($0):\($1)\n" }.joined().utf8))
  }

  private static let pairs: [(OpenIDAssociation.Kind, AssociationRequest.Session)] = [
    (.hmacSHA1, .noEncryption), (.hmacSHA256, .noEncryption), (.hmacSHA1, .diffieHellmanSHA1), (.hmacSHA256, .diffieHellmanSHA256),
  ]

  @Test(arguments: pairs)
  func associations(kind: OpenIDAssociation.Kind, session: AssociationRequest.Session) throws {
    let request = try request(kind, session)
    let sent = request.httpRequest
    #expect(sent.url == Self.endpoint && sent.field("openid.mode") == "associate" && sent.field("openid.ns") == OpenIDMessage.namespace)
    #expect(sent.field("openid.assoc_type") == kind.rawValue && sent.field("openid.session_type") == session.rawValue)
    #expect((sent.field("openid.dh_consumer_public") == nil) == (session == .noEncryption))
    let expected = OpenIDAssociation(handle: "{h}{b'=='}", kind: kind, key: [UInt8](0..<UInt8(kind.keyBytes)), expiresAt: 1100)
    #expect(try request.answer(answer(kind, session), now: 1000) == .association(expected))
  }

  @Test(
    arguments: [
      ["mac_key": "AAECAwQFBgcICQoLDA0ODw=="], ["mac_key": ""], ["mac_key": nil], ["mac_key": "%%%%"],
      ["mac_key": Base64.encode([UInt8](0..<33))],
      ["expires_in": nil], ["expires_in": "soon"], ["expires_in": "0"], ["expires_in": "-1"], ["expires_in": "1e3"], ["assoc_handle": nil],
      ["assoc_handle": "a b"], ["assoc_handle": String(repeating: "h", count: 256)], ["assoc_handle": "ü"], ["assoc_type": "HMAC-SHA1"],
      ["assoc_type": nil], ["session_type": "DH-SHA256"],
    ] as [[String: String?]])
  func wrongAnswers(change: [String: String?]) throws {
    let request = try request()
    #expect { try request.answer(answer(.hmacSHA256, .noEncryption, change), now: 0) } throws: {
      ($0 as? OAuthFailure)?.kind == .responseUntrusted
    }
  }

  @Test(
    arguments: [
      ["enc_mac_key": "AepIoaV2eqtCudiT5OqFp/jeYbs="], ["enc_mac_key": nil], ["enc_mac_key": "AA=="], ["dh_server_public": nil],
      ["dh_server_public": "AQ=="], ["dh_server_public": "AA=="], ["dh_server_public": DiffieHellman.defaultModulus],
      ["dh_server_public": "x"],
      // A key that needs no unwrapping is none that was asked for.
      ["enc_mac_key": nil, "mac_key": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="], ["session_type": "no-encryption"],
      ["session_type": nil],
    ] as [[String: String?]])
  func wrongExchanges(change: [String: String?]) throws {
    let request = try request(.hmacSHA256, .diffieHellmanSHA256)
    #expect { try request.answer(answer(.hmacSHA256, .diffieHellmanSHA256, change), now: 0) } throws: {
      ($0 as? OAuthFailure)?.kind == .responseUntrusted
    }
  }

  @Test func documentsThatAreNoAnswers() throws {
    let request = try request()
    // Whoever makes no associations may answer with a page, and can still be asked about its answers.
    for body in ["<html>", "<a href='http://x.example/'>", "{}", "", "a:b\na:c\n", "error:no\nassoc_type:HMAC-SHA1\n"] {
      #expect(try request.answer(HTTPResponse(status: 200, body: Array(body.utf8)), now: 0) == .refused)
    }
    #expect(try request.answer(HTTPResponse(status: 200, body: [0x61, 0x3A, 0xFF]), now: 0) == .refused)
    #expect(try request.answer(HTTPResponse(status: 500, body: Array("<html>".utf8)), now: 0) == .refused)
    #expect(try request.answer(HTTPResponse(status: 400, body: Array("error:no\n".utf8)), now: 0) == .refused)
    #expect(try request.answer(HTTPResponse(status: 200, body: Array("error:no\n".utf8)), now: 0) == .refused)
    #expect(try request.answer(HTTPResponse(status: 302, headers: [HTTPHeader("Location", "https://x.example/")]), now: 0) == .refused)
  }

  @Test func negotiation() throws {
    let request = try request(.hmacSHA256, .diffieHellmanSHA256)
    let told = "error:unsupported\nerror_code:unsupported-type\nassoc_type:HMAC-SHA1\nsession_type:DH-SHA1\n"
    let answer = try request.answer(HTTPResponse(status: 400, body: Array(told.utf8)), now: 0)
    #expect(answer == .unsupported(.hmacSHA1, .diffieHellmanSHA1))
    let random = [UInt8](1...64)
    #expect(request.negotiated(.hmacSHA1, .diffieHellmanSHA1, random: random)?.session == .diffieHellmanSHA1)
    #expect(request.negotiated(.hmacSHA256, .noEncryption, random: random)?.session == .noEncryption)
    // The same again, what does not fit, and what is not known are no offers.
    #expect(request.negotiated(.hmacSHA256, .diffieHellmanSHA256, random: random) == nil)
    #expect(
      request.negotiated(.hmacSHA256, .diffieHellmanSHA1, random: random) == nil
        && request.negotiated(nil, .noEncryption, random: random) == nil)
    let unknown = "error_code:unsupported-type\nassoc_type:HMAC-SHA512\n"
    #expect(try request.answer(HTTPResponse(status: 400, body: Array(unknown.utf8)), now: 0) == .unsupported(nil, nil))
  }

  @Test func keysDoNotTravelInTheOpen() throws {
    #expect(throws: OAuthFailure.self) { try request(.hmacSHA256, .noEncryption, "http://op.example/e") }
    #expect(throws: OAuthFailure.self) { try request(.hmacSHA256, .diffieHellmanSHA1) }
    #expect(try request(.hmacSHA1, .noEncryption, "http://127.0.0.1:1/e").kind == .hmacSHA1)
    let open = try request(.hmacSHA1, .diffieHellmanSHA1, "http://op.example/e")
    #expect(open.negotiated(.hmacSHA1, .noEncryption, random: [UInt8](1...64)) == nil)
  }

  /// RFC 2202 and RFC 4231: the same key and text under both functions.
  @Test func signatures() throws {
    let key = [UInt8]("Jefe".utf8)
    let text = Array("what do ya want for nothing?".utf8)
    let sha1 = OpenIDAssociation(handle: "h", kind: .hmacSHA1, key: key, expiresAt: 0)
    let sha256 = OpenIDAssociation(handle: "h", kind: .hmacSHA256, key: key, expiresAt: 0)
    #expect(sha1.isSignature([UInt8](hexDigits: "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"), of: text))
    let code = [UInt8](hexDigits: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(sha256.isSignature(code, of: text) && !sha1.isSignature(code, of: text))
    #expect(
      !sha256.isSignature(Array(code.dropLast()), of: text) && !sha256.isSignature([], of: text)
        && !sha256.isSignature(code, of: text + [0]))
    #expect(!"\(sha256)".contains("Jefe") && !String(reflecting: sha256).contains("74, 101"))
  }

  @Test func memory() {
    let memory = OpenIDMemory()
    func association(_ handle: String, _ kind: OpenIDAssociation.Kind = .hmacSHA1, until end: Int = 100) -> OpenIDAssociation {
      OpenIDAssociation(handle: handle, kind: kind, key: [], expiresAt: end)
    }
    memory.keep(association("a"), of: "x")
    #expect(memory.association(of: "x", until: 99)?.handle == "a" && memory.association(of: "x", until: 100) == nil)
    #expect(memory.association(of: "y", until: 0) == nil && memory.association(of: "x", kind: .hmacSHA256, until: 0) == nil)
    memory.forget("b", of: "x")
    #expect(memory.association(of: "x", kind: .hmacSHA1, until: 0)?.handle == "a")
    memory.forget("a", of: "x")
    #expect(memory.association(of: "x", until: 0) == nil)
    for index in 0..<100 { memory.keep(association("h", until: 1000 + index), of: "\(index)") }
    #expect(memory.association(of: "0", until: 0) == nil && memory.association(of: "99", until: 0) != nil)
    #expect((0..<100).count { memory.association(of: "\($0)", until: 0) != nil } == 64)
  }

  @Test func noncesComeOnce() {
    let memory = OpenIDMemory()
    #expect(memory.isFirst("n", of: "x", at: 0) && !memory.isFirst("n", of: "x", at: 0))
    #expect(memory.isFirst("n", of: "y", at: 0) && memory.isFirst("m", of: "x", at: 0))
    // It is remembered for as long as it would be taken by any clock.
    #expect(!memory.isFirst("n", of: "x", at: 2 * OpenIDNonce.window) && memory.isFirst("n", of: "x", at: 5 * OpenIDNonce.window))
  }

  @Test func nonces() {
    #expect(OpenIDNonce("2005-05-15T17:11:51ZUNIQUE")?.instant == 1_116_177_111 && OpenIDNonce("1970-01-01T00:00:00Z")?.instant == 0)
    #expect(OpenIDNonce("2024-02-29T23:59:60Zx")?.instant == 1_709_251_200)
    for text in [
      "", "x", "2005-05-15T17:11:51", "2005-05-15 17:11:51Z", "2005-13-15T17:11:51Z", "2005-02-29T17:11:51Z", "2005-05-15T24:11:51Z",
      "2005-05-15T17:60:51Z", "2005-05-15T17:11:61Z", "2005-05-15t17:11:51z", "2005-05-15T17:11:51.5Z", "2005-05-15T17:11:51Za b",
      "+005-05-15T17:11:51Z", "2005-00-15T17:11:51Z", "2005-05-00T17:11:51Z", "2005-05-15T17:11:51Z" + String(repeating: "x", count: 236),
    ] {
      #expect(OpenIDNonce(text) == nil, "\(text)")
    }
    let nonce = OpenIDNonce("1970-01-01T02:00:00Z")
    #expect(nonce?.isFresh(at: 3600) == true && nonce?.isFresh(at: 10_800) == true)
    #expect(nonce?.isFresh(at: 3599) == false && nonce?.isFresh(at: 10_801) == false)
  }
}

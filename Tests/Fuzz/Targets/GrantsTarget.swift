import Crypto

@testable import Jansson
@testable import OAuth
@testable import OAuthCore
@testable import Store

/// Grant files: a changed file never opens, and a grant that was read is written and read again unchanged.
///
/// An input that begins with `{` is a grant's text. Any other is a change of a sealed file: the place in two bytes, the number of bytes to
/// remove in one, and then bytes that are combined by exclusive or.
struct GrantsTarget: FuzzTarget {
  static let name = "grants"

  private let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
  private let otherKey = SymmetricKey(data: [UInt8](repeating: 8, count: 32))
  private let sealed: [UInt8]

  init() throws {
    var grant = Grant(
      account: "a b", provider: ["name": "Example", "tokenEndpoint": "https://id.example/token"], client: Client(id: "client"),
      accessToken: Secret("access"), tokenType: "Bearer", issuedAt: 1)
    grant.refreshToken = Secret("refresh")
    sealed = try SealedGrant.seal(grant, with: key)
    require(try SealedGrant.open(sealed, with: key) == grant, "the grant does not open")
  }

  func run(_ input: [UInt8]) throws {
    require((try? SealedGrant.open(input, with: key)) == nil, "a file that the key did not seal opens")
    if input.first == UInt8(ascii: "{") { try checkText(input) } else if input.count > 3 { checkChange(input) }
  }

  private func checkChange(_ input: [UInt8]) {
    let place = min(sealed.count, Int(input[0]) << 8 | Int(input[1]))
    var changed = sealed
    changed.removeSubrange(place..<min(sealed.count, place + Int(input[2] & 0x3F)))
    for (offset, byte) in input.dropFirst(3).enumerated() {
      if place + offset < changed.count { changed[place + offset] ^= byte } else { changed.append(byte) }
    }
    guard changed != sealed else { return }
    require((try? SealedGrant.open(changed, with: key)) == nil, "a changed file opens")
    require((try? SealedGrant.open(changed, with: otherKey)) == nil, "another key opens it")
    let resealed = try? SealedGrant.resealed(changed, from: key, to: otherKey)
    require(resealed == nil, "a changed file is sealed again")
  }

  private func checkText(_ input: [UInt8]) throws {
    guard let members = (try? JSON.parse(input))?.members else { return }
    let result = outcome { () throws(FieldError) in
      var fields = ObjectReader(members)
      return try Grant(&fields)
    }
    guard let grant = result.value else { return }
    let read = outcome { () throws(FieldError) in
      var fields = ObjectReader((try? JSON.parse(grant.text))?.members ?? [])
      return try Grant(&fields)
    }
    require(Self.isSame(read.value, grant), "the grant changes when it is written: \(grant.text.text)")
    let file = try SealedGrant.seal(grant, with: key)
    require(Self.isSame(try? SealedGrant.open(file, with: key), grant), "the grant changes in its file")
    let opened = outcome { () throws(SealedGrant.Fault) in try SealedGrant.open(file, with: otherKey) }
    require(opened.failure == .otherKey, "another key's file is not seen")
    require(try SealedGrant.keyIdentifier(of: file) == SealedGrant.identifier(of: key), "the file names another key")
    let moved = try SealedGrant.resealed(file, from: key, to: otherKey)
    require(Self.isSame(try? SealedGrant.open(moved, with: otherKey), grant), "the grant changes when it is sealed again")
    _ = grant.problem(at: 0)
  }

  /// The order of a description's members has no meaning.
  private static func isSame(_ read: Grant?, _ written: Grant) -> Bool {
    guard var read else { return false }
    var written = written
    (read.provider, written.provider) = (read.provider.sorted, written.provider.sorted)
    return read == written
  }
}

import Crypto
import Jansson
import OAuthCore

/// The format of the file from which a process takes the summaries for its first listing: a line with the format and the key's identifier, and a
/// body that AES-256-GCM seals.
///
/// The file is only a cache, because opening 10,000 grant files takes half a second. An entry is valid while its grant file's stamp is the same.
/// It holds addresses of users, and is therefore sealed like a grant. It never holds a token.
enum ListingIndex {
  /// Unlike any other program's file: the store's folder may be one that other programs use as well.
  static let name = "oauth-stdio.listing"
  /// The number changes with the format and with the meaning of what a summary holds.
  private static let magic = "oauth-stdio listing 1 "

  /// One grant file and its grant's summary.
  struct Entry: Sendable {
    let name: String
    let stamp: FileStamp
    let summary: AccountSummary
  }

  static func seal(_ entries: [Entry], with key: SymmetricKey) throws -> [UInt8] {
    var writer = PackedWriter()
    writer.add(UInt32(entries.count))
    for entry in entries {
      writer.add(entry.name)
      entry.stamp.write(to: &writer)
      entry.summary.write(to: &writer)
    }
    return try SealedGrant.seal(writer.bytes, with: key, authenticating: clearPart(key))
  }

  /// Returns nil for a file that is damaged, of another kind or version, or sealed with another key.
  static func open(_ file: [UInt8], with key: SymmetricKey) -> [Entry]? {
    let clear = clearPart(key)
    guard file.starts(with: clear), let body = SealedGrant.open(file[clear.count...], with: key, authenticating: clear) else { return nil }
    return body.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes)
      guard let entries = try? entries(&reader), reader.isAtEnd else { return nil }
      return entries
    }
  }

  private static func entries(_ reader: inout PackedReader) throws(PackedReader.Malformed) -> [Entry] {
    var entries: [Entry] = []
    for _ in 0..<(try reader.length()) {
      let name = try reader.text()
      let stamp = try FileStamp(&reader)
      entries.append(Entry(name: name, stamp: stamp, summary: try AccountSummary(&reader)))
    }
    return entries
  }

  private static func clearPart(_ key: SymmetricKey) -> [UInt8] { Array("\(magic)\(SealedGrant.identifier(of: key))\n".utf8) }
}

extension FileStamp {
  fileprivate init(_ reader: inout PackedReader) throws(PackedReader.Malformed) {
    inode = UInt64(bitPattern: try reader.number())
    size = try reader.number()
    seconds = Int(try reader.number())
    nanoseconds = Int(try reader.number())
    owner = UInt32(truncatingIfNeeded: try reader.number())
    mode = UInt32(truncatingIfNeeded: try reader.number())
  }

  fileprivate func write(to writer: inout PackedWriter) {
    writer.add(Int64(bitPattern: inode))
    writer.add(size)
    writer.add(Int64(seconds))
    writer.add(Int64(nanoseconds))
    writer.add(Int64(owner))
    writer.add(Int64(mode))
  }
}

extension AccountSummary {
  fileprivate convenience init(_ reader: inout PackedReader) throws(PackedReader.Malformed) {
    let account = try reader.text()
    let providerName = try reader.text()
    let preset = try reader.optionalText()
    let clientId = try reader.optionalText()
    let grantedScopes = try reader.optionalTexts()
    let declinedScopes = try reader.texts()
    let tokenType = try reader.optionalText()
    let expires = try reader.byte() == 0 ? nil : Instant(milliseconds: Int(try reader.number()))
    let isUsable = try reader.byte() != 0
    guard let renewability = Renewability(rawValue: try reader.byte()) else { throw PackedReader.Malformed() }
    let subject = try reader.optionalText()
    let email = try reader.optionalText()
    var attributes = NamedValues<String>()
    for _ in 0..<(try reader.length()) { attributes.pairs.append((try reader.text(), try reader.text())) }
    self.init(
      account: account, providerName: providerName, preset: preset, clientId: clientId, grantedScopes: grantedScopes,
      declinedScopes: declinedScopes, tokenType: tokenType, expires: expires, isUsable: isUsable, renewability: renewability,
      subject: subject, email: email, attributes: attributes)
  }

  fileprivate func write(to writer: inout PackedWriter) {
    writer.add(account)
    writer.add(providerName)
    writer.add(preset)
    writer.add(clientId)
    writer.add(grantedScopes)
    writer.add(declinedScopes)
    writer.add(tokenType)
    writer.add(UInt8(expires == nil ? 0 : 1))
    if let expires { writer.add(Int64(expires.milliseconds)) }
    writer.add(UInt8(isUsable ? 1 : 0))
    writer.add(renewability.rawValue)
    writer.add(subject)
    writer.add(email)
    writer.add(UInt32(attributes.pairs.count))
    for pair in attributes.pairs {
      writer.add(pair.name)
      writer.add(pair.value)
    }
  }
}

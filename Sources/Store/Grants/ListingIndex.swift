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
  private static let magic = "oauth-stdio listing 2 "

  /// A value is truncated.
  struct Malformed: Error {}

  /// One grant file and its grant's summary.
  struct Entry: Sendable {
    let name: String
    let stamp: FileStamp
    let summary: AccountSummary
  }

  static func seal(_ entries: [Entry], with key: SymmetricKey) throws -> [UInt8] {
    var writer = ListingIndex.Writer()
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
      var reader = ListingIndex.Reader(bytes)
      guard let entries = try? entries(&reader), reader.isAtEnd else { return nil }
      return entries
    }
  }

  private static func entries(_ reader: inout ListingIndex.Reader) throws(ListingIndex.Malformed) -> [Entry] {
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
  fileprivate init(_ reader: inout ListingIndex.Reader) throws(ListingIndex.Malformed) {
    inode = UInt64(bitPattern: try reader.number())
    size = try reader.number()
    seconds = Int(try reader.number())
    nanoseconds = Int(try reader.number())
    owner = UInt32(truncatingIfNeeded: try reader.number())
    mode = UInt32(truncatingIfNeeded: try reader.number())
  }

  fileprivate func write(to writer: inout ListingIndex.Writer) {
    writer.add(Int64(bitPattern: inode))
    writer.add(size)
    writer.add(Int64(seconds))
    writer.add(Int64(nanoseconds))
    writer.add(Int64(owner))
    writer.add(Int64(mode))
  }
}

extension ListingIndex {
  /// Writes numbers and texts in the compact form that `Reader` reads.
  struct Writer {
    /// The length that marks a missing text or list.
    static let missing = UInt32.max

    private(set) var bytes: [UInt8] = []

    mutating func add(_ byte: UInt8) { bytes.append(byte) }
    mutating func add(_ length: UInt32) { withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) } }
    mutating func add(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }

    mutating func add(_ text: String?) {
      guard var text else { return add(Self.missing) }
      text.withUTF8 { utf8 in
        add(UInt32(utf8.count))
        bytes.append(contentsOf: utf8)
      }
    }

    mutating func add(_ texts: [String]?) {
      guard let texts else { return add(Self.missing) }
      add(UInt32(texts.count))
      for text in texts { add(text) }
    }
  }

  /// Reads what `Writer` has written. Throws at the first truncated value.
  ///
  /// Valid only as long as the memory that it reads from.
  struct Reader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(Malformed) -> UInt8 { bytes[try take(1)] }

    mutating func length() throws(Malformed) -> UInt32 {
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: try take(4), as: UInt32.self))
    }

    mutating func number() throws(Malformed) -> Int64 {
      Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: try take(8), as: Int64.self))
    }

    mutating func optionalText() throws(Malformed) -> String? {
      let length = try length()
      guard length != Writer.missing else { return nil }
      let start = try take(Int(length))
      return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
    }

    mutating func text() throws(Malformed) -> String {
      guard let text = try optionalText() else { throw Malformed() }
      return text
    }

    mutating func optionalTexts() throws(Malformed) -> [String]? {
      let count = try length()
      guard count != Writer.missing else { return nil }
      var texts: [String] = []
      for _ in 0..<count { texts.append(try text()) }
      return texts
    }

    mutating func texts() throws(Malformed) -> [String] {
      guard let texts = try optionalTexts() else { throw Malformed() }
      return texts
    }

    /// Returns where the next `count` bytes begin, and skips them.
    private mutating func take(_ count: Int) throws(Malformed) -> Int {
      guard count <= bytes.count - position else { throw Malformed() }
      defer { position += count }
      return position
    }
  }
}

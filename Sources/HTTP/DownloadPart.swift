import Crypto
import OAuthCore
import Platform

/// The part of a file that an interrupted download left. It stays beside the file, with the version that the server named (RFC 9110, 13.1.5).
struct DownloadPart {
  /// In bytes. A version is an ETag or a date.
  private static let versionLimit = 1024
  /// Other programs, such as browsers, call their own parts `.part`.
  private static let suffix = ".oauth-stdio-part"

  let name: String
  let descriptor: Int32
  private let place: FilePlace
  /// The digest of what is downloaded. The text itself may contain a secret.
  private let resource: String
  /// The version of the bytes that are there; nil if there are none.
  private let version: Version?
  /// The bytes that are there already.
  private(set) var first = 0
  /// The bytes of the whole file; nil before a response that continues it.
  private(set) var total: Int?
  private(set) var hasBegun = false
  /// Whether the bytes of another version could not be removed.
  private var isStuck = false

  /// What a part is a part of.
  private struct Version {
    /// A strong ETag, or a date.
    var validator: String
    /// The digest of the URL after all redirects, without its query. Storage services sign each query differently.
    var place: String
  }

  /// Whether the file system allows the names of the part and its version, which are longer than the file's.
  static func hasRoom(for name: String) -> Bool { tag(name + suffix).utf8.count <= Int(NAME_MAX) }

  /// Opens the part, or creates an empty one. Another process that downloads the same file is an error.
  init(of place: FilePlace, resource: String) throws(PosixFile.Fault) {
    self.place = place
    name = place.name + Self.suffix
    self.resource = Self.digest(resource)
    descriptor = try Self.lockedFile(place.folder, name)
    version = Self.version(in: place, name, self.resource)
    if version != nil { first = max(0, Int(lseek(descriptor, 0, SEEK_END))) }
  }

  private static func digest(_ text: String) -> String { Hexadecimal.encode(Array(SHA256.hash(data: Array(text.utf8)))) }

  private static func place(_ url: String) -> String { digest(String(url.prefix { $0 != "?" && $0 != "#" })) }

  /// Opens and locks the file of this name.
  private static func lockedFile(_ folder: Int32, _ name: String) throws(PosixFile.Fault) -> Int32 {
    while true {
      let descriptor = openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw PosixFile.Fault(path: name, code: errno) }
      var (opened, named) = (stat(), stat())
      let isOwn =
        fstat(descriptor, &opened) == 0 && opened.st_mode & S_IFMT == S_IFREG && opened.st_uid == geteuid() && opened.st_nlink <= 1
      guard isOwn, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw PosixFile.Fault(
          path: name, code: EBUSY, problem: isOwn ? "another process downloads it" : "its part is not a file of this user")
      }
      // The process that held the lock may have given the file its final name.
      if fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0, (named.st_ino, named.st_dev) == (opened.st_ino, opened.st_dev) {
        return descriptor
      }
      close(descriptor)
    }
  }

  /// Asks for the rest if the version is still the same, and otherwise for the whole file.
  var rangeHeaders: [HTTPHeader] {
    guard first > 0, let version else { return [] }
    return [HTTPHeader("Range", "bytes=\(first)-"), HTTPHeader("If-Range", version.validator)]
  }

  /// Prepares the file for the response's body. Returns false, and forgets the part, if that is not the rest of the same version.
  mutating func begin(_ head: ResponseHead, from url: String) -> Bool {
    guard !hasBegun else { return true }
    func value(_ name: String) -> String? { head.headers.first { $0.isNamed(name) }?.value }
    let isCoded = value("content-encoding").map { $0.lowercased() != "identity" } ?? false
    let range = value("content-range")
    if head.status == 206 || range.map({ Self.total($0, 0) == nil }) == true {
      // A server may ignore If-Range. Parts of two versions must not be joined (RFC 9110, 15.3.7).
      let (etag, modified) = (value("etag"), value("last-modified"))
      guard first > 0, !isCoded, let version, version.place == Self.place(url), case let wanted = version.validator,
        wanted.hasPrefix("\"") ? etag == wanted : etag == nil && (modified ?? wanted) == wanted,
        let total = Self.total(range, first), head.length ?? (total - first) == total - first
      else {
        forget()
        return false
      }
      self.total = total
      hasBegun = true
      return true
    }
    forget()
    guard !isStuck else { return false }
    hasBegun = true
    guard !isCoded, let validator = Self.strongVersion(value), validator.utf8.count <= Self.versionLimit else { return true }
    let tag = openat(place.folder, Self.tag(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard tag >= 0 else { return true }
    _ = PosixFile.write("\(resource) \(Self.place(url)) \(validator)", to: tag)
    close(tag)
    return true
  }

  /// Returns the size of the whole file if the range reaches from `first` to its end; nil otherwise (RFC 9110, 14.4).
  private static func total(_ range: String?, _ first: Int) -> Int? {
    guard let range, let slash = range.lastIndex(of: "/"), let total = Int(range[range.index(after: slash)...]), total > first else {
      return nil
    }
    return range.lowercased() == "bytes \(first)-\(total - 1)/\(total)" ? total : nil
  }

  /// Returns the version if it promises the same bytes. A date of the response's own second promises nothing (RFC 9110, 8.8.2.2).
  private static func strongVersion(_ value: (String) -> String?) -> String? {
    if let etag = value("etag") { return etag.hasPrefix("\"") ? etag : nil }
    guard let modified = value("last-modified"), let date = value("date") else { return nil }
    guard let earlier = HTTPDate(modified), let later = HTTPDate(date), earlier.unixSeconds < later.unixSeconds else { return nil }
    return modified
  }

  /// Empties the part, because it is of another version.
  mutating func forget() {
    unlinkat(place.folder, Self.tag(name), 0)
    if ftruncate(descriptor, 0) != 0 || lseek(descriptor, 0, SEEK_SET) != 0 { isStuck = true }
    first = 0
  }

  /// Removes what has no use for the next download: all of it after a success, and after a failure a part that cannot be continued.
  /// A call that failed before its body began leaves the part as it was, because it may be another resource's.
  func clean(isFinished: Bool) {
    var status = stat()
    let isUseful =
      !isFinished && fstat(descriptor, &status) == 0 && status.st_size > 0
      && (!hasBegun || Self.version(in: place, name, resource) != nil)
    guard !isUseful else { return }
    unlinkat(place.folder, Self.tag(name), 0)
    if !isFinished { unlinkat(place.folder, name, 0) }
  }

  private static func tag(_ name: String) -> String { name + ".version" }

  private static func version(in place: FilePlace, _ name: String, _ resource: String) -> Version? {
    let descriptor = openat(place.folder, tag(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { return nil }
    var bytes = [UInt8](repeating: 0, count: versionLimit + 200)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0, let text = String(validating: bytes[..<count], as: UTF8.self), !text.utf8.contains(where: { $0 < 0x20 }) else {
      return nil
    }
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    return parts.count == 3 && parts[0] == resource ? Version(validator: parts[2], place: parts[1]) : nil
  }
}

import OAuthCore
import Platform

/// Decodes gzip and zlib (RFC 1952 and 1950) with the system's zlib. libcurl can do that, too, but does not notice a body that ends early.
final class Inflater {
  private struct Zlib: Sendable {
    typealias Begin = @Sendable @convention(c) (UnsafeMutableRawPointer, Int32, UnsafePointer<CChar>, Int32) -> Int32
    typealias Step = @Sendable @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
    typealias End = @Sendable @convention(c) (UnsafeMutableRawPointer) -> Int32

    let (begin, step, end): (Begin, Step, End)
  }

  #if canImport(Darwin)
    private static let file = "/usr/lib/libz.1.dylib"
  #else
    private static let file = "libz.so.1"
  #endif

  /// nil if this system has no zlib. libcurl needs it, so almost every system has it.
  private static let zlib: Zlib? = {
    guard let library = dlopen(file, RTLD_LAZY | RTLD_LOCAL), let begin = dlsym(library, "inflateInit2_"),
      let step = dlsym(library, "inflate"), let end = dlsym(library, "inflateEnd")
    else { return nil }
    return Zlib(
      begin: unsafeBitCast(begin, to: Zlib.Begin.self), step: unsafeBitCast(step, to: Zlib.Step.self),
      end: unsafeBitCast(end, to: Zlib.End.self))
  }()

  /// The size of zlib's `z_stream`, and where its members `next_in`, `avail_in`, `next_out` and `avail_out` are. All are part of its stable ABI.
  private static let (size, nextIn, availableIn, nextOut, availableOut) = (112, 0, 8, 24, 32)
  /// 32 tells zlib to accept both formats; 15 is the largest window.
  private static let windowBits: Int32 = 32 + 15
  /// 64 KiB of decoded bytes at a time.
  private static let pieceSize = 64 << 10

  private let zlib: Zlib
  private let stream = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
  private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
  /// Whether the end of the compressed data was reached.
  private(set) var isComplete = false
  /// Whether more may be decoded without further input.
  private(set) var hasMore = false

  init?() {
    guard let zlib = Self.zlib else { return nil }
    self.zlib = zlib
    guard begin() else { return nil }
  }

  deinit {
    _ = zlib.end(stream)
    stream.deallocate()
    room.deallocate()
  }

  private func begin() -> Bool {
    stream.initializeMemory(as: UInt8.self, repeating: 0, count: Self.size)
    return zlib.begin(stream, Self.windowBits, "1", Int32(Self.size)) == 0
  }

  /// Decodes some of the input. Returns how many bytes it used and the decoded piece, which is valid until the next call. nil if the data are invalid.
  func decode(_ input: UnsafeRawBufferPointer) -> (used: Int, piece: UnsafeRawBufferPointer)? {
    // A gzip file is a sequence of such data (RFC 1952, 2.2).
    if isComplete, zlib.end(stream) != 0 || !begin() { return nil }
    stream.storeBytes(of: input.baseAddress, toByteOffset: Self.nextIn, as: UnsafeRawPointer?.self)
    stream.storeBytes(of: UInt32(input.count), toByteOffset: Self.availableIn, as: UInt32.self)
    stream.storeBytes(of: room.baseAddress, toByteOffset: Self.nextOut, as: UnsafeMutableRawPointer?.self)
    stream.storeBytes(of: UInt32(room.count), toByteOffset: Self.availableOut, as: UInt32.self)
    let code = zlib.step(stream, 0)
    // Z_OK, Z_STREAM_END, and Z_BUF_ERROR: there was nothing to do.
    guard [0, 1, -5].contains(code) else { return nil }
    isComplete = code == 1
    let made = room.count - Int(stream.load(fromByteOffset: Self.availableOut, as: UInt32.self))
    hasMore = !isComplete && made == room.count
    let used = input.count - Int(stream.load(fromByteOffset: Self.availableIn, as: UInt32.self))
    return (used, UnsafeRawBufferPointer(rebasing: room[..<made]))
  }
}

// `import Platform` brings the system's C library.
#if canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Darwin
#endif

extension String {
  /// The text in a buffer of C, which ends at a zero or with the buffer.
  package init(terminated buffer: [CChar]) { self.init(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) }
}

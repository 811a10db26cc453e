/// The bytes of a secret, in memory that is not written to swap space or to core dumps and that is zeroed when it is released.
package final class LockedBytes: Sendable {
  // Only `deinit` writes to the memory after `init`, so all threads may read it.
  private let address: UInt
  private let count: Int
  /// The bytes of the memory: whole pages, so that no other memory is locked with them.
  private let size: Int

  /// Takes the bytes and zeroes the array. If the system lets the process lock no more memory (RLIMIT_MEMLOCK), the copy is not locked.
  package init(taking bytes: inout [UInt8]) {
    count = bytes.count
    let page = Int(getpagesize())
    size = (max(count, 1) + page - 1) / page * page
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: page)
    mlock(memory, size)
    #if canImport(Glibc)
      madvise(memory, size, MADV_DONTDUMP)
    #endif
    address = UInt(bitPattern: memory)
    bytes.withUnsafeMutableBytes { source in
      if let start = source.baseAddress { memory.copyMemory(from: start, byteCount: source.count) }
      Self.wipe(source.baseAddress, source.count)
    }
  }

  /// Zeroes a secret that is needed no more.
  package static func wipe(_ bytes: inout [UInt8]) { bytes.withUnsafeMutableBytes { wipe($0.baseAddress, $0.count) } }

  deinit {
    guard let memory = UnsafeMutableRawPointer(bitPattern: address) else { return }
    Self.wipe(memory, count)
    // The heap uses the pages again.
    #if canImport(Glibc)
      madvise(memory, size, MADV_DODUMP)
    #endif
    munlock(memory, size)
    memory.deallocate()
  }

  package func withBytes<Value, Failure: Error>(_ work: (UnsafeRawBufferPointer) throws(Failure) -> Value) throws(Failure) -> Value {
    try work(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
  }

  /// Zeroes memory. A compiler removes a plain assignment to memory that is not read again.
  private static func wipe(_ memory: UnsafeMutableRawPointer?, _ count: Int) {
    guard let memory else { return }
    #if canImport(Glibc)
      explicit_bzero(memory, count)
    #else
      memset_s(memory, count, 0, count)
    #endif
  }
}

/// The bytes of a secret, in memory that is not written to swap space or to core dumps and that is zeroed when it is released.
package final class LockedBytes: Sendable {
  // Only `deinit` writes to the memory after `init`, so all threads may read it.
  private let address: UInt
  private let count: Int

  /// Takes the bytes and zeroes the array. If the system lets the process lock no more memory (RLIMIT_MEMLOCK), the copy is not locked.
  package init(taking bytes: inout [UInt8]) {
    count = bytes.count
    let memory = mmap(nil, max(count, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    // It is one page. A process without memory for that ends at Swift's next allocation as well.
    guard let memory, memory != MAP_FAILED else { fatalError("there is no memory for a key") }
    mlock(memory, max(count, 1))
    #if canImport(Glibc)
      madvise(memory, max(count, 1), MADV_DONTDUMP)
    #endif
    address = UInt(bitPattern: memory)
    bytes.withUnsafeMutableBytes { source in
      if let start = source.baseAddress { memory.copyMemory(from: start, byteCount: source.count) }
      Self.wipe(source.baseAddress, source.count)
    }
  }

  /// Zeroes a secret that is needed no more.
  package static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { wipe($0.baseAddress, $0.count) }
  }

  deinit {
    let memory = UnsafeMutableRawPointer(bitPattern: address)
    Self.wipe(memory, count)
    munmap(memory, max(count, 1))
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

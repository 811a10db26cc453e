import TestSupport
import Testing

@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A child that is just starting has a copy of each descriptor, until its program begins. These tests make the copy themselves.
struct DescriptorsTests {
  @Test(arguments: [false, true])
  func anEndedSocketFreesItsPortInSpiteOfACopy(isIPv6: Bool) throws {
    let socket = try LoopbackSocket(isIPv6: isIPv6, port: LoopbackBrowser.rebindablePort)
    let copy = dup(socket.descriptor)
    defer { close(copy) }
    socket.end()
    try LoopbackSocket(isIPv6: isIPv6, port: socket.port).end()
  }

  @Test func aLockEndsInSpiteOfACopy() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("lock", [])
    let (holder, other) = (open(path, O_RDWR), open(path, O_RDWR))
    let copy = dup(holder)
    defer { [copy, other].forEach { close($0) } }
    #expect(flock(holder, LOCK_EX | LOCK_NB) == 0 && flock(other, LOCK_EX | LOCK_NB) != 0)
    Descriptors.unlock(holder)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
  }
}

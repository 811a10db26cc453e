import TestSupport
import Testing

@testable import Loopback
@testable import OAuthCore
@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct LoopbackLoadTests {
  @Test func theOldestSilentConnectionMakesRoomWhenThereAreTooMany() async throws {
    var limits = LoopbackListener.Limits()
    limits.connections = 2
    // On a busy machine, the silent connections must not end by themselves meanwhile.
    limits.requestMilliseconds = 600_000
    let listener = try RedirectLog().listen(limits: limits)
    defer { listener.close() }
    let browser = LoopbackBrowser(port: listener.port)
    let silent = await LoopbackBrowser.onItsOwnThread { (0..<2).compactMap { _ in browser.connected() } }
    #expect(await browser.get("/callback?state=ours")?.status == 200)
    // The end of a connection is 0 bytes. An open one has nothing to read.
    let heard = silent.map { descriptor in
      var byte: UInt8 = 0
      return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
    }
    #expect(heard == [0, -1])
    silent.forEach { close($0) }
  }

  /// Serves a connection in which this text has arrived before its time begins. Returns the browser's end.
  private func served(_ text: String) throws -> Int32 {
    var limits = LoopbackListener.Limits()
    (limits.requestMilliseconds, limits.lingerMilliseconds) = (300, 120_000)
    let target = LoopbackRequest.Target(LoopbackAddress(path: "/callback"), port: 1)
    let server = try LoopbackListener.Server([], target, limits, ownerOf: { _ in nil }, log: nil) { _ in .notOurs }
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    LoopbackBrowser.say(text, on: ends[1])
    let connection = LoopbackConnection(ends[0])
    Thread.start(stackSize: 512 << 10) {
      connection.serve(server)
      connection.drop()
      server.order { $0.isClosing = true }
    }
    return ends[1]
  }

  @Test(arguments: [("", 0), ("GET /callback?state=ours HTTP/1.1\r\n", 408)])
  func aSilentConnectionIsDroppedAndASlowOneGetsA408(text: String, status: Int) async throws {
    let browser = try served(text)
    #expect(await LoopbackBrowser.onItsOwnThread { LoopbackBrowser.hear(browser) }.status == status)
  }

  /// Single bytes sent slowly do not extend the time limit of a request.
  @Test func aSlowLorisIsEnded() async throws {
    let browser = try served("GET /callback?state=")
    let answer = await LoopbackBrowser.onItsOwnThread { () -> LoopbackBrowser.Response in
      var answer: UInt8 = 0
      for _ in 0..<3000 where recv(browser, &answer, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0 {
        LoopbackBrowser.say("x", on: browser)
        usleep(10_000)
      }
      return LoopbackBrowser.hear(browser)
    }
    #expect(answer.status == 408)
  }

  @Test func garbageHarmsNothing() async throws {
    let log = RedirectLog()
    let listener = try log.listen()
    defer { listener.close() }
    let browser = LoopbackBrowser(port: listener.port)
    for garbage in ["\r\n\r\n", "\u{0}\u{1}", "GET\r\n\r\n", " \r\n\r\n", "GET / HTTP/1.1\r\n:\r\n\r\n", "SSH-2.0-x\r\n\r\n", "é\r\n\r\n"] {
      #expect(await browser.send(raw: garbage)?.status == 400)
    }
    #expect(await browser.get("/callback?state=ours")?.status == 200)
  }

  @Test func aBrowserThatLeavesDoesNotEndTheExchange() async throws {
    let (started, gate, done) = (LoopbackGate(), LoopbackGate(), LoopbackGate())
    let listener = try LoopbackListener.open(LoopbackAddress()) { _ in
      started.open()
      await gate.wait()
      if !Task.isCancelled { done.open() }
      return .page(ResultPage(.denied(provider: "Example")))
    }
    let browser = LoopbackBrowser(port: listener.port)
    // On a busy machine, this task may rest longer than a connection may be silent.
    let asking = await LoopbackBrowser.onItsOwnThread { () -> Int32? in
      let descriptor = browser.connected()
      descriptor.map { LoopbackBrowser.say("GET /?state=ours HTTP/1.1\r\nHost: 127.0.0.1:\(browser.port)\r\n\r\n", on: $0) }
      return descriptor
    }
    let descriptor = try #require(asking)
    await started.wait()
    // Without lingering, the end is a reset.
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
    gate.open()
    await done.wait()
    await listener.finish()
  }

  /// New connections do not displace the one whose redirect the sign-in is handling.
  @Test func scannersDoNotPushTheRedirectOut() async throws {
    let (started, gate) = (LoopbackGate(), LoopbackGate())
    let listener = try LoopbackListener.open(LoopbackAddress()) { request in
      guard request["state"] == "ours" else { return .notOurs }
      started.open()
      await gate.wait()
      return .page(ResultPage(.succeeded(account: "", provider: "Example")))
    }
    let browser = LoopbackBrowser(port: listener.port)
    async let page = browser.get("/?state=ours")
    await started.wait()
    let silent = await LoopbackBrowser.onItsOwnThread { (0..<50).compactMap { _ in browser.connected() } }
    let answer = await browser.get("/?state=theirs")
    gate.open()
    #expect(answer?.status == 404)
    #expect(await page?.status == 200)
    silent.forEach { close($0) }
    await listener.finish()
  }

  /// Closing with unread input resets a connection. A browser may then discard an answer that it has already received.
  @Test func anAnswerIsNotResetAway() async throws {
    var limits = LoopbackListener.Limits()
    limits.lingerMilliseconds = 120_000
    let listener = try RedirectLog().listen(limits: limits)
    defer { listener.close() }
    let browser = LoopbackBrowser(port: listener.port)
    let (last, sent) = await LoopbackBrowser.onItsOwnThread { () -> (Int, [Int]) in
      guard let descriptor = browser.connected() else { return (-2, []) }
      defer { close(descriptor) }
      LoopbackBrowser.say("HEAD /callback HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\n\r\n", on: descriptor)
      var buffer = [UInt8](repeating: 0, count: 65536)
      var last = recv(descriptor, &buffer, buffer.count, 0)
      while last > 0 { last = recv(descriptor, &buffer, buffer.count, 0) }
      let sent = (0..<3).map { _ in
        usleep(10_000)
        return Glibc.send(descriptor, buffer, 1000, Int32(MSG_NOSIGNAL))
      }
      return (last, sent)
    }
    #expect(last == 0)
    #expect(sent == [1000, 1000, 1000])
  }
}

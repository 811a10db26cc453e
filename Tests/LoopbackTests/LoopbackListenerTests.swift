import Synchronization
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

@Suite struct LoopbackListenerTests {
  @Test(arguments: [
    (LoopbackAddress.Host.ipv4, "127.0.0.1", [AF_INET]), (.ipv6, "[::1]", [AF_INET6]), (.localhost, "localhost", [AF_INET, AF_INET6]),
  ])
  func bothFamiliesAreServed(_ host: LoopbackAddress.Host, name: String, families: [Int32]) async throws {
    let log = RedirectLog()
    let listener = try log.listen(LoopbackAddress(host: host, path: "/cb"))
    defer { listener.close() }
    #expect(listener.origin == "http://\(name):\(listener.port)")
    for family in [AF_INET, AF_INET6] {
      let answer = await LoopbackBrowser(port: listener.port, family: family).get("/cb?state=ours", host: name)
      // Another program may use this number of the other family, and answer.
      if families.contains(family) { #expect(answer?.status == 200) }
    }
    #expect(log.requests.count == families.count)
  }

  @Test func anEmptyPathIsTheRoot() async throws {
    let log = RedirectLog()
    let listener = try log.listen(LoopbackAddress(path: ""))
    defer { listener.close() }
    #expect(await LoopbackBrowser(port: listener.port).get("/?state=ours")?.status == 200)
  }

  @Test(arguments: ["callback", "/a b", "/a?b", "/a#b", "/é", "/a\r\nb"])
  func anInvalidRedirectPathIsRejected(_ path: String) {
    #expect(
      throws: LoopbackListener.Failure.unavailable(reason: "the redirect path must begin with / and contain only plain URL characters")
    ) {
      try LoopbackListener.open(LoopbackAddress(path: path)) { _ in .notOurs }
    }
  }

  @Test func portsAreTriedInOrder() async throws {
    let first = try RedirectLog().listen()
    defer { first.close() }
    #expect(throws: LoopbackListener.Failure.portInUse([first.port])) { try RedirectLog().listen(LoopbackAddress(ports: [first.port])) }
    #expect(throws: LoopbackListener.Failure.portInUse([first.port])) {
      try RedirectLog().listen(LoopbackAddress(host: .localhost, ports: [first.port]))
    }
    #expect(throws: LoopbackListener.Failure.unavailable(reason: "no port was given to listen on")) {
      try RedirectLog().listen(LoopbackAddress(ports: []))
    }
    let second = LoopbackBrowser.rebindablePort
    for _ in 0..<2 {
      let listener = try RedirectLog().listen(LoopbackAddress(ports: [first.port, second]))
      #expect(listener.port == second)
      listener.close()
    }
    let other = try RedirectLog().listen(LoopbackAddress(ports: [first.port, 0]))
    #expect(other.port != first.port)
    other.close()
  }

  /// Another process on ::1 could receive the code of a `localhost` redirect, so both families are required.
  @Test func localhostNeedsBothFamilies() throws {
    let other = try RedirectLog().listen(LoopbackAddress(host: .ipv6, ports: [LoopbackBrowser.rebindablePort]))
    defer { other.close() }
    #expect(throws: LoopbackListener.Failure.portInUse([other.port])) {
      try RedirectLog().listen(LoopbackAddress(host: .localhost, ports: [other.port]))
    }
    try RedirectLog().listen(LoopbackAddress(ports: [other.port])).close()
  }

  @Test func aClosedListenerFreesItsPortWhileThePageIsStillMade() async throws {
    let (started, gate) = (LoopbackGate(), LoopbackGate())
    let listener = try LoopbackListener.open(LoopbackAddress(ports: [LoopbackBrowser.rebindablePort], path: "/cb")) { _ in
      started.open()
      await gate.wait()
      return .page(ResultPage(.succeeded(account: "ada", provider: "Example")))
    }
    let browser = LoopbackBrowser(port: listener.port)
    async let page = browser.get("/cb?state=ours")
    await started.wait()
    listener.close()
    listener.close()
    let next = try RedirectLog().listen(LoopbackAddress(ports: [listener.port], path: "/cb"))
    #expect(await browser.get("/cb?state=theirs")?.status == 404)
    gate.open()
    #expect(await page?.status == 200)
    await listener.finish()
    await listener.finish()
    next.close()
    #expect(await browser.get("/cb") == nil)
  }

  @Test func theSamePortIsBoundAgainAndAgain() async throws {
    let port = LoopbackBrowser.rebindablePort
    let first = try RedirectLog().listen(LoopbackAddress(ports: [port], path: "/callback"))
    #expect(await LoopbackBrowser(port: port).get("/callback?state=ours")?.status == 200)
    first.close()
    for _ in 0..<50 {
      let listener = try RedirectLog().listen(LoopbackAddress(ports: [port], path: "/callback"))
      #expect(await LoopbackBrowser(port: port).get("/callback?state=ours")?.status == 200)
      listener.close()
    }
  }

  @Test func theThreadEndsAndTheHandlerIsCancelledAfterTheBound() async throws {
    var limits = LoopbackListener.Limits()
    limits.finishMilliseconds = 50
    let (started, cancelled) = (LoopbackGate(), LoopbackGate())
    let listener = try LoopbackListener.open(LoopbackAddress(), limits: limits) { _ in
      started.open()
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      return .notOurs
    }
    let browser = LoopbackBrowser(port: listener.port)
    async let page = browser.get("/?state=ours")
    await started.wait()
    await listener.finish()
    await cancelled.wait()
    #expect(await page?.text == "")
  }

  @Test func aHandlerThatTakesTooLongIsCancelled() async throws {
    var limits = LoopbackListener.Limits()
    limits.handlerMilliseconds = 50
    let cancelled = LoopbackGate()
    let listener = try LoopbackListener.open(LoopbackAddress(), limits: limits) { _ in
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      return .page(ResultPage(.denied(provider: "Example")))
    }
    defer { listener.close() }
    #expect(await LoopbackBrowser(port: listener.port).get("/?state=ours")?.status == 504)
  }

  @Test func aDroppedListenerCloses() async throws {
    let port = try RedirectLog().listen(LoopbackAddress(ports: [LoopbackBrowser.rebindablePort])).port
    #expect(await LoopbackBrowser(port: port).get("/callback") == nil)
  }

  @Test func severalSignInsAreServedAtOnceAndAReloadAsksAgain() async throws {
    let logs = (0..<8).map { _ in RedirectLog() }
    let listeners = try logs.map { try $0.listen() }
    await withTaskGroup { group in
      for listener in listeners {
        for code in 0..<4 {
          group.addTask {
            #expect(await LoopbackBrowser(port: listener.port).get("/callback?state=ours&code=\(code)")?.status == 200)
          }
        }
      }
    }
    #expect(logs.map { Set($0.requests.compactMap { $0["code"] }).count } == Array(repeating: 4, count: 8))
    listeners.forEach { $0.close() }
  }
}

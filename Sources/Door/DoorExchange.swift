import Calls
import Jansson
import NIOCore
import NIOHTTP1
import OAuth
import OAuthCore
import Platform
import Store
import Synchronization

/// One request of a program and its answer. It runs on a task; the client's thread passes the answer on.
final class DoorExchange: Sendable {
  /// Bytes on the way to the program, above which the service has to wait, and below which it goes on.
  private static let (full, low) = (256 << 10, 64 << 10)

  private struct State {
    var addresses: DoorAddresses?
    var hasBegun = false
    /// What the loop is about to write.
    var parts: [HTTPServerResponsePart] = []
    /// Bytes of the body that are not written.
    var unwritten = 0
    var isPaused = false
    /// Whether the program was told that the connection ends.
    var ends = false
  }

  let request: DoorRequest
  let body: DoorBody?
  private let door: Door
  private let isTrusted: Bool
  private let channel: any Channel
  private let signal: ExchangeSignal
  private let state = Mutex(State())

  init(_ request: DoorRequest, _ door: Door, isTrusted: Bool, _ channel: any Channel, resume: @escaping @Sendable () -> Void) {
    (self.request, self.door, self.isTrusted, self.channel) = (request, door, isTrusted, channel)
    signal = ExchangeSignal()
    let isEmpty = [.none, .bytes(0)].contains(request.length)
    body = isEmpty ? nil : DoorBody(door.heldBodies, signal, length: request.length.bytes, resume: resume)
  }

  /// Answers the request, but for the answer's end. Returns whether the connection may have another one; nil if the answer broke off.
  func run() async -> Bool? {
    do {
      let response = try await pass()
      if response.isWithheld {
        begin(response.status, response.headers)
        if request.method != "HEAD" { write(.body(.byteBuffer(ByteBuffer(bytes: response.body)))) }
      }
    } catch {
      guard !Task.isCancelled, !state.withLock({ $0.hasBegun }) else { return nil }
      answer(failure(error))
    }
    return state.withLock { !$0.ends }
  }

  private func pass() async throws -> HTTPResponse {
    var request = request
    let found = try door.secret.take(from: &request) {
      (try? door.accounts.tokens(of: self.request.account).held().resolvedProvider.api.apiCredential) ?? .init()
    }
    guard found != .none || isTrusted else {
      door.complain(of: request)
      throw DoorFailure.wrongSecret
    }
    guard door.accounts.dependencies.limits.allows(account: request.account) else { throw DoorFailure.noAccount(request.account) }
    let relay = HTTPRequest.Relay { [self] in
      begin($0, $1)
    } take: { [self] in
      take($0)
    }
    var passing = APIRequest.Passing(relay: relay, signal: signal)
    (passing.host, passing.sendsPassword) = (request.host, found == .password)
    passing.body = body?.supply(request.length.bytes)
    passing.willSend = { [self, request] url, base, hosts in
      state.withLock { $0.addresses = DoorAddresses(request, url: url, base: base, hosts: hosts) }
    }
    var call = APIRequest(account: request.account, url: request.path)
    (call.method, call.passing) = (request.method, passing)
    call.headers = NamedValues(request.headers.map { ($0.name, $0.value) })
    if request.expectsContinue, body?.isWhole == false {
      write(.head(.init(version: .http1_1, status: .continue)))
    }
    return try await APICall(accounts: door.accounts, request: call) { _ in true }.pass()
  }

  private func failure(_ error: any Error) -> DoorFailure {
    switch error {
    case let failure as OAuthFailure
    where failure["reason"] == .string(OAuthFailure.Reason.noGrant.rawValue) && (try? door.accounts.configured(request.account)) == nil:
      .noAccount(request.account)
    case let failure as DoorFailure: failure
    case let failure as OAuthFailure: DoorFailure(failure)
    case let failure as OAuthFailure.Reported: DoorFailure(failure.failure)
    case is APICall.BodyIsGone: .tokenWasRenewed
    case let fault as FieldError: .badRequest(fault.message)
    default: .badRequest("the request cannot be sent: its path or a header is not valid")
    }
  }

  private func answer(_ failure: DoorFailure) {
    write(failure.status, failure.headers + [HTTPHeader("Content-Length", String(failure.body.count))])
    if request.method != "HEAD" { write(.body(.byteBuffer(ByteBuffer(bytes: failure.body)))) }
  }

  // MARK: The answer

  private func begin(_ status: Int, _ headers: [HTTPHeader]) {
    let addresses = state.withLock { state in
      state.hasBegun = true
      return state.addresses
    }
    guard let addresses else { return }
    write(status, DoorHeaders.forProgram(headers, status: status, addresses))
  }

  /// Writes the head with what finds the end of the body (RFC 9112, 6.3).
  private func write(_ status: Int, _ headers: [HTTPHeader]) {
    var fields = HTTPHeaders(headers.filter { !$0.isNamed("content-length") }.map { ($0.name, $0.value) })
    let length = headers.first { $0.isNamed("content-length") }.flatMap { Int($0.value) }
    let hasBody = request.method != "HEAD" && status != 204 && status != 304
    if let length, status != 204 {
      fields.add(name: "Content-Length", value: String(length))
    } else if hasBody, !request.isHTTP10 {
      fields.add(name: "Transfer-Encoding", value: "chunked")
    }
    // The rest of a request's body would have to be read before the next request.
    let ends = request.closes || request.isHTTP10 || body?.isWhole == false
    if ends { fields.add(name: "Connection", value: "close") }
    state.withLock { $0.ends = ends }
    write(.head(HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: fields)))
  }

  /// Called on the client's thread.
  private func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    let hasRoom = state.withLock { state in
      state.isPaused = state.unwritten >= Self.full
      if !state.isPaused { state.unwritten += piece.count }
      return !state.isPaused
    }
    guard hasRoom else { return false }
    write(.body(.byteBuffer(ByteBuffer(bytes: piece))))
    return true
  }

  /// Hands a part of the answer to the loop, which writes those that have come by then together: waking it and writing cost more than the parts.
  private func write(_ part: HTTPServerResponsePart) {
    let isFirst = state.withLock { state in
      state.parts.append(part)
      return state.parts.count == 1
    }
    if isFirst { channel.eventLoop.execute { [self] in writeParts() } }
  }

  private func writeParts() {
    let parts = state.withLock { exchange(&$0.parts, with: []) }
    let pieces = parts.compactMap { if case .body(.byteBuffer(let piece)) = $0 { piece.readableBytes } else { nil } }
    let count = pieces.reduce(0, +)
    for part in parts.dropLast() { channel.write(part, promise: nil) }
    channel.writeAndFlush(parts[parts.count - 1]).whenComplete { [self] _ in
      let goesOn = state.withLock { state in
        state.unwritten -= count
        defer { if state.unwritten <= Self.low { state.isPaused = false } }
        return state.isPaused && state.unwritten <= Self.low
      }
      if goesOn { signal.wake() }
    }
  }
}

import CCurl

/// One exchange on its way: its handle, what has come so far, and who waits for the answer.
final class CurlTransfer {
  /// A length that a server merely announces is believed up to here (bytes) when room is made for the body.
  private static let reservation = 16 << 20
  /// Bytes of a redirect's body that are read and thrown away so that its connection can be kept; a longer one costs more than a new connection.
  private static let dropLimit = 64 << 10
  /// 10 times a second.
  private static let progressInterval = Duration.milliseconds(100)

  let id: Int
  let request: HTTPRequest
  let host: String
  private let paused: PausedTransfers
  private let answer: CurlMailbox.Answer
  /// libcurl's handle; nil before the beginning and after the end.
  var easy: OpaquePointer?
  /// The request's header lines, which libcurl reads as long as the exchange lasts.
  var lines: OpaquePointer?
  var source: BodySource?
  var triedHashedCertificates = false
  /// Whether libcurl connects to a proxy, whose address says nothing about the host.
  private(set) var usesProxy = false
  /// Whether an address of the host was outside the request's scope.
  private(set) var wasOutOfScope = false
  var began = ContinuousClock.now
  private(set) var head = ResponseHead()
  /// Why a callback has stopped the transfer; tells more than libcurl's code, which only says that one did.
  private(set) var failure: HTTPFailure?
  private var download: DownloadFile?
  private var body: [UInt8] = []
  private var received = 0
  /// What came of a success that is still to be judged; nil once it goes to the sink.
  private var held: HeldBody?
  /// A piece that the stream's taker had no room for, and how many bytes of it libcurl will hand out once more.
  private var refused: (piece: [UInt8], again: Int)? { didSet { paused.note(self) } }
  /// Bytes of it that libcurl, which still holds them, will hand out once more.
  private var ahead = 0
  /// Bytes of a redirect's body that were thrown away.
  private var dropped = 0
  private var reported: (at: ContinuousClock.Instant, sent: Int, received: Int)?

  init(_ id: Int, _ request: HTTPRequest, host: String, _ paused: PausedTransfers, _ answer: CurlMailbox.Answer) {
    self.id = id
    self.paused = paused
    self.request = request
    self.host = host
    self.answer = answer
  }

  var isPaused: Bool { refused != nil }
  /// When it has taken too long; nil where there is no limit.
  ///
  /// libcurl's own limit looks at the clock before it looks at the connection: a process that was stopped for longer would throw away an answer that
  /// has come meanwhile, and with it a refresh token that the server has replaced.
  var deadline: ContinuousClock.Instant? { request.timeout > 0 ? began + .seconds(request.timeout) : nil }

  /// Opens files first: what is wrong with them must show before anything is sent.
  func begin(
    in multi: OpaquePointer, _ share: OpaquePointer?, _ settings: CurlSettings, hashedCertificates: Bool
  ) throws(HTTPFailure) {
    release(from: multi)
    source = try BodySource(request.body)
    if case .file(let path, let overwrites) = request.sink, download == nil {
      download = try DownloadFile(path: path, overwrites: overwrites)
    }
    guard let easy = ccurl_easy_new() else { throw .unavailable(reason: "out of memory") }
    self.easy = easy
    triedHashedCertificates = hashedCertificates
    usesProxy = settings.usesProxy(request.url)
    began = .now
    head = ResponseHead()
    dropped = 0
    held = request.heldBack > 0 ? HeldBody(limit: request.heldBack) : nil
    try configure(easy, settings)
    if let share { ccurl_set_share(easy, share) }
    guard ccurl_multi_add(multi, easy) == 0 else { throw .unavailable(reason: "libcurl did not take the request") }
  }

  /// Answers, then gives the handle back: in an old libcurl that may wait for a name still being looked up.
  func end(_ result: Result<HTTPResponse, HTTPFailure>, in multi: OpaquePointer) {
    download = nil
    refused = nil
    answer.resume(returning: result)
    release(from: multi)
  }

  /// What libcurl's code means for the one who waits.
  func outcome(_ code: Int) -> Result<HTTPResponse, HTTPFailure> {
    if let failure { return .failure(failure) }
    guard code == CCURL_OK || dropped > Self.dropLimit else { return .failure(networkFailure(code)) }
    // libcurl is content with a head that the connection's end has cut off.
    guard head.isWhole else { return .failure(.network(host: host, cause: "broken", answered: true)) }
    if head.isSuccess, let download, held?.bytes.isEmpty != false {
      do throws(HTTPFailure) { try download.finish() } catch { return .failure(error) }
    }
    var response = HTTPResponse(status: head.status, headers: head.headers, body: body, bytes: received)
    response.scope =
      usesProxy ? nil : easy.flatMap { ccurl_get_string($0, CCURL_INFO_PRIMARY_IP) }.flatMap { .init(address: String(cString: $0)) }
    if let held, head.isSuccess, !held.bytes.isEmpty {
      (response.body, response.bytes, response.isHeldBack) = (held.bytes, held.bytes.count, true)
    }
    return .success(response)
  }

  /// Offers the refused piece again and goes on where it is taken.
  func tryAgain() {
    guard let easy, let (piece, again) = refused, case .stream(let hand) = request.sink, hand(received, piece) else { return }
    refused = nil
    received += piece.count
    ahead += again
    ccurl_easy_resume(easy)
  }

  private func release(from multi: OpaquePointer) {
    if let easy {
      ccurl_multi_remove(multi, easy)
      ccurl_easy_free(easy)
    }
    if let lines { ccurl_list_free(lines) }
    (easy, lines, source) = (nil, nil, nil)
  }
}

/// What libcurl calls. Each answers as libcurl's documentation of the callback asks.
extension CurlTransfer {
  /// Each time before the request goes out, since 7.80: libcurl sends again by itself what a kept connection lost.
  func maySend() -> Bool {
    if request.mayBeSent?() ?? true { return true }
    failure = .network(host: host, cause: "broken", answered: false)
    return false
  }

  func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
    if head.take(line) { return line.count }
    failure = .network(host: host, cause: "protocol", answered: true)
    return 0
  }

  func takeBody(_ piece: UnsafeRawBufferPointer) -> Int {
    if request.dropsRedirectBodies, head.isRedirect {
      dropped += piece.count
      return dropped > Self.dropLimit ? 0 : piece.count
    }
    if isSunk {
      if let limit = request.sinkLimit, piece.count > limit - received - (held?.bytes.count ?? 0) {
        failure = .tooLarge(maxBytes: limit)
        return 0
      }
      if held?.take(piece, head) == true { return piece.count }
      if let earlier = held?.bytes {
        held = nil
        if let stopped = release(earlier) { return stopped }
      }
    }
    switch request.sink {
    case .file where head.isSuccess: return write(piece)
    case .stream(let hand) where head.isSuccess: return handOn(piece, hand)
    default:
      guard piece.count <= request.maxBytes - received else {
        failure = .tooLarge(maxBytes: request.maxBytes)
        return 0
      }
      if body.isEmpty { body.reserveCapacity(min(head.length ?? 0, request.maxBytes, Self.reservation)) }
      body.append(contentsOf: piece)
      received += piece.count
    }
    return piece.count
  }

  /// Whether the body goes to a file or a stream.
  private var isSunk: Bool {
    if case .memory = request.sink { return false }
    return head.isSuccess
  }

  private func write(_ piece: UnsafeRawBufferPointer) -> Int {
    do throws(HTTPFailure) { try download?.write(piece) } catch {
      failure = error
      return 0
    }
    received += piece.count
    return piece.count
  }

  /// Lets go to the sink what was held back; what to tell libcurl where that did not go.
  private func release(_ earlier: [UInt8]) -> Int? {
    guard !earlier.isEmpty else { return nil }
    guard case .stream(let hand) = request.sink else { return earlier.withUnsafeBytes(write) == 0 ? 0 : nil }
    guard hand(received, earlier) else {
      refused = (earlier, 0)
      return CCURL_WRITE_PAUSE
    }
    received += earlier.count
    return nil
  }

  private func handOn(_ piece: UnsafeRawBufferPointer, _ hand: @Sendable (Int, [UInt8]) -> Bool) -> Int {
    let skipped = min(ahead, piece.count)
    ahead -= skipped
    let rest = Array(piece.dropFirst(skipped))
    guard !rest.isEmpty else { return piece.count }
    guard hand(received, rest) else {
      // libcurl keeps the whole piece, so what was skipped of it comes again as well.
      ahead += skipped
      refused = (rest, rest.count)
      return CCURL_WRITE_PAUSE
    }
    received += rest.count
    return piece.count
  }

  /// Whether an address that the host has may be refused.
  var isScopeLimited: Bool { request.scopeLimit < .thisMachine && !usesProxy }

  func allows(_ address: UnsafePointer<sockaddr>) -> Bool {
    let isAllowed = NetworkScope(address) <= request.scopeLimit
    if !isAllowed { wasOutOfScope = true }
    return isAllowed
  }

  func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
    do throws(HTTPFailure) { return try source?.read(into: room) ?? 0 } catch {
      failure = error
      return CCURL_READ_ABORT
    }
  }

  func report(sent: Int) {
    let now = ContinuousClock.now
    if let reported {
      guard now - reported.at >= Self.progressInterval, (reported.sent, reported.received) != (sent, received) else { return }
    }
    reported = (now, sent, received)
    request.progress?(sent, received, head.length)
  }
}

import CCurl
import OAuthCore
import Platform

/// One exchange in progress: its handle, the data received so far, and the waiter for the response.
final class CurlTransfer {
  /// Maximum bytes that are reserved for the body by a server's Content-Length alone.
  private static let reservation = 16 << 20
  /// Bytes of a redirect's body that are read and discarded to keep the connection. Reading more costs more than a new connection.
  private static let dropLimit = 64 << 10

  let id: Int
  let request: HTTPRequest
  let host: String
  let clock: Clock
  private let answer: CurlClient.Mailbox.Continuation
  /// libcurl's handle; nil before the start and after the end.
  var easy: OpaquePointer?
  /// The request's header lines. libcurl reads them during the whole exchange.
  var lines: OpaquePointer?
  var source: BodySource?
  /// libcurl's text about a failure.
  let errorText = UnsafeMutableBufferPointer<CChar>.allocate(capacity: CCURL_ERROR_SIZE)
  var triedHashedCertificates = false
  /// Whether libcurl connects to a proxy, whose address says nothing about the host.
  private(set) var usesProxy = false
  /// The URL of the proxy, if it can be read.
  private(set) var proxy: URLParts?
  /// The scope of an address of the host to which the request may not go.
  var rejectedScope: NetworkScope?
  /// When the exchange began, in milliseconds of `uptime`, as all times here. A retry with other certificates gets no more time.
  let began: Int
  var head = ResponseHead()
  /// Why a callback stopped the transfer. libcurl's code says only that a callback did.
  var failure: HTTPFailure?
  /// Whether libcurl has begun to send the request.
  var wasSent = false
  private(set) var download: DownloadFile?
  private var body: [UInt8] = []
  var received = 0
  /// The held-back start of a success; nil once it is in the sink.
  private var held: ResponsePeek?
  /// Decodes the body; nil before its first byte, or if it isn't compressed.
  private var inflater: Inflater?
  /// A piece that the stream did not accept; empty if `mayReceive` paused the transfer.
  private var rejected: [UInt8]?
  /// Bytes that were taken before a pause and that libcurl will deliver again.
  private var ahead = 0
  /// Bytes of a redirect's body that were discarded.
  private var dropped = 0
  var reported: (at: Int, sent: Int, received: Int)?

  init(_ id: Int, _ request: HTTPRequest, host: String, _ clock: Clock, _ answer: CurlClient.Mailbox.Continuation) {
    (self.id, self.clock) = (id, clock)
    began = clock.uptime()
    (self.request, self.host, self.answer) = (request, host, answer)
  }

  deinit { errorText.deallocate() }

  var isPaused: Bool { rejected != nil }

  /// Starts the exchange. Opens the files first, because their errors must be reported before anything is sent.
  func begin(in multi: OpaquePointer, _ share: OpaquePointer?, _ settings: CurlSettings, hashedCertificates: Bool) throws(HTTPFailure) {
    release(from: multi)
    source = try BodySource(request.body, below: request.filesRoot)
    if case .file(let path, let overwrites, let resource) = request.sink, download == nil {
      download = try DownloadFile(path: path, overwrites: overwrites, below: request.filesRoot, resource: resource)
    }
    guard let easy = ccurl_easy_new() else { throw .unavailable(reason: "out of memory") }
    self.easy = easy
    triedHashedCertificates = hashedCertificates
    (usesProxy, proxy) = (settings.usesProxy(request.url), settings.proxy)
    head = ResponseHead()
    dropped = 0
    inflater = nil
    held = request.peekLimit > 0 ? ResponsePeek(limit: request.peekLimit) : nil
    try configure(easy, settings)
    try setCertificate(easy)
    if let share { ccurl_set_share(easy, share) }
    guard ccurl_multi_add(multi, easy) == 0 else { throw .unavailable(reason: "libcurl did not accept the request") }
  }

  /// Returns the result, then frees the handle. With an old libcurl, freeing may wait for a name resolution.
  func end(_ result: Result<HTTPResponse, HTTPFailure>, in multi: OpaquePointer) {
    download = nil
    rejected = nil
    answer.resume(returning: result)
    release(from: multi)
  }

  /// Converts libcurl's result code to the result for the waiter.
  func outcome(_ code: Int) -> Result<HTTPResponse, HTTPFailure> {
    if let failure { return .failure(failure) }
    guard code == CCURL_OK || dropped > Self.dropLimit else { return .failure(certificateFailure(code) ?? networkFailure(code)) }
    // libcurl accepts a head that is truncated by the connection's end, and does not decode a compressed body.
    guard head.isWhole, inflater?.isComplete ?? true else { return .failure(.network(host: host, cause: "broken", answered: true)) }
    if head.isSuccess, let download, held?.bytes.isEmpty != false {
      do throws(HTTPFailure) {
        // The body may be empty.
        try begin(download)
        if let total = download.total, total != download.first + received {
          download.forget()
          return .failure(.network(host: host, cause: "broken", answered: true))
        }
        try download.finish()
      } catch {
        return .failure(error)
      }
    }
    if head.status == 416 { download?.forget() }
    var response = HTTPResponse(status: head.status, headers: head.headers, body: body, bytes: received + (download?.first ?? 0))
    response.address = usesProxy ? nil : easy.flatMap { ccurl_get_string($0, CCURL_INFO_PRIMARY_IP) }.map(String.init(cString:))
    if let held, head.isSuccess, !held.bytes.isEmpty {
      (response.body, response.bytes, response.isWithheld) = (held.bytes, held.bytes.count, true)
    }
    return .success(response)
  }

  /// Offers the rejected piece again, and continues if the stream accepts it.
  func tryAgain() {
    guard let easy, let piece = rejected, mayReceive(0) else { return }
    if !piece.isEmpty { guard case .stream(let deliver) = request.sink, deliver(received, piece) else { return } }
    rejected = nil
    received += piece.count
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

/// Receiving the body. The results are those that libcurl's documentation requires of a callback.
extension CurlTransfer {
  private enum Taken { case accepted, rejected, failed }

  /// Whether a compressed body is decoded. A caller that sets Accept-Encoding does it itself, and a range of compressed bytes can't be decoded.
  var decodesBody: Bool { !request.hasHeader("accept-encoding") && !request.hasHeader("range") }

  /// Takes a piece as it was sent. After a pause, libcurl delivers the whole piece again.
  func takeBody(_ piece: UnsafeRawBufferPointer) -> Int {
    if request.dropsRedirectBodies, head.isRedirect {
      dropped += piece.count
      return dropped > Self.dropLimit ? 0 : piece.count
    }
    var used = min(ahead, piece.count)
    ahead -= used
    if !mayReceive(piece.count) {
      rejected = []
      ahead += used
      return CCURL_WRITE_PAUSE
    }
    while used < piece.count || inflater?.hasMore == true {
      var next = UnsafeRawBufferPointer(rebasing: piece[used...])
      used = piece.count
      if decodesBody, let encoding = head.encoding {
        inflater = inflater ?? (["gzip", "x-gzip", "deflate"].contains(encoding) ? Inflater() : nil)
        guard let decoded = inflater?.decode(next) else {
          let problem = "sent a response that cannot be decompressed: its Content-Encoding is \(encoding)"
          failure = .network(host: host, cause: "protocol", answered: true, problem: problem)
          return 0
        }
        used -= next.count - decoded.used
        next = decoded.piece
      }
      switch next.isEmpty ? .accepted : take(next) {
      case .accepted: continue
      case .failed: return 0
      case .rejected:
        ahead += used
        return CCURL_WRITE_PAUSE
      }
    }
    return piece.count
  }

  private func mayReceive(_ more: Int) -> Bool {
    request.mayReceive?(max(received + more, min(head.length ?? 0, request.maxBytes))) ?? true
  }

  /// Takes a piece of the decoded body.
  private func take(_ piece: UnsafeRawBufferPointer) -> Taken {
    var earlier: [UInt8] = []
    if isSunk {
      // The rest of a file is not an answer that the caller could examine.
      if head.status == 206 { held = nil }
      if let limit = request.sinkLimit,
        piece.count > limit - received - (held?.bytes.count ?? 0) - (head.status == 206 ? download?.first ?? 0 : 0)
      {
        failure = .tooLarge(maxBytes: limit)
        return .failed
      }
      if held?.take(piece, head) == true { return .accepted }
      earlier = held?.bytes ?? []
      held = nil
    }
    switch request.sink {
    case .file where head.isSuccess: return (earlier.isEmpty || earlier.withUnsafeBytes(write)) && write(piece) ? .accepted : .failed
    case .stream(let deliver) where head.isSuccess:
      let piece = earlier + piece
      guard piece.isEmpty || deliver(received, piece) else {
        rejected = piece
        return .rejected
      }
      received += piece.count
    default:
      guard piece.count <= request.maxBytes - received else {
        failure = .tooLarge(maxBytes: request.maxBytes)
        return .failed
      }
      if body.isEmpty { body.reserveCapacity(min(head.length ?? 0, request.maxBytes, Self.reservation)) }
      body.append(contentsOf: piece)
      received += piece.count
    }
    return .accepted
  }

  /// Whether the body is written to a file or a stream.
  private var isSunk: Bool {
    if case .memory = request.sink { return false }
    return head.isSuccess
  }

  /// Returns whether the piece is written. If not, `failure` says why.
  private func write(_ piece: UnsafeRawBufferPointer) -> Bool {
    do throws(HTTPFailure) {
      if let download {
        if received == 0 { try begin(download) }
        try download.write(piece)
      }
    } catch {
      failure = error
      return false
    }
    received += piece.count
    return true
  }

  private func begin(_ download: DownloadFile) throws(HTTPFailure) {
    guard download.begin(head, from: request.url) else { throw .network(host: host, cause: "protocol", answered: true) }
  }
}

import CCurl
import OAuthCore
import Platform

/// One exchange in progress: its handle, the data received so far, and the waiter for the response.
final class CurlTransfer {
  /// Bytes of a redirect's body that are read and discarded to keep the connection. Reading more costs more than a new connection.
  static let dropLimit = 64 << 10

  let id: Int
  let request: HTTPRequest
  let host: String
  /// Counts this call; nil for a request that does not wait.
  var server: CurlLoop.Server?
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
  var body: [UInt8] = []
  var received = 0
  /// The held-back start of a success; nil once it is in the sink.
  var held: ResponsePeek?
  /// Decodes the body; nil before its first byte, or if it isn't compressed.
  var inflater: Inflater?
  /// A piece that the stream did not accept; empty if `mayReceive` paused the transfer.
  var rejected: [UInt8]?
  /// Bytes that were taken before a pause and that libcurl will deliver again.
  var ahead = 0
  /// Bytes of a redirect's body that were discarded.
  var dropped = 0
  var reported: (at: Int, sent: Int, received: Int)?
  /// When the last byte of a body was sent or received.
  var lastByte: Int
  /// Whether a supplied body had no bytes.
  var isBodyPaused = false

  init(_ id: Int, _ request: HTTPRequest, host: String, _ clock: Clock, _ answer: CurlClient.Mailbox.Continuation) {
    (self.id, self.clock) = (id, clock)
    began = clock.uptime()
    lastByte = began
    (self.request, self.host, self.answer) = (request, host, answer)
  }

  deinit { errorText.deallocate() }

  /// Whether the stream must be tried again, because it has no signal.
  var isPolled: Bool { rejected != nil && request.signal == nil }

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
    isBodyPaused = false
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
    if let held, request.relay != nil || head.isSuccess && !held.bytes.isEmpty {
      (response.body, response.bytes, response.isWithheld) = (held.bytes, held.bytes.count, true)
    }
    return .success(response)
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

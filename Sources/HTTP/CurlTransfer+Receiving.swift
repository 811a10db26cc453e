import CCurl
import OAuthCore

/// Receiving the body. The results are those that libcurl's documentation requires of a callback.
extension CurlTransfer {
  /// Maximum bytes that are reserved for the body by a server's Content-Length alone.
  private static let reservation = 16 << 20

  private enum Taken { case accepted, rejected, failed }

  /// Offers the rejected piece again, and continues what is no longer held up.
  func tryAgain() {
    guard let easy, rejected != nil || isBodyPaused else { return }
    if let piece = rejected, mayReceive(0), piece.isEmpty || piece.withUnsafeBytes(deliver) {
      rejected = nil
      received += piece.count
    } else if !isBodyPaused {
      return
    }
    ccurl_easy_resume(easy, rejected == nil ? 1 : 0)
  }

  /// Offers a piece to the stream or to the relay.
  private func deliver(_ piece: UnsafeRawBufferPointer) -> Bool {
    switch request.sink {
    case .stream(let deliver): deliver(received, Array(piece))
    case .relay(let relay): relay.take(piece)
    case .memory, .file: false
    }
  }

  /// Whether a compressed body is decoded. A caller that sets Accept-Encoding does it itself, and a range of compressed bytes can't be decoded.
  var decodesBody: Bool { request.relay == nil && !request.hasHeader("accept-encoding") && !request.hasHeader("range") }

  /// Takes a piece as it was sent. After a pause, libcurl delivers the whole piece again.
  func takeBody(_ piece: UnsafeRawBufferPointer) -> Int {
    lastByte = clock.uptime()
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
      if held != nil { request.relay?.begin(head.status, head.headers) }
      held = nil
    }
    switch request.sink {
    case .file where head.isSuccess: return (earlier.isEmpty || earlier.withUnsafeBytes(write)) && write(piece) ? .accepted : .failed
    case .stream where head.isSuccess, .relay:
      let pieces = earlier.isEmpty ? nil : earlier + piece
      guard pieces?.withUnsafeBytes(deliver) ?? deliver(piece) else {
        rejected = pieces ?? Array(piece)
        return .rejected
      }
      received += pieces?.count ?? piece.count
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

  /// Whether the body is written to a file or a stream, or is passed on.
  private var isSunk: Bool {
    switch request.sink {
    case .memory: false
    case .file, .stream: head.isSuccess
    case .relay: true
    }
  }

  /// Passes the head on, unless the caller may want to send again after an error, or to look for one in a success of known length.
  func beginRelay() {
    guard let relay = request.relay else { return }
    if head.status >= 400 {
      held = ResponsePeek(limit: ResponsePeek.errorLimit, takesObjectsOnly: false)
    } else if !head.isSuccess || head.length == nil || !mayHaveError {
      held = nil
    }
    if held == nil { relay.begin(head.status, head.headers) }
  }

  private var mayHaveError: Bool { head.headers.contains { $0.isNamed("content-type") && $0.value.lowercased().contains("json") } }

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

  func begin(_ download: DownloadFile) throws(HTTPFailure) {
    guard download.begin(head, from: request.url) else { throw .network(host: host, cause: "protocol", answered: true) }
  }
}

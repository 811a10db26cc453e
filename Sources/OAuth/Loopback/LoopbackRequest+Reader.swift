import OAuthCore

extension LoopbackRequest {
  /// Assembles a request from the pieces that arrive.
  struct Reader {
    private var received: [UInt8] = []
    /// How far `received` has been searched for the end of the head. Each byte is searched once, however small the pieces.
    private var scanned = 0
    private var head: (request: LoopbackRequest, end: Int)?

    var isEmpty: Bool { received.isEmpty }

    /// Adds a piece. Returns the redirect once it is complete.
    mutating func take(
      _ bytes: [UInt8], _ target: Target, _ limits: LoopbackListener.Limits
    ) throws(LoopbackResponse.Rejection) -> RedirectRequest? {
      received += bytes
      if head == nil {
        guard let end = try headEnd(limits) else { return nil }
        head = (try LoopbackRequest(head: Array(received[..<end]), for: target, limits: limits), end + 4)
      }
      guard let (request, start) = head, received.count - start >= request.bodyBytes ?? 0 else { return nil }
      return try request.redirect(body: received[start..<(start + (request.bodyBytes ?? 0))])
    }

    /// Returns where the empty line begins. Rejects bytes that no head contains (such as a TLS handshake) at once.
    private mutating func headEnd(_ limits: LoopbackListener.Limits) throws(LoopbackResponse.Rejection) -> Int? {
      while scanned < min(received.count, limits.headBytes) {
        let byte = received[scanned]
        guard byte >= 0x20 || byte == 9 || byte == 10 || byte == 13 else { throw .badRequest("this is not HTTP") }
        if byte == 10, received[...scanned].suffix(4).elementsEqual([13, 10, 13, 10]) { return scanned - 3 }
        scanned += 1
      }
      guard scanned < limits.headBytes else {
        throw LoopbackResponse.Rejection(status: 431, reason: "the request head is too large")
      }
      return nil
    }
  }

  /// The fields of a request head, names in lower case.
  struct Fields {
    private var fields: [(name: String, value: String)] = []

    /// Rejects folded lines and white space around a name: both allow request smuggling (RFC 9112 section 5.1).
    init(_ lines: some Sequence<String>) throws(LoopbackResponse.Rejection) {
      for line in lines {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex, line[..<colon].utf8.allSatisfy(LoopbackRequest.isToken)
        else { throw .badRequest("a header field is malformed") }
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var value = line[line.index(after: colon)...].drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        fields.append((line[..<colon].lowercased(), String(value)))
      }
    }

    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    func only(_ name: String) throws(LoopbackResponse.Rejection) -> String? {
      let values = all(name)
      guard values.count <= 1 else { throw .badRequest("\(name) is there twice") }
      return values.first
    }

    /// `Sec-Purpose` is the Fetch standard's name. Older browsers send the other two.
    var isPrefetch: Bool {
      ["sec-purpose", "purpose", "x-moz"].contains { name in
        all(name).contains { $0.lowercased().hasPrefix("prefetch") || $0.lowercased().hasPrefix("preview") }
      }
    }
  }
}

/// One misbehaviour, requested in the path: `/m/status-503/`. All but `wrong-iss` concern the token endpoint.
struct Mode: Sendable {
  enum Name: String, Sendable {
    // With a number.
    case status = "status-"
    case empty = "empty-"
    case html = "html-"
    case garbage, huge, drop
    /// The request takes effect, but its answer is lost.
    case dropAfter = "drop-after"
    case nestedErrorObject = "nested-error-object"
    case redirectLoop = "redirect-loop"
    case redirectElsewhere = "redirect-elsewhere"
    case noAccessToken = "no-access-token"
    case nulToken = "nul-token"
    case wrongIss = "wrong-iss"
  }

  /// The text in the path.
  let text: String
  let name: Name
  let number: Int

  /// Returns nil for an unknown mode, so that a typo does not pass for good behaviour.
  init?(_ text: Substring) {
    let name = text.prefix { !$0.isNumber }
    let number = UInt32(text.dropFirst(name.count))
    guard let known = Name(rawValue: String(name)), name.hasSuffix("-") ? number != nil : name == text else { return nil }
    (self.text, self.name, self.number) = (String(text), known, Int(number ?? 0))
  }

  /// Returns the answer that replaces the token endpoint's own, or nil if the endpoint should work normally.
  func failure(of request: Request, at origin: String) -> Response? {
    switch name {
    case .status: .error("server_error", "the mode asks for this status", status: number)
    case .empty: Response(status: number)
    case .html: .html(Pages.message(title: "Error \(number)", text: "Something went wrong on our side."), status: number)
    // An error in Facebook's format, whose `error` is an object.
    case .nestedErrorObject:
      .json(["error": ["message": "Error validating access token", "type": "OAuthException", "code": 190]], status: 400)
    case .garbage: Response(content: .raw(Array("\u{16}\u{3}\u{1} this is no HTTP\r\n\r\n".utf8)))
    case .huge: Response(headers: [("Content-Type", "application/json")], content: .endless)
    case .drop: Response(content: .close)
    case .redirectLoop: .redirect(to: origin + request.path, status: 307)
    // The same server under another host name, which must receive no credentials.
    case .redirectElsewhere:
      .redirect(to: "http://localhost:\(origin.split(separator: ":").last ?? "")/elsewhere\(request.path)", status: 307)
    case .dropAfter, .noAccessToken, .nulToken, .wrongIss: nil
    }
  }
}

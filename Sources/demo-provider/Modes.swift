/// The modes in `/m/<mode>[,<mode>…]/`. One server can misbehave in several ways at once.
struct Modes: Sendable {
  /// The text in the path. Empty for the well-behaved provider.
  let text: String
  private let modes: [Mode]

  static let none = Modes(text: "", modes: [])

  private init(text: String, modes: [Mode]) {
    self.text = text
    self.modes = modes
  }

  /// An unknown mode. It is an error, so that a typo does not pass for good behaviour.
  struct Unknown: Error { let name: String }

  init(_ text: Substring) throws(Unknown) {
    var modes: [Mode] = []
    for word in text.split(separator: ",") {
      guard let mode = Mode(word) else { throw Unknown(name: String(word)) }
      modes.append(mode)
    }
    self.init(text: String(text), modes: modes)
  }

  func has(_ name: Mode.Name, for target: Mode.Target) -> Bool {
    modes.contains { $0.name == name && $0.applies(to: target) }
  }

  func number(_ name: Mode.Name, for target: Mode.Target) -> Int? {
    modes.first { $0.name == name && $0.applies(to: target) }?.number
  }

  /// Returns the answer that replaces the endpoint's own, or nil if the endpoint should work normally.
  ///
  /// A mode without a target affects only the token endpoint, because a sign-in must get that far first.
  func failure(for target: Mode.Target, origin: String, path: String) -> Response? {
    for mode in disturbing(target) {
      if let response = Self.failure(mode, origin: origin, path: path) { return response }
    }
    return nil
  }

  /// Returns the answer of a request that took effect, delayed or lost.
  func lateOrLost(_ response: Response, for target: Mode.Target) -> Response {
    var response = response
    for mode in disturbing(target) {
      switch mode.name {
      case .slow: response.delay = mode.number
      case .refreshSlow where target == .refresh: response.delay = mode.number
      case .dropAfter: response.content = .close
      default: break
      }
    }
    return response
  }

  private func disturbing(_ target: Mode.Target) -> [Mode] {
    let isGrant = [.code, .refresh, .client].contains(target)
    return modes.filter { $0.applies(to: target) && ($0.target != nil || isGrant) }
  }

  private static func failure(_ mode: Mode, origin: String, path: String) -> Response? {
    switch mode.name {
    case .status: .error("server_error", "the mode asks for this status", status: mode.number, headers: retryAfter(mode.number))
    case .empty: Response(status: mode.number)
    case .html: .html(Pages.message(title: "Error \(mode.number)", text: "Something went wrong on our side."), status: mode.number)
    case .error: .error("invalid_grant", "the mode asks for an error with this status", status: mode.number)
    case .nestedErrorObject: nestedError
    case .garbage: Response(content: .raw(Array("\u{16}\u{3}\u{1} this is no HTTP\r\n\r\n".utf8)))
    case .huge: huge
    case .never: Response(content: .silence)
    case .drop: Response(content: .close)
    case .redirectLoop: .redirect(to: origin + path, status: 307)
    case .redirectElsewhere: .redirect(to: elsewhere(origin) + path, status: 307)
    default: nil
    }
  }

  /// Returns `Retry-After: 0` for 429 and 503 (RFC 9110 §10.2.3). 0 s, so tests don't have to wait.
  private static func retryAfter(_ status: Int) -> [(name: String, value: String)] {
    status == 429 || status == 503 ? [("Retry-After", "0")] : []
  }

  /// Returns the same server under another host name, which must receive no credentials.
  private static func elsewhere(_ origin: String) -> String {
    guard let colon = origin.lastIndex(of: ":") else { return origin }
    return "http://localhost" + origin[colon...] + "/elsewhere"
  }

  /// An error in Facebook's format, whose `error` is an object.
  private static var nestedError: Response {
    .json(["error": ["message": "Error validating access token", "type": "OAuthException", "code": 190]], status: 400)
  }

  /// A token response of 1 GiB without a content-length.
  private static var huge: Response {
    let stream = Response.Stream(
      prefix: Array(#"{"token_type":"Bearer","access_token":""#.utf8), fill: UInt8(ascii: "a"), count: 1 << 30,
      suffix: Array(#""}"#.utf8), framing: .chunked)
    return Response(headers: [("Content-Type", "application/json")], content: .stream(stream))
  }
}

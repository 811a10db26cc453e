import OAuthCore

@testable import Loopback

/// Requests to the loopback address: the pieces do not matter, no limit is exceeded, and only requests for this address arrive.
struct LoopbackTarget: FuzzTarget {
  static let name = "loopback"

  private let target = LoopbackRequest.Target(LoopbackAddress(path: "/callback"), port: 8080, startPath: "/start/x")
  private let limits: LoopbackListener.Limits

  init() {
    var limits = LoopbackListener.Limits()
    // Small, so that libFuzzer reaches them.
    (limits.headBytes, limits.bodyBytes) = (512, 64)
    self.limits = limits
  }

  /// What the reader says, and how many bytes it took.
  private enum Verdict: Equatable {
    case redirect(LoopbackRequest.Redirect)
    case rejected(Int)
    case unfinished
  }

  func run(_ input: [UInt8]) {
    let (verdict, taken) = read(input, pieces: [1])
    require(taken <= limits.headBytes + limits.bodyBytes, "\(taken) bytes are read before the answer")
    if input.count >= limits.headBytes + limits.bodyBytes { require(verdict != .unfinished, "more than the limits is wanted") }
    for sizes in [[max(1, input.count)], [7], input.prefix(6).map { Int($0) + 1 }] where !sizes.isEmpty {
      // A rejection may come from bytes after the request.
      require(read(input, pieces: sizes).verdict == verdict, "the answer depends on the pieces \(sizes)")
    }
    let followed = read(Array(input[..<taken]) + Array("GET / HTTP/1.1\r\n\r\n".utf8), pieces: [1])
    require(followed.verdict == verdict || verdict == .unfinished, "later bytes decide")
    guard case .redirect(let redirect) = verdict else { return }
    checkHead(input, redirect)
    for name in ["code", "state", "error", "iss", "oauth_token", "oauth_verifier"] {
      require(redirect.parameters.count { $0.name == name } <= 1, "\(name) occurs twice")
    }
    require(redirect.places.allSatisfy { $0.hasPrefix(target.origin + "/") }, "the URL has another origin")
    guard !redirect.isStart else { return require(redirect.parameters.isEmpty, "the start has parameters") }
    // The same parameters, written by ourselves, arrive unchanged.
    let form = FormEncoding.encode(redirect.parameters.map { ($0.name, $0.value) })
    let again = outcome { () throws(LoopbackRequest.Rejection) in try LoopbackRequest.Redirect.parameters(form.utf8) }
    require(again.value == redirect.parameters, "the parameters are not what was sent")
  }

  /// Reads the head again without the parser: one Host, which is ours unless the redirect says otherwise, GET or POST, and our path.
  private func checkHead(_ input: [UInt8], _ redirect: LoopbackRequest.Redirect) {
    let head = input.text.lowercased()
    let lines = head.unicodeScalars.split(separator: "\r\n".unicodeScalars, omittingEmptySubsequences: false).map(String.init)
    let hosts = lines.prefix { !$0.isEmpty }.filter { $0.hasPrefix("host:") }
    require(hosts.count == 1, "\(hosts.count) Host fields")
    let host = hosts[0].dropFirst("host:".count).filter { $0 != " " && $0 != "\t" }
    require(host == "127.0.0.1:8080" || redirect.isForeign, "the request is for \(host)")
    require(!redirect.isForeign || !redirect.isStart, "the start is under another name")
    let words = lines[0].split(separator: " ")
    require(["get", "post"].contains(words.first), "the method is \(words.first ?? "")")
    require(words.dropFirst().first?.contains("/callback") == true || words.dropFirst().first?.contains("/start/x") == true, "another path")
  }

  private func read(_ input: [UInt8], pieces: [Int]) -> (verdict: Verdict, taken: Int) {
    var reader = LoopbackRequest.Reader()
    var (taken, index) = (0, 0)
    while taken < input.count {
      let end = min(input.count, taken + pieces[index % pieces.count])
      let piece = Array(input[taken..<end])
      (taken, index) = (end, index + 1)
      switch outcome({ () throws(LoopbackRequest.Rejection) in try reader.take(piece, target, limits) }) {
      case .success(nil): continue
      case .success(let redirect?): return (.redirect(redirect), taken)
      case .failure(let rejection): return (.rejected(rejection.status), taken)
      }
    }
    return (.unfinished, taken)
  }
}

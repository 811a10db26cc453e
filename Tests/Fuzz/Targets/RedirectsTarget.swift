import Dispatch
import Jansson
import Platform
import Synchronization
import TestSupport

@testable import HTTP
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Store

/// Redirects that the user pastes while a sign-in is open.
///
/// No code is sent to the token endpoint unless the redirect has this sign-in's `state`.
struct RedirectsTarget: FuzzTarget {
  static let name = "redirects"

  /// What 16 equal bytes give, so that seeds can contain it.
  private static let state = Base64.encodeURL([UInt8](repeating: 0x41, count: 16))
  private static let issuer = "https://id.example"

  /// A token endpoint that records the codes that it gets.
  private final class Endpoint: HTTPClient {
    let codes = Mutex<[String]>([])

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
      codes.withLock { $0.append(request.field("code") ?? "none") }
      return HTTPResponse(status: 200, body: Array(#"{"access_token":"a","token_type":"Bearer"}"#.utf8))
    }
  }

  private let endpoint = Endpoint()
  private let accounts: Accounts
  private let input: AuthorizationInput

  init() throws {
    accounts = Accounts(
      Dependencies(
        clock: ManualClock().clock, random: { [UInt8](repeating: 0x41, count: $0) }, http: endpoint, store: MemoryStore(),
        catalog: .builtIn))
    var input = AuthorizationInput()
    input.account = "a"
    input.provider = .description([
      .init("issuer", .string(Self.issuer)), .init("authorizationEndpoint", "https://id.example/authorize"),
      .init("tokenEndpoint", "https://id.example/token"),
    ])
    input.clientId = "client"
    input.redirectUri = "app.example:/callback"
    input.opensBrowser = false
    input.interaction = .always
    input.waits = false
    self.input = input
    begin()
  }

  func run(_ bytes: [UInt8]) {
    let text = bytes.text
    checkResponse(text)
    let reason = waitFor { [accounts] in try await accounts.signIns.take(redirect: text) }
    let codes = endpoint.codes.withLock { codes in
      defer { codes = [] }
      return codes
    }
    require(codes.count <= 1, "the redirect sends \(codes.count) codes")
    if let reason {
      require(codes.isEmpty, "a rejected redirect sends a code")
      require(!reason.isEmpty && !reason.quotes(Self.state), "the reason tells the state")
      return
    }
    let pairs = Self.pairs(text)
    let ours = pairs.filter { $0.values("state") == [Self.state] }
    require(!ours.isEmpty, "a redirect with another state ends the sign-in")
    for code in codes {
      // The query and the fragment are two responses. Only the one with the code counts.
      let answers = ours.filter { $0.values("code") == [code] && $0.values("error").joined().isEmpty }
      require(!answers.isEmpty, "the code \(code) is not this redirect's")
      require(answers.contains { [[], [Self.issuer]].contains($0.values("iss")) }, "another issuer")
    }
    begin()
  }

  /// The same for the response alone, with names that a description chooses.
  private func checkResponse(_ text: String) {
    let parameters = FormEncoding.decodeLeniently(text).map { RedirectParameter(name: $0.0, value: $0.1) }
    for issuer in [Self.issuer, "https://id.example/{tenantid}/v2"] {
      let response = AuthorizationRequest.Response(
        parameters, issuer: issuer, page: "https://id.example/authorize", isIssuerRequired: true, codeParameter: "auth_code")
      func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }
      switch response {
      case .code(let code):
        require(values("auth_code") == [code.value] && !code.value.isEmpty, "the code is not the redirect's only one")
        require(values("error").first ?? "" == "", "a redirect with an error gives a code")
        let isNamed = values("iss").first.map { $0.hasPrefix("https://id.example") && ($0 == issuer || $0.hasSuffix("/v2")) } ?? false
        require(isNamed, "the issuer is \(values("iss"))")
      case .failure(let failure):
        let secret = values("auth_code").first ?? ""
        // A shorter text is part of ordinary words.
        guard secret.utf8.count > 12, failure.kind != .responseUntrusted, secret.plain == secret else { continue }
        let shown = failure.message + String(decoding: JSON.object(failure.details).text, as: UTF8.self)
        require(!shown.quotes(secret) || "error error_description errorDescription".contains(secret), "the failure quotes the code")
      }
    }
  }

  /// The pairs of the query and of the fragment, of a text without either, or of a code with its state, decoded without the process's parser.
  private static func pairs(_ pasted: String) -> [Pairs] {
    let text = PastedText(pasted).text.filter { !$0.isWhitespace && !$0.isNewline }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
    // Some pages show `CODE#STATE`.
    let typed = parts.count == 2 && parts[1] == state ? [Pairs([("code", String(parts[0])), ("state", state)])] : []
    return typed + ([query] + parts.dropFirst()).map { Pairs(String($0)) }
  }

  /// A form, decoded byte by byte.
  private struct Pairs {
    private var pairs: [(name: String, value: String)] = []

    init(_ pairs: [(String, String)]) { self.pairs = pairs }

    init(_ form: String) {
      // A combining mark after the separator would make it another character.
      for part in form.utf8.split(separator: UInt8(ascii: "&")) {
        let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
        pairs.append((Self.decoded(part[..<equals]), Self.decoded(part[equals...].dropFirst())))
      }
    }

    func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    private static func decoded(_ text: Substring.UTF8View) -> String {
      var (bytes, rest) = ([UInt8](), Array(text)[...])
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hexDigitValue), let low = rest.dropFirst().first.flatMap(hexDigitValue)
        {
          bytes.append(high << 4 | low)
          rest = rest.dropFirst(2)
        } else {
          bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func begin() {
    _ = waitFor { [accounts, input] in try await accounts.authorize(input) }
  }

  /// Blocks libFuzzer's thread, which no task uses.
  private func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Value, any Error>?>(nil)
    Task {
      let found: Result<Value, any Error>
      do { found = .success(try await work()) } catch { found = .failure(error) }
      result.withLock { $0 = found }
      done.signal()
    }
    done.wait()
    switch result.withLock({ $0 }) {
    case .success(let value)?: return value
    case .failure(let error)?: fatalError("an unexpected error: \(error)")
    case nil: fatalError("no result")
    }
  }
}

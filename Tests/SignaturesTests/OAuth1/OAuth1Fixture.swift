import Testing

@testable import OAuthCore
@testable import Signatures

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Requests, credentials and files that the OAuth 1.0 tests share.
enum OAuth1Fixture {
  static let form = HTTPHeader("Content-Type", "application/x-www-form-urlencoded")

  static func token(_ token: String, _ secret: String) -> OAuth1Token { OAuth1Token(token: Secret(token), secret: Secret(secret)) }

  /// Returns a request with the credentials `key`, `secret`, `token` and `token-secret`, and an arbitrary nonce and timestamp.
  static func request(
    _ method: String = "GET", _ url: String = "https://example.com/r", headers: [HTTPHeader] = [], body: String? = nil,
    _ change: (inout OAuth1Client) -> Void = { _ in }
  ) -> OAuth1Request {
    var client = OAuth1Client(consumerKey: "key", consumerSecret: Secret("secret"))
    change(&client)
    let request = HTTPRequest(method: method, url: url, headers: headers, body: body.map { .bytes(Array($0.utf8)) } ?? .none)
    return OAuth1Request(
      request, client: client, token: token("token", "token-secret"), nonce: "nonce", timestamp: 1_318_622_958)
  }

  static func response(_ status: Int, _ body: String, headers: [HTTPHeader] = []) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
  }

  /// Returns the bytes of a file in `Vectors`, next to the tests.
  static func file(_ name: String) throws -> [UInt8] {
    let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let file = try #require(fopen("\(folder)/Vectors/\(name)", "r"), "\(name) is not there")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&block, 1, block.count, file)
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: block[..<count])
    }
  }
}

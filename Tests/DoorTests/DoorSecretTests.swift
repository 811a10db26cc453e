import NIOHTTP1
import OAuthCore
import Testing

@testable import Door

/// The secret: where a program may put it, and that no service gets it.
@Suite struct DoorSecretTests {
  private static let text = "s3cret-of-the-door-0123456789abcdef"
  private let secret = DoorSecret(Secret(Self.text))

  private func request(_ headers: [(String, String)], _ uri: String = "/me/user") throws -> DoorRequest {
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: HTTPHeaders([("Host", "localhost:1")] + headers))
    return try DoorRequest(head, at: .tcp(port: 1))
  }

  private static func place(header: String? = nil, query: String? = nil) -> APIOptions.CredentialPlace {
    var place = APIOptions.CredentialPlace()
    (place.header, place.query) = (header, query)
    return place
  }

  private static func basic(_ pair: String) -> String { "Basic " + Base64.encode(Array(pair.utf8)) }

  @Test(arguments: [
    ("Authorization", "Bearer \(text)"), ("authorization", "bearer \(text)"), ("Authorization", "token \(text)"), ("X-Api-Key", text),
    ("PRIVATE-TOKEN", text), ("X-Special", text),
  ])
  func aKeyIsRemoved(header: (String, String)) throws {
    var request = try request([header, ("Accept", "a")])
    #expect(try secret.take(from: &request) { Self.place(header: "X-Special") } == .key)
    #expect(request.headers == [HTTPHeader("Accept", "a")])
  }

  @Test(arguments: ["me:\(text)", ":\(text)"])
  func aPasswordIsRemoved(pair: String) throws {
    var request = try request([("Authorization", Self.basic(pair))])
    #expect(try secret.take(from: &request) == .password)
    #expect(request.headers.isEmpty)
  }

  @Test(
    arguments: [
      [], [("Authorization", "Bearer wrong")], [("Authorization", "Digest \(text.dropLast())x")],
      [("Authorization", basic(text.dropLast() + ":"))],
      [("X-Api-Key", "")], [("Authorization", "Basic !")],
    ] as [[(String, String)]])
  func anotherCredentialIsNone(headers: [(String, String)]) throws {
    var request = try request(headers)
    #expect(try secret.take(from: &request) == .none)
    #expect(request.headers.count == headers.count)
  }

  @Test func theQueryLosesOnlyTheKey() throws {
    var request = try request([], "/me/user?a=%7E+b&key=\(Self.text)&&a=c")
    #expect(try secret.take(from: &request) { Self.place(query: "key") } == .key)
    #expect(request.path == "/user?a=%7E+b&&a=c")
    request = try self.request([], "/me/user?key=\(Self.text)")
    #expect(try secret.take(from: &request) { Self.place(query: "key") } == .key)
    #expect(request.path == "/user")
  }

  @Test(
    arguments: [
      ([("Authorization", "Bearer \(text)"), ("X-Trace", "a \(text)")], "/me/user"), ([("Authorization", "Bearer \(text)")], "/me/\(text)"),
      ([("Authorization", "Bearer \(text)")], "/me/user?key=\(text)"),
      ([("Authorization", "Bearer a"), ("Authorization", "Bearer \(text)")], "/me"),
    ] as [([(String, String)], String)])
  func aSecretElsewhereIsRefused(headers: [(String, String)], uri: String) throws {
    var request = try request(headers, uri)
    #expect { try secret.take(from: &request) } throws: { ($0 as? DoorFailure)?.status == 400 }
  }
}

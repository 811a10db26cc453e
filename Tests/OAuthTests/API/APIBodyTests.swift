import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

struct APIBodyTests {
  private func sent(_ json: JSON, headers: [(name: String, value: String)] = []) async throws -> HTTPRequest {
    let stage = try await CallStage()
    stage.server.add(body: "")
    _ = try await stage.call { request in
      request.method = "POST"
      request.headers = NamedValues(headers)
      request.body = try? APIBody.read(json, at: "/body")
    }
    return try #require(stage.server.requests.first)
  }

  @Test(
    arguments: [
      (["form": ["a b": "1&2", "c": ["x", 2, true], "d": []]], "a+b=1%262&c=x&c=2&c=true", "application/x-www-form-urlencoded"),
      (["json": ["a": [1, .real(2.5), .null, "ä"]]], #"{"a":[1,2.5,null,"ä"]}"#, "application/json"),
      (["json": .null], "null", "application/json"),
      (["text": "hällo"], "hällo", "text/plain; charset=utf-8"), (["base64": "AGhp"], "\u{0}hi", "application/octet-stream"),
      (["text": ""], "", "text/plain; charset=utf-8"),
    ] as [(JSON, String, String)])
  func everyKindIsSentAsItIsMeant(body: JSON, text: String, type: String) async throws {
    let request = try await sent(body)
    #expect(request.text == text)
    #expect(request.header("Content-Type") == type)
  }

  @Test func theCallersContentTypeWins() async throws {
    let request = try await sent(["json": [:]], headers: [("content-type", "application/ld+json")])
    #expect(request.headers.filter { $0.name.lowercased() == "content-type" } == [HTTPHeader("content-type", "application/ld+json")])
  }

  @Test func aFileIsSentFromDisk() async throws {
    let request = try await sent(["file": "/some/where"])
    guard case .file("/some/where") = request.body else {
      Issue.record("the file was read into memory")
      return
    }
    #expect(request.header("Content-Type") == "application/octet-stream")
  }

  @Test func multipartHasItsParts() async throws {
    let folder = try TemporaryFolder()
    let file = folder.write("na\"me.bin", [0, 255])
    let request = try await sent([
      "multipart": [
        ["name": "a\"b", "text": "one"], ["name": "j", "json": ["x": 1]], ["name": "b", "base64": "AAE=", "fileName": "ü.bin"],
        ["name": "f", "file": .string(file)], ["name": "t", "text": "2", "contentType": "text/csv"],
      ]
    ])
    let type = try #require(request.header("Content-Type"))
    let boundary = try #require(type.split(separator: "boundary=").last)
    guard case .bytes(let bytes) = request.body else {
      Issue.record("no bytes")
      return
    }
    let parts = [
      "Content-Disposition: form-data; name=\"a%22b\"\r\n\r\none",
      "Content-Disposition: form-data; name=\"j\"\r\nContent-Type: application/json\r\n\r\n{\"x\":1}",
      "Content-Disposition: form-data; name=\"b\"; filename=\"ü.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n\u{0}\u{1}",
    ]
    var expected = Array(parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined().utf8)
    expected += Array(
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"f\"; filename=\"na%22me.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n"
        .utf8)
    expected += [0, 255]
    expected += Array(
      "\r\n--\(boundary)\r\nContent-Disposition: form-data; name=\"t\"\r\nContent-Type: text/csv\r\n\r\n2\r\n--\(boundary)--\r\n".utf8)
    #expect(bytes == expected)
  }

  @Test func aFilesOwnNameStaysInsideItsQuotes() async throws {
    let folder = try TemporaryFolder()
    let file = folder.write("a\r\nX-Own: 1\"\u{301}", [1])
    let request = try await sent(["multipart": [["name": "f", "file": .string(file)]]])
    guard case .bytes(let bytes) = request.body else {
      Issue.record("no bytes")
      return
    }
    let lines = bytes.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    try #require(lines.count > 1)
    #expect(lines[1] == "Content-Disposition: form-data; name=\"f\"; filename=\"a%0D%0AX-Own: 1%22\u{301}\"\r")
  }

  @Test func aMissingFileIsReported() async throws {
    let stage = try await CallStage()
    let failure = await failureOf {
      try await stage.call { $0.body = try? APIBody.read(["multipart": [["name": "f", "file": "/nowhere/at/all"]]], at: "/body") }
    }
    #expect(failure?.kind == .storageFailure)
    #expect(stage.server.requests.isEmpty)
  }

  @Test(
    arguments: [
      [:], ["text": "a", "json": 1], ["base64": "*"], ["what": 1], ["form": ["a": ["b": 1]]], ["form": ["a": .real(1.5)]], ["text": 1],
      ["multipart": [["name": "a"]]], ["multipart": [["name": "a", "text": "x", "json": 1]]], ["multipart": [["text": "x"]]],
      ["multipart": [["name": "a\r\nX: y", "text": "x"]]], ["multipart": [["name": "a", "text": "x", "contentType": "a\nb"]]],
      ["multipart": [["name": "a", "text": "x", "fileName": "\u{0}"]]], "text", 1,
    ] as [JSON])
  func aBodyMustHaveOneKind(body: JSON) {
    let error = #expect(throws: FieldError.self) { try APIBody.read(body, at: "/body") }
    #expect(error?.path.hasPrefix("/body") == true)
  }
}

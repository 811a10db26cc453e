import Jansson
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct HashSeedTests {
  /// Returns the text of a file in the repository.
  private func source(_ path: String) throws -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    let file = try #require(fopen("\(root)/\(path)", "r"), "\(path) is not there")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&block, 1, block.count, file)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(contentsOf: block[..<count])
    }
  }

  /// The seed changes only how long colliding names take. The test therefore checks the order of the calls in the source.
  @Test func theSeedIsDrawnBeforeThreadsStart() throws {
    let program = try source("Sources/Methods/Assembly.swift").split(separator: "\n").map { $0.drop { $0 == " " } }
    let serve = try #require(program.firstIndex { $0.hasPrefix("package static func serve(") })
    let body = program[serve...]
    let seed = try #require(body.firstIndex(of: "JSON.seedHashes(with: .random(in: 1 ... .max))"))
    let thread = try #require(body.firstIndex { $0.contains("Threads.start") || $0.contains("service(") })
    #expect(seed < thread)
  }

  @Test func objectsAreReadByManyThreadsAtOnce() async throws {
    JSON.seedHashes(with: 7)
    let names = (0..<2000).map { "name\($0)" }
    let text = Array(("{" + names.map { "\"\($0)\":\"\($0)\"" }.joined(separator: ",") + "}").utf8)
    try await withThrowingTaskGroup(of: JSON.self) { group in
      for _ in 0..<16 { group.addTask { try JSON.parse(text) } }
      for try await json in group {
        #expect(json.members?.map(\.name) == names)
        #expect(json["name1999"] == "name1999")
      }
    }
  }
}

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The functions that libFuzzer calls. Its own `main` runs them.
enum LibFuzzer {
  static let targets: [any FuzzTarget.Type] = [
    FramesTarget.self, MessagesTarget.self, ParamsTarget.self, JSONTarget.self, LoopbackTarget.self, RedirectsTarget.self,
    URLsTarget.self, EncodingsTarget.self, TokensTarget.self, OAuth1Target.self, PropertyListTarget.self, IDTokensTarget.self,
    KeySetsTarget.self, GrantsTarget.self, ProvidersTarget.self, SigningKeysTarget.self,
  ]

  /// The target that the environment chooses, since libFuzzer reads the arguments.
  static let target: any FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let type = targets.first(where: { $0.name == name }) else {
      fatalError("FUZZ_TARGET must be one of \(targets.map { $0.name }.joined(separator: ", "))")
    }
    do {
      return try type.init()
    } catch {
      fatalError("\(name) cannot begin: \(error)")
    }
  }()
}

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
  _ = LibFuzzer.target
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try LibFuzzer.target.run(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    fatalError("an unexpected error: \(error)")
  }
  return 0
}

// swift-tools-version: 6.1
import PackageDescription

#if os(Linux)
  // pkg-config would put the system's library folder before that of Sources/packaging/release.sh.
  let janssonPkgConfig: String? = nil
#else
  let janssonPkgConfig: String? = "jansson"
#endif

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let nio = ["NIOCore", "NIOHTTP1", "NIOPosix"].map { Target.Dependency.product(name: $0, package: "swift-nio") }

let package = Package(
  name: "oauth-stdio",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "oauth-stdio", targets: ["oauth-stdio"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    // The parser and the event loop of the HTTP door.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CJansson", pkgConfig: janssonPkgConfig, providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
    .target(name: "CCurl"),
    .target(name: "CPlatform"),
    .target(name: "CKeyring"),
    .target(name: "CPostgres"),
    .target(name: "CPresets"),
    .target(name: "Jansson", dependencies: ["CJansson"]),
    .target(name: "JSONRPC", dependencies: ["Jansson", "Platform"]),
    .target(name: "Platform", dependencies: ["CPlatform", "CKeyring", "CPostgres"]),
    .target(
      name: "OAuthCore", dependencies: ["CPlatform", "CPresets", "Jansson", "Platform"], exclude: ["Provider/Presets"],
      resources: [.embedInCode("Text/EnumTexts.json")]),
    // All uses of signatures and their keys. OAuthCore is apart and compiles beside swift-crypto: a clean build takes 138 s instead of 147 s.
    .target(name: "Signatures", dependencies: ["OAuthCore", "Jansson", crypto, cryptoExtras]),
    // The grants and the files around them. Apart from OAuth, it compiles beside Signatures: a clean build takes 130 s instead of 138 s.
    .target(name: "Store", dependencies: ["Jansson", "OAuthCore", "Platform", crypto]),
    .target(name: "HTTP", dependencies: ["OAuthCore", "Platform", "CCurl", crypto]),
    .target(
      name: "Loopback", dependencies: ["Jansson", "OAuthCore", "Platform", "Store"],
      resources: ["PageTexts.json", "ResultPage.html"].map { .embedInCode($0) }),
    // What a request is to do, and with which provider and client.
    .target(name: "Plans", dependencies: ["HTTP", "Jansson", "OAuthCore", "Signatures", "Store", "Platform", crypto]),
    .target(
      name: "OAuth",
      dependencies: ["HTTP", "Jansson", "Loopback", "OAuthCore", "Plans", "Signatures", "Store", "Platform", crypto]),
    // What an account's grant is used for.
    .target(
      name: "Calls",
      dependencies: ["HTTP", "Jansson", "Loopback", "OAuth", "OAuthCore", "Plans", "Signatures", "Store", "Platform", crypto]),
    .target(
      name: "Methods",
      dependencies: ["Calls", "HTTP", "JSONRPC", "Jansson", "Loopback", "OAuth", "OAuthCore", "Plans", "Store", "Platform"],
      resources: ["Events/ErrorMembers.json", "Methods/MethodTexts.json", "Options/OptionTexts.json", "Welcome.txt"].map {
        .embedInCode($0)
      }),
    // An MCP server of the network for a host that starts programs.
    .target(
      name: "Bridge", dependencies: ["Calls", "HTTP", "Jansson", "OAuth", "OAuthCore", "Plans", "Platform", "Store", crypto]),
    // HTTP for programs that are not given the token.
    .target(name: "Door", dependencies: ["Calls", "Jansson", "Loopback", "OAuth", "OAuthCore", "Plans", "Platform", "Store"] + nio),
    .target(
      name: "CommandLine",
      dependencies: [
        "Bridge", "Calls", "Door", "HTTP", "JSONRPC", "Jansson", "Loopback", "Methods", "OAuth", "OAuthCore", "Plans", "Signatures",
        "Store", "Platform",
      ],
      resources: [
        "EverydayCommands.json", "SetupLines.json", "Help.txt", "AllCommands.txt", "ManPage.roff", "completion.bash", "completion.fish",
        "completion.zsh",
      ].map { .embedInCode("Commands/\($0)") }),
    .executableTarget(name: "oauth-stdio", dependencies: ["CommandLine", "Methods", "Platform"]),
    // Only for measurements, never shipped. See Tests/Benchmarks/run.py.
    .executableTarget(
      name: "signing", dependencies: ["Jansson", "OAuth", "OAuthCore", "Signatures"], path: "Tests/Benchmarks/signing"),
    .testTarget(name: "JanssonTests", dependencies: ["Jansson", "TestSupport"]),
    .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC"]),
    .target(
      name: "TestSupport", dependencies: ["Jansson", "OAuthCore", "Signatures", "Platform", crypto, cryptoExtras],
      path: "Tests/TestSupport"),
    .testTarget(name: "CommandLineTests", dependencies: ["CommandLine", "Jansson", "Methods", "OAuthCore"]),
    .testTarget(name: "BridgeTests", dependencies: ["Bridge", "Jansson", "OAuthCore", "TestSupport"]),
    .testTarget(
      name: "DoorTests",
      dependencies: ["Door", "HTTP", "Jansson", "OAuth", "OAuthCore", "Plans", "Platform", "Store", "TestSupport"] + nio),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
    .testTarget(name: "OAuthCoreTests", dependencies: ["OAuthCore", "Jansson", "TestSupport"], exclude: ["Text/Corpora"]),
    .testTarget(
      name: "SignaturesTests", dependencies: ["Signatures", "OAuthCore", "Jansson", "TestSupport", crypto],
      exclude: ["OAuth1/Vectors"]),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP", "OAuthCore", "Platform", "CCurl", "TestSupport"]),
    .testTarget(name: "LoopbackTests", dependencies: ["Loopback", "Jansson", "OAuthCore", "Platform", "TestSupport", crypto]),
    .testTarget(
      name: "OAuthTests",
      dependencies: [
        "Calls", "HTTP", "Loopback", "OAuth", "OAuthCore", "Plans", "Signatures", "Store", "Platform", "Jansson", "TestSupport", crypto,
      ],
      exclude: ["Providers/Exchanges"]),
  ],
  swiftLanguageModes: [.v6]
)

// Only for Tests/Fuzz/run.sh: libFuzzer has its `main`.
if Context.environment["FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Calls", "HTTP", "JSONRPC", "Jansson", "Loopback", "Methods", "OAuth", "OAuthCore", "Plans", "Signatures", "Store", "Platform",
        "TestSupport", crypto,
      ], path: "Tests/Fuzz", exclude: ["Dictionaries", "Seeds", "run.sh", "python_verdicts.py"]))
}

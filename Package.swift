// swift-tools-version: 6.1
import PackageDescription

let linker = "\(Context.packageDirectory)/Sources/oauth-stdio/Linker"

/// A release binary for Linux that starts fast and contains the Swift runtime. It is still position-independent.
///
/// The two libraries are needed by swift-crypto's use of FoundationEssentials, and autolinking omits them.
let release: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-use-ld=lld", "-L", linker,
      "-l_FoundationCollections", "-l_FoundationCShims", "-Xclang-linker", "-static-libgcc", "-Xlinker", "--no-export-dynamic",
      "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "-s",
    ], .when(platforms: [.linux], configuration: .release))
]

#if os(Linux)
  // pkg-config would put the system's library folder before ours.
  let janssonPkgConfig: String? = nil
#else
  let janssonPkgConfig: String? = "jansson"
#endif

let package = Package(
  name: "oauth-stdio",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "oauth-stdio", targets: ["oauth-stdio"]),
    .executable(name: "demo-provider", targets: ["demo-provider"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")
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
    .target(name: "JSONRPC", dependencies: ["Jansson"]),
    .target(name: "Platform", dependencies: ["CPlatform", "CKeyring", "CPostgres"]),
    .target(
      name: "OAuthCore",
      dependencies: [
        "CPresets", "Jansson", .product(name: "Crypto", package: "swift-crypto"), .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      exclude: ["Provider/Presets"]),
    .target(
      name: "OAuth",
      dependencies: ["Jansson", "OAuthCore", "Platform", "CCurl", .product(name: "Crypto", package: "swift-crypto")],
      resources: [.embedInCode("Loopback/PageTexts.json")]),
    .executableTarget(
      name: "oauth-stdio", dependencies: ["JSONRPC", "Jansson", "OAuth", "OAuthCore", "Platform"], exclude: ["Linker"],
      linkerSettings: release),
    .executableTarget(name: "demo-provider", dependencies: ["Jansson", "OAuthCore", "Platform"]),
    // Only for measurements, never shipped. See Tests/Benchmarks/run.py.
    .executableTarget(
      name: "signing", dependencies: ["Jansson", "OAuth", "OAuthCore"], path: "Tests/Benchmarks/signing", linkerSettings: release),
    .testTarget(name: "JanssonTests", dependencies: ["Jansson", "TestSupport"]),
    .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC"]),
    .target(name: "TestSupport", dependencies: ["Jansson", "OAuthCore", "Platform"], path: "Tests/TestSupport"),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
    .testTarget(
      name: "OAuthCoreTests",
      dependencies: [
        "OAuthCore", "Jansson", "TestSupport", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      exclude: ["OAuth1/Vectors", "Text/Corpora"]),
    .testTarget(
      name: "OAuthTests",
      dependencies: [
        "OAuth", "OAuthCore", "Platform", "Jansson", "CCurl", "TestSupport", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      exclude: ["Providers/Exchanges"]),
  ],
  swiftLanguageModes: [.v6]
)

// Only for Tests/Fuzz/run.sh, so that no other build compiles it.
// The methods become a library there, since only tests can import an executable.
if Context.environment["FUZZ"] != nil {
  package.products = []
  package.targets.removeAll { $0.name == "oauth-stdio" }
  package.targets += [
    .target(
      name: "oauth-stdio", dependencies: ["JSONRPC", "Jansson", "OAuth", "OAuthCore", "Platform"], exclude: ["Linker", "main.swift"]),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "oauth-stdio", "JSONRPC", "Jansson", "OAuth", "OAuthCore", "Platform", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ], path: "Tests/Fuzz", exclude: ["Dictionaries", "Seeds", "run.sh", "python_verdicts.py"]),
  ]
}

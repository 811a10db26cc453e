// swift-tools-version: 6.1
import PackageDescription

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

let linker = "\(Context.packageDirectory)/Sources/oauth-stdio/Linker"
let libraries = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
let hasStaticJansson = libraries.contains { access($0 + "/libjansson.a", R_OK) == 0 }

/// A release binary for Linux that starts fast and contains the Swift runtime. It is still position-independent.
///
/// The two libraries are needed by swift-crypto's use of FoundationEssentials, and autolinking omits them.
let release: [LinkerSetting] = [
  .unsafeFlags(
    (hasStaticJansson ? ["-L", linker + "/static"] : []) + [
      "-static-stdlib", "-use-ld=lld", "-L", linker,
      "-l_FoundationCollections", "-l_FoundationCShims", "-Xclang-linker", "-static-libgcc", "-Xlinker", "--no-export-dynamic",
      "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "-s",
      // Sources/packaging/start-order.sh has made this file, and says what it is for.
      "-Xlinker", "--symbol-ordering-file=\(linker)/start.order", "-Xlinker", "--no-warn-symbol-ordering",
    ], .when(platforms: [.linux], configuration: .release))
]

/// Code that makes the types of its collections at the first use by direct calls. Otherwise, the Swift runtime reads their mangled names and
/// searches 4,800 records for each key's conformance: `accessToken` by a fresh process took 15 % longer.
let compiler: [SwiftSetting] = [
  .unsafeFlags(
    [
      "-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors",
      // So that the linker can put functions in another order.
      "-Xfrontend", "-function-sections",
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
    .target(name: "Jansson", dependencies: ["CJansson"], swiftSettings: compiler),
    .target(name: "JSONRPC", dependencies: ["Jansson"], swiftSettings: compiler),
    .target(name: "Platform", dependencies: ["CPlatform", "CKeyring", "CPostgres"], swiftSettings: compiler),
    .target(
      name: "OAuthCore", dependencies: ["CPresets", "Jansson"], exclude: ["Provider/Presets"], swiftSettings: compiler),
    // All uses of signatures and their keys. OAuthCore is apart and compiles beside swift-crypto: a clean build takes 138 s instead of 147 s.
    .target(
      name: "Signatures",
      dependencies: [
        "OAuthCore", "Jansson", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      swiftSettings: compiler),
    // The grants and the files around them. Apart from OAuth, it compiles beside Signatures: a clean build takes 130 s instead of 138 s.
    .target(
      name: "Store",
      dependencies: ["Jansson", "OAuthCore", "Platform", .product(name: "Crypto", package: "swift-crypto")], swiftSettings: compiler),
    .target(
      name: "OAuth",
      dependencies: [
        "Jansson", "OAuthCore", "Signatures", "Store", "Platform", "CCurl", .product(name: "Crypto", package: "swift-crypto"),
      ],
      resources: [.embedInCode("Loopback/PageTexts.json")], swiftSettings: compiler),
    .executableTarget(
      name: "oauth-stdio", dependencies: ["JSONRPC", "Jansson", "OAuth", "OAuthCore", "Signatures", "Store", "Platform"],
      exclude: ["Linker"],
      swiftSettings: compiler, linkerSettings: release),
    .executableTarget(name: "demo-provider", dependencies: ["Jansson", "OAuthCore", "Signatures", "Platform"]),
    // Only for measurements, never shipped. See Tests/Benchmarks/run.py.
    .executableTarget(
      name: "signing", dependencies: ["Jansson", "OAuth", "OAuthCore", "Signatures"], path: "Tests/Benchmarks/signing",
      linkerSettings: release),
    .testTarget(name: "JanssonTests", dependencies: ["Jansson", "TestSupport"]),
    .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC"]),
    .target(
      name: "TestSupport",
      dependencies: [
        "Jansson", "OAuthCore", "Signatures", "Platform", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      path: "Tests/TestSupport"),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
    .testTarget(name: "OAuthCoreTests", dependencies: ["OAuthCore", "Jansson", "TestSupport"], exclude: ["Text/Corpora"]),
    .testTarget(
      name: "SignaturesTests",
      dependencies: ["Signatures", "OAuthCore", "Jansson", "TestSupport", .product(name: "Crypto", package: "swift-crypto")],
      exclude: ["OAuth1/Vectors"]),
    .testTarget(
      name: "OAuthTests",
      dependencies: [
        "OAuth", "OAuthCore", "Signatures", "Store", "Platform", "Jansson", "CCurl", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
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
      name: "oauth-stdio", dependencies: ["JSONRPC", "Jansson", "OAuth", "OAuthCore", "Signatures", "Store", "Platform"],
      exclude: ["Linker", "main.swift"]),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "oauth-stdio", "JSONRPC", "Jansson", "OAuth", "OAuthCore", "Signatures", "Store", "Platform", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
      ], path: "Tests/Fuzz", exclude: ["Dictionaries", "Seeds", "run.sh", "python_verdicts.py"]),
  ]
}

// swift-tools-version: 6.1
import Foundation
import PackageDescription

let linker = "\(Context.packageDirectory)/Sources/oauth-stdio/Linker"

/// Debian and Alpine ship jansson as an archive too; where there is none the shared library is linked.
let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"]
let hasStaticJansson = folders.contains { FileManager.default.fileExists(atPath: "\($0)/libjansson.a") }

/// For Linker/trace.py, which finds out what the start touches.
let keepsSymbols = Context.environment["OAUTH_STDIO_SYMBOLS"] != nil

/// A release binary for Linux that starts fast and brings the Swift runtime along, still at a random address.
///
/// The two libraries are what swift-crypto's use of FoundationEssentials needs and autolinking leaves out.
let release: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-static-stdlib", "-use-ld=lld", "-L", linker,
      "-l_FoundationCollections", "-l_FoundationCShims", "-Xclang-linker", "-static-libgcc", "-Xlinker", "--no-export-dynamic",
      "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", keepsSymbols ? "-S" : "-s",
      // What runs before the first answer stands together, so that a few pages of a large binary are touched and not some everywhere.
      "-Xlinker", "--symbol-ordering-file=\(linker)/start.symbols", "-Xlinker", "--no-warn-symbol-ordering",
    ] + (hasStaticJansson ? ["-L", "\(linker)/static-jansson"] : []), .when(platforms: [.linux], configuration: .release))
]

/// Generics of one target are specialised in the next, which the start and every request run through; functions stand in sections of their own, so
/// that the linker can put those of the start together.
let optimization: [SwiftSetting] = [
  .unsafeFlags(["-cross-module-optimization", "-Xfrontend", "-function-sections"], .when(configuration: .release))
]

#if os(Linux)
  // pkg-config would put the system's library folder in front of ours.
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
    .target(name: "CStart"),
    .target(name: "CSpawn"),
    .target(name: "Jansson", dependencies: ["CJansson"], swiftSettings: optimization),
    .target(name: "JSONRPC", dependencies: ["Jansson"], swiftSettings: optimization),
    .target(
      name: "OAuth",
      dependencies: [
        "Jansson", "CCurl", "CSpawn", .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      resources: [.embedInCode("Providers/Presets")], swiftSettings: optimization),
    .executableTarget(
      name: "oauth-stdio", dependencies: ["CStart", "JSONRPC", "OAuth"], exclude: ["Linker"], swiftSettings: optimization,
      linkerSettings: release),
    .executableTarget(name: "demo-provider", dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
    // Measures alone, and is never shipped; see Tests/Benchmarks/run.py.
    .executableTarget(name: "signing", dependencies: ["OAuth"], path: "Tests/Benchmarks/signing", linkerSettings: release),
    .testTarget(name: "JanssonTests", dependencies: ["Jansson"]),
    .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC"]),
    .testTarget(
      name: "OAuthTests",
      dependencies: [
        "OAuth", "Jansson", .product(name: "Crypto", package: "swift-crypto"), .product(name: "CryptoExtras", package: "swift-crypto"),
      ],
      exclude: ["OAuth1/Vectors", "Providers/Exchanges"]),
  ],
  swiftLanguageModes: [.v6]
)

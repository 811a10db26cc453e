// swift-tools-version: 6.1
import PackageDescription

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
      name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"]), .brew(["jansson"])]),
    .target(name: "CCurl"),
    .target(name: "Jansson", dependencies: ["CJansson"]),
    .target(name: "JSONRPC", dependencies: ["Jansson"]),
    .target(
      name: "OAuth",
      dependencies: ["Jansson", "CCurl", .product(name: "Crypto", package: "swift-crypto")],
      resources: [.embedInCode("Providers/Presets")]),
    .executableTarget(name: "oauth-stdio", dependencies: ["JSONRPC", "OAuth"]),
    .executableTarget(name: "demo-provider", dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
    .testTarget(name: "JanssonTests", dependencies: ["Jansson"]),
    .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC"]),
    .testTarget(name: "OAuthTests", dependencies: ["OAuth", "Jansson", .product(name: "Crypto", package: "swift-crypto")]),
  ],
  swiftLanguageModes: [.v6]
)

import Platform

@testable import Jansson
@testable import OAuthCore
@testable import Plans

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Provider files: what is accepted fits the schema, all endpoints are safe, and the resolved description is accepted again.
struct ProvidersTarget: FuzzTarget {
  static let name = "providers"

  private static let endpoints = [
    "discovery", "authorizationEndpoint", "tokenEndpoint", "introspectionEndpoint", "userInfoEndpoint", "deviceAuthorizationEndpoint",
    "registrationEndpoint", "pushedAuthorizationRequestEndpoint", "jwksUri", "refreshEndpoint", "longLivedEndpoint", "requestTokenEndpoint",
    "accessTokenEndpoint", "openidEndpoint",
  ]

  private let folder: String
  private let catalog: ProviderCatalog
  private let schema: JSON

  init() throws {
    var template = Array("/tmp/fuzz-providers-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no folder for the provider files") }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    var catalog = ProviderCatalog.builtIn
    catalog.files = ProviderFiles(folder: folder)
    self.catalog = catalog
    schema = Provider.schema
  }

  func run(_ input: [UInt8]) {
    write(input)
    let fromFile = outcome { () throws(OAuthFailure) in try catalog.description(of: "own") }
    if let failure = fromFile.failure {
      require(failure.kind == .configurationInvalid && failure.message.plain == failure.message, "the file is rejected with \(failure)")
    }
    let bytes = input.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(input.dropFirst(3)) : input
    guard let json = try? JSON.parse(bytes) else { return require(fromFile.value == nil, "a file that is not JSON is read") }
    let decoded = outcome { () throws(FieldError) in try Provider.decode(json) }
    guard let provider = decoded.value, case .object(let members) = json else {
      require(fromFile.value == nil || json == .array([]), "an invalid file is read")
      return
    }
    let fault = SchemaCheck.fault(json, schema)
    require(fault == nil, "the reader accepts what the schema does not: \(fault ?? "")")
    checkEndpoints(provider, members)
    require(ProviderCatalog.merge(members, over: members) == members, "a description over itself is another")
    checkResolved(members)
  }

  /// Tokens and secrets go to these URLs.
  private func checkEndpoints(_ provider: Provider, _ members: [JSON.Member]) {
    for case .string(let text)? in Self.endpoints.map({ JSON.object(members)[$0] }) {
      let sample = Template(text).sampleURL
      guard let url = try? URLParts(sample) else { fatalError("the endpoint is not a URL: \(text)") }
      require(url.scheme == "https" || (url.scheme == "http" && url.isLoopback), "the endpoint is unsafe: \(text)")
      require(url.userInfo == nil, "the endpoint has a user name: \(text)")
    }
    for pattern in provider.api.apiHosts ?? [] {
      let sample = Template(pattern).sample
      require(AllowedHosts.isPattern(sample), "\(pattern) is no host")
    }
    require(
      provider.name.plain == provider.name || !provider.name.unicodeScalars.contains { $0.value < 0x20 }, "the name has control characters")
  }

  /// As `authorize` does: the description with its preset and its values.
  private func checkResolved(_ members: [JSON.Member]) {
    let result = outcome { () throws(OAuthFailure) in try catalog.resolve(.description(members)) }
    if let failure = result.failure {
      require(failure.message.plain == failure.message, "the message is not plain text: \(failure.message)")
    }
    guard let provider = result.value else { return }
    let again = outcome { () throws(FieldError) in try Provider.decode(provider.source) }
    require(again.value != nil, "the resolved description is rejected: \(again.failure.map(\.message) ?? "")")
    if let name = JSON.object(members)["preset"]?.string, let preset = Preset.named(name), let base = try? JSON.parse(preset.text) {
      require(base["pkce"] != "required" || provider.request.pkce == .required, "the requirement of the preset \(name) is dropped")
    }
    _ = (AllowedHosts(provider).names, provider.needsClient)
  }

  private func write(_ input: [UInt8]) {
    let file = open("\(folder)/own.json", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    require(writeAll(file, input), "the file cannot be written")
  }
}

/// Writes all bytes at once.
private func writeAll(_ file: Int32, _ bytes: [UInt8]) -> Bool { write(file, bytes, bytes.count) == bytes.count }

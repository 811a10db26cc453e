import Jansson
import OAuthCore

/// The certificate of an account's client in the configuration: the sources of its parts. They are read for each use.
package struct ConfiguredCertificate: FieldObject {
  package typealias Source = ConfiguredAccount.SecretSource

  package static let schemaName: String? = "ConfiguredCertificate"

  private let certificate: Source?
  private let key: Source?
  private let pkcs12: Source?
  private let password: Source?

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    certificate = try fields.source("certificate", "The certificate in PEM, followed by those that certify it, or its source.")
    key = try fields.source(
      "key", "The certificate's private key in PEM, or its source. Without it, the text of the certificate holds it.")
    pkcs12 = try fields.source(
      "pkcs12", "PKCS#12 with certificate and key, in the place of both: its source. A literal value or a variable has it in base64.")
    password = try fields.source("password", "The password of an encrypted key or of PKCS#12, or its source.")
    guard !fields.isDescribing else { return }
    if certificate == nil || pkcs12 != nil, key != nil { throw FieldError(fields.pointer("key"), "needs a certificate beside it") }
    let _: Source = try fields.one(of: [("certificate", certificate), ("pkcs12", pkcs12)])
  }

  package func write(to writer: inout JSONWriter) { writer.null() }

  /// Whether a member of an account is a text of several lines.
  package static func isPEM(_ member: String) -> Bool {
    [ClientCertificate.member + "/certificate", ClientCertificate.member + "/key"].contains(member)
  }

  /// Whether the configuration contains a secret itself, rather than its source.
  package static func hasLiteralSecret(_ json: JSON?) -> Bool {
    ["key", "pkcs12", "password"].contains { json?[$0]?.string != nil } || json?["certificate"]?.string?.contains("PRIVATE KEY") == true
  }

  package var sources: [Source] { [certificate, key, pkcs12, password].compactMap(\.self) }

  /// Reads the parts. `load` gets each source and its place in the account's entry.
  func read(
    _ configured: ConfiguredAccount, _ load: (Source, _ member: String) async throws -> Secret
  ) async throws -> ClientCertificate {
    let member = ClientCertificate.member
    func part(_ source: Source?, _ name: String) async throws -> Secret? {
      if let source { try await load(source, "\(member)/\(name)") } else { nil }
    }
    let password = try await part(password, "password")
    do {
      if let pkcs12 = try await part(pkcs12, "pkcs12") {
        return try ClientCertificate(pkcs12: pkcs12, password: password, at: "/" + member)
      }
      let (chain, key) = (try await part(certificate, "certificate"), try await part(key, "key"))
      return try ClientCertificate(certificate: chain ?? Secret(""), key: key, password: password, at: "/" + member)
    } catch let fault as FieldError {
      throw fault.blaming(configuration: configured)
    }
  }
}

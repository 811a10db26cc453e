import Jansson
import OAuthCore

/// The certificate of an account's client in the configuration: the sources of its parts. They are read for each use.
package struct ConfiguredCertificate: FieldObject {
  package static let schemaName: String? = "ConfiguredCertificate"

  private let certificate: SecretSource?
  private let key: SecretSource?
  private let pkcs12: SecretSource?
  private let password: SecretSource?

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    certificate = try fields.source("certificate", "The certificate in PEM, followed by those that certify it, or its source.")
    key = try fields.source(
      "key", "The certificate's private key in PEM, or its source. Without it, the text of the certificate holds it.")
    pkcs12 = try fields.source(
      "pkcs12", "PKCS#12 with certificate and key, in the place of both: its source. A literal value or a variable has it in base64.")
    password = try fields.source("password", "The password of an encrypted key or of PKCS#12, or its source.")
    guard !fields.isDescribing else { return }
    if certificate == nil || pkcs12 != nil, key != nil { throw FieldError(fields.pointer("key"), "needs a certificate beside it") }
    let _: SecretSource = try fields.one(of: [("certificate", certificate), ("pkcs12", pkcs12)])
  }

  package func write(to writer: inout JSONWriter) { writer.null() }

  package var sources: [SecretSource] { [certificate, key, pkcs12, password].compactMap(\.self) }

  /// Reads the parts. `load` gets each source and its place in the account's entry.
  func read(
    _ configured: ConfiguredAccount, _ load: (SecretSource, _ member: String) async throws -> Secret
  ) async throws -> ClientCertificate {
    let member = ClientCertificate.member
    func part(_ source: SecretSource?, _ name: String) async throws -> Secret? {
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

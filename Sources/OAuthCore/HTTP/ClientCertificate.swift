import Jansson

/// A client's certificate and its private key (RFC 8705), in PEM or as PKCS#12.
package struct ClientCertificate: Sendable, Equatable, FieldObject, Confidential {
  package static let schemaName: String? = "ClientCertificate"
  package static let member = "clientCertificate"

  /// The chain in PEM, or PKCS#12 in base64.
  package let certificate: Secret
  /// The key in PEM; nil with PKCS#12.
  package let key: Secret?
  /// Opens the key.
  package let password: Secret?

  /// Without a key, the text of the certificate holds it.
  package init(certificate: Secret, key: Secret?, password: Secret?, at path: String = "") throws(FieldError) {
    (self.certificate, self.key, self.password) = (certificate.withLineEnds, (key ?? certificate).withLineEnds, password)
    guard certificate.value.contains("-----BEGIN CERTIFICATE-----") else {
      throw FieldError(path + "/certificate", "must be a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----")
    }
    guard self.key?.value.contains("PRIVATE KEY-----") == true else {
      throw FieldError(path + "/key", "must be the certificate's private key in PEM")
    }
  }

  package init(pkcs12: Secret, password: Secret?, at path: String) throws(FieldError) {
    // The program base64 breaks its lines.
    (certificate, key, self.password) = (Secret(pkcs12.value.filter { !$0.isWhitespace }), nil, password)
    if (try? Base64.decode(certificate.value)) == nil { throw FieldError(path + "/pkcs12", "must be base64, or name a file") }
  }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    certificate = try fields.required("certificate", "The certificate in PEM, followed by those that certify it.")
    let key: Secret? = try fields.optional("key", "The certificate's private key in PEM. Without it, the text of the certificate holds it.")
    password = try fields.optional("password", "The password of an encrypted key.")
    self.key = key ?? certificate
    if !fields.isDescribing { _ = try Self(certificate: certificate, key: key, password: password, at: fields.path) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.value([
      "certificate": .string(certificate.value), "key": (key?.value).map(JSON.string), "password": (password?.value).map(JSON.string),
    ])
  }

  /// The DER of the client's own certificate, which is the first; nil with PKCS#12.
  package var der: [UInt8]? {
    let text = certificate.value
    guard let begin = text.firstRange(of: "-----BEGIN CERTIFICATE-----"), let end = text.firstRange(of: "-----END CERTIFICATE-----"),
      begin.upperBound < end.lowerBound
    else { return nil }
    return try? Base64.decode(text[begin.upperBound..<end.lowerBound].filter { !$0.isWhitespace })
  }
}

extension Secret {
  fileprivate var withLineEnds: Secret { Secret(FileText.withLineEnds(value)) }
}

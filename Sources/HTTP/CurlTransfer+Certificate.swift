import CCurl
import Crypto
import OAuthCore

/// The client's certificate in TLS (RFC 8705).
extension CurlTransfer {
  /// OpenSSL and its kin. Other TLS libraries take no certificate from memory, and libcurl would send none without a word.
  private static let takesCertificates = String(cString: ccurl_version()).contains("SSL")

  func setCertificate(_ easy: OpaquePointer) throws(HTTPFailure) {
    ccurl_set_owner(easy, CCURL_ERRORBUFFER, errorText.baseAddress)
    errorText[0] = 0
    guard let certificate = request.clientCertificate else { return }
    var bytes = Array(certificate.certificate.value.utf8)
    if certificate.key == nil { bytes = (try? Base64.decode(bytes)) ?? [] }
    // libcurl compares certificates before it uses a connection again, but no keys. A certificate is public: without the key's hash behind it, a
    // request with a wrong key could use the connection of another with the right one. Readers stop at the certificate's end.
    let secrets = (certificate.key?.value ?? "") + "\n" + (certificate.password?.value ?? "")
    bytes += Array(("\n" + Hexadecimal.encode(Array(SHA256.hash(data: Array(secrets.utf8)))) + "\n").utf8)
    let isTaken =
      Self.takesCertificates && ccurl_set_blob(easy, CCURL_SSLCERT_BLOB, bytes, bytes.count) == CCURL_OK
      && ccurl_set_string(easy, CCURL_SSLCERTTYPE, certificate.key == nil ? "P12" : "PEM") == CCURL_OK
    guard isTaken else {
      let version = String(cString: ccurl_version()).prefix { $0 != " " }
      throw rejected("this system's \(version) takes none from memory: install libcurl 7.71 or newer with OpenSSL (Debian: libcurl4)")
    }
    if let key = certificate.key.map({ Array($0.value.utf8) }) { ccurl_set_blob(easy, CCURL_SSLKEY_BLOB, key, key.count) }
    // Without a password, OpenSSL would ask for one on the terminal.
    ccurl_set_string(easy, CCURL_KEYPASSWD, certificate.password?.value ?? "")
  }

  /// Returns what is wrong with the client's certificate, or with its absence; nil if the failure has another reason.
  func certificateFailure(_ code: Int) -> HTTPFailure? {
    let text = errorText.baseAddress.map { String(cString: $0).lowercased() } ?? ""
    func says(_ part: String) -> Bool { text.contains(part) }
    if code == CCURL_E_SSL_CERTPROBLEM {
      if says("pkcs12") {
        return rejected(
          "the PKCS#12 data cannot be opened: correct the password. If that is right, the encryption is an old one: "
            + "openssl pkcs12 -legacy -in OLD -nodes -out PEM makes a PEM file with certificate and key")
      }
      if says("private key") {
        let isLocked = request.clientCertificate?.key?.value.contains("ENCRYPTED") == true
        return rejected(
          isLocked
            ? "the key cannot be read: it is encrypted, and the password is missing or wrong"
            : "the key is damaged, or not that of the certificate: name the key that belongs to it")
      }
      return rejected("the certificate cannot be read: name the certificate in PEM, with those that certify it behind it")
    }
    // GnuTLS leaves the word out.
    guard says("alert") || says("certificate is required") else { return nil }
    if request.clientCertificate == nil, says("certificate") {
      return .certificate(host: host, problem: "demands a client certificate", isRejected: true)
    }
    let meanings = [
      ("certificate required", "demands a client certificate"), ("certificate expired", "says that the client certificate has expired"),
      ("certificate revoked", "says that the client certificate is revoked"),
      ("unknown ca", "does not know the authority that issued the client certificate"),
      ("certificate", "rejected the client certificate"), ("access denied", "rejected the client certificate"),
    ]
    let found = meanings.first { says($0.0) }?.1
    return found.map { .certificate(host: host, problem: $0, isRejected: true) }
  }

  private func rejected(_ problem: String) -> HTTPFailure { .certificate(host: host, problem: problem, isRejected: false) }
}

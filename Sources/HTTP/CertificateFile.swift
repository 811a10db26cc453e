import Platform

/// The file of the CA certificates that this process trusts, for libraries that need a file.
package enum CertificateFile {
  /// Debian, Fedora, openSUSE, and macOS or Alpine.
  private static let bundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
  ]

  /// Returns the file that the user chose for libpq or for the process, else the system's; nil if there is none.
  package static func path(_ environment: (String) -> String?) -> String? {
    let own = environment("HOME").map { $0 + "/.postgresql/root.crt" }
    if let own, access(own, F_OK) == 0 { return own }
    return CurlSettings.certificateFile(environment) ?? bundles.first { access($0, R_OK) == 0 }
  }
}

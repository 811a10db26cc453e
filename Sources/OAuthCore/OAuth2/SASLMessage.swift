/// The first message of a SASL mechanism that carries an access token, for IMAP, POP and SMTP.
package struct SASLMessage: Sendable {
  package enum Mechanism: String, CaseIterable, Sendable {
    /// Google's and Microsoft's mechanism.
    case xoauth2 = "XOAUTH2"
    /// RFC 7628.
    case oauthbearer = "OAUTHBEARER"
  }

  private let mechanism: Mechanism
  private let user: String
  private let host: String?
  private let port: Int?

  /// `user` is the name of the mailbox. Only OAUTHBEARER sends the server's host and port.
  package init(_ mechanism: Mechanism, user: String, host: String?, port: Int?) {
    (self.mechanism, self.user, self.host, self.port) = (mechanism, user, host, port)
  }

  /// Returns the message in base64, as a client sends it after AUTH.
  package func text(_ token: Secret) -> String {
    let end = "\u{1}"
    switch mechanism {
    case .xoauth2: return Base64.encode(Array("user=\(user)\(end)auth=Bearer \(token.value)\(end)\(end)".utf8))
    case .oauthbearer:
      // A name in the GS2 header has neither commas nor equals signs (RFC 5801, 4).
      let name = user.replacing("=", with: "=3D").replacing(",", with: "=2C")
      let place = (host.map { "host=\($0)\(end)" } ?? "") + (port.map { "port=\($0)\(end)" } ?? "")
      return Base64.encode(Array("n,a=\(name),\(end)\(place)auth=Bearer \(token.value)\(end)\(end)".utf8))
    }
  }
}

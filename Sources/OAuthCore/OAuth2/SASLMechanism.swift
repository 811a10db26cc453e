/// A SASL mechanism that carries an access token, for IMAP, POP and SMTP.
package enum SASLMechanism: String, CaseIterable, Sendable {
  /// Google's and Microsoft's mechanism.
  case xoauth2 = "XOAUTH2"
  /// RFC 7628.
  case oauthbearer = "OAUTHBEARER"

  /// Returns the first message in base64, as a client sends it after AUTH. `user` is the name of the mailbox. Only OAUTHBEARER sends the server's
  /// host and port.
  package func message(_ token: Secret, user: String, host: String?, port: Int?) -> String {
    let end = "\u{1}"
    switch self {
    case .xoauth2: return Base64.encode(Array("user=\(user)\(end)auth=Bearer \(token.value)\(end)\(end)".utf8))
    case .oauthbearer:
      // A name in the GS2 header has neither commas nor equals signs (RFC 5801, 4).
      let name = user.unicodeScalars.map { $0 == "=" ? "=3D" : $0 == "," ? "=2C" : String($0) }.joined()
      let place = (host.map { "host=\($0)\(end)" } ?? "") + (port.map { "port=\($0)\(end)" } ?? "")
      return Base64.encode(Array("n,a=\(name),\(end)\(place)auth=Bearer \(token.value)\(end)\(end)".utf8))
    }
  }
}

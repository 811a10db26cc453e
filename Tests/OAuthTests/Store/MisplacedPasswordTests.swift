import Testing

@testable import Store

struct MisplacedPasswordTests {
  /// The server of the first one speaks German, and the second one has cut the name.
  @Test(arguments: [
    ("h/db%20passwd%20S3CRX", "Datenbank »db passwd S3CRX« existiert nicht"),
    ("h/pwd-\(String(repeating: "x", count: 58))-s3crx", "database \"pwd-\(String(repeating: "x", count: 58))-\" does not exist"),
    ("h/db?options=pass%3D!?*", "invalid command-line argument for server process: pass=!?*"),
    ("h/db&password=s3crx", "database \"db&password=s3crx\" does not exist"),
    ("secret=s3crx@h/db", "password authentication failed for user \"secret=s3crx\""),
  ])
  func isQuoted(rest: String, reason: String) {
    #expect(MisplacedPassword("postgresql://" + rest).isQuoted(in: reason))
  }

  @Test(arguments: [
    ("me:s3crx@h/db", "password authentication failed for user \"me\""),
    ("h/db?password=s3crx&user=me", "password authentication failed for user \"me\""),
    ("h/db?passfile=/home/me/.pgpass", "password retrieved from file \"/home/me/.pgpass\""),
    ("h/compass", "connection to server at \"h\" failed: Connection refused"),
    ("h/db?require_auth=password", "server did not request a password: authentication method requirement failed"),
  ])
  func isNotQuoted(rest: String, reason: String) {
    #expect(!MisplacedPassword("postgresql://" + rest).isQuoted(in: reason))
  }
}

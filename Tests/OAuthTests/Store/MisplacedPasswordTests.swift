import Testing

@testable import Store

struct MisplacedPasswordTests {
  /// One server speaks German, and others have cut the name. Some reasons quote a service file or a variable.
  @Test(arguments: [
    ("h/db%20passwd%20S3CRX", "Datenbank »db passwd S3CRX« existiert nicht", "Datenbank »db passwd …« existiert nicht"),
    ("h/password/s3crx", "database »password/s3crx« does not exist", "database »password/…« does not exist"),
    ("/password/s3crx", "database »password/s3crx« does not exist", "database »password/…« does not exist"),
    ("h/password%20s3crx0123456789", "database »password s3crx01234« does not exist", "database »password …« does not exist"),
    ("h/passwords3crx0123456789", "database »passwords3crx01234« does not exist", "database »…« does not exist"),
    ("h/db%22pass%22word%20s3crx", "database \"db\"pass\"word s3crx\" does not exist", "database \"db\"pass\"… …\" does not exist"),
    ("h/db?options=pass%3Ds3crx", "invalid command-line argument: pass=s3crx", "invalid command-line argument: pass…"),
    ("h/db?options=pass%20!?*", "invalid argument: pass !?*", "…"),
    ("h/db&password=s3crx", "database \"db&password=s3crx\" does not exist", "database \"…\" does not exist"),
    ("h/passbolt", "database \"passbolt\" does not exist", "database \"…\" does not exist"),
    ("/?service=grants", "invalid sslmode value: \"require;password=s3crx\"", "invalid sslmode value: \"…\""),
    ("/?service=grants", "database »db password=s3crx« does not exist", "database »db password…"),
  ])
  func isHidden(rest: String, reason: String, shown: String) {
    #expect(MisplacedPassword("postgresql://" + rest).hidden(in: reason) == shown)
  }

  @Test(arguments: [
    ("app:secret@h/app", "password authentication failed for user \"app\""),
    ("app:secret@h/app", "database \"app\" does not exist"),
    ("me:pass1@127.0.0.1:1/db", "connection to server at \"127.0.0.1\", port 1 failed: Connection refused"),
    ("h/db?user=me&password=s3crx-database", "database \"nope\" does not exist"),
    ("h/db?passfile=/home/me/.pgpass", "password retrieved from file \"/home/me/.pgpass\""),
    ("passenger:x@h:1/passbolt", "connection to server at \"h\", port 1 failed: Connection refused"),
    ("passport-server.invalid/db", "could not translate host name \"passport-server.invalid\" to address: Name or service not known"),
    ("h/db?sslrootcert=/run/secrets/ca.crt", "root certificate file \"/run/secrets/ca.crt\" does not exist"),
    ("h/compass", "connection to server at \"h\" failed: Connection refused"),
    ("h/passbolt", "connection to server at \"h\" failed: Connection refused"),
    ("h/db?require_auth=password", "authentication method requirement failed: server requested SCRAM-SHA-256 authentication"),
  ])
  func isShown(rest: String, reason: String) {
    #expect(MisplacedPassword("postgresql://" + rest).hidden(in: reason) == reason)
  }
}

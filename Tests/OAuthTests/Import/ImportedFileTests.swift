import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuthCore

/// Files of other programs, which have more than a token response.
struct ImportedFileTests {
  private func read(_ text: String) throws -> ImportedGrant {
    try ImportFormat.json.read(.string(text), issuedAt: nil, now: 1_800_000_000).settled(by: .init(), now: 1_800_000_000)
  }

  private static let rclone = #"""
    [s3]
    type = s3
    access_key_id = AK

    [gd]
    type = drive
    client_id = c
    client_secret = s
    scope = drive,https://x.example/y
    token = {"access_token":"a","refresh_token":"r","token_type":"Bearer","expiry":"2030-03-17T19:46:40.8948153+02:00"}

    """#

  @Test(
    arguments: [
      (rclone, "google", ["https://www.googleapis.com/auth/drive", "https://x.example/y"], 1_900_000_000),
      (
        #"{"gd":{"type":"google photos","client_id":"c","client_secret":"s","token":"{\"access_token\":\"a\",\"refresh_token\":\"r\"}"}}"#,
        "google", nil, nil
      ),
      // gcloud's application default credentials have no access token.
      (#"{"type":"authorized_user","client_id":"c","client_secret":"s","refresh_token":"r"}"#, "google", nil, 1_800_000_000),
      (
        #"{"token":"a","refresh_token":"r","client_id":"c","client_secret":"s","scopes":["x","y"],"expiry":"2030-03-17T17:46:40Z"}"#, nil,
        ["x", "y"], 1_900_000_000
      ),
      (
        #"{"tokens":{"accessToken":"a","refreshToken":"r","expiresAt":1900000000000,"scopes":["x"]},"clientId":"c","clientSecret":"s"}"#,
        nil,
        ["x"], 1_900_000_000
      ),
    ] as [(String, String?, [String]?, Int?)])
  func itIsReadWhole(file: String, provider: String?, scopes: [String]?, end: Int?) throws {
    let grant = try read(file)
    #expect(grant.client == Client(id: "c", secret: Secret("s")) && grant.refreshToken == Secret("r"))
    #expect(grant.accessToken == (file.contains("authorized_user") ? nil : Secret("a")))
    #expect(grant.providerName == provider && grant.scopes == scopes && grant.expiresAt == end)
  }

  /// A token that is sent to the wrong account's provider is lost.
  @Test(arguments: [
    "[a]\ntoken = {\"access_token\":\"t\"}\n[b]\ntoken = {\"access_token\":\"t\"}", "[a]\ntype = s3", "github.com:\n  oauth_token: t\n",
  ])
  func whatIsNotOneGrantIsRejected(file: String) {
    #expect(throws: FieldError.self) { try read(file) }
    #expect(throws: FieldError.self) { try read(#"{"a":{"access_token":"t"},"b":{"access_token":"t"}}"#) }
  }
}

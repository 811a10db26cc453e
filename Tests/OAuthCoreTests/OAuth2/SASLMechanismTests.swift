import Testing

@testable import OAuthCore

@Suite struct SASLMechanismTests {
  /// The example of RFC 7628, 4.1, and the one of Google's documentation of XOAUTH2.
  @Test func theExamples() {
    let token = Secret("vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg==")
    #expect(
      SASLMechanism.oauthbearer.message(token, user: "user@example.com", host: "server.example.com", port: 143)
        == "bixhPXVzZXJAZXhhbXBsZS5jb20sAWhvc3Q9c2VydmVyLmV4YW1wbGUuY29tAXBvcnQ9MTQzAWF1dGg9QmVhcmVyIHZGOWRmdDRxbVRjMk52YjNSbGNrQmhiSFJoZG1semRHRXVZMjl0Q2c9PQEB"
    )
    let other = Secret("ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg")
    #expect(
      SASLMechanism.xoauth2.message(other, user: "someuser@example.com", host: nil, port: nil)
        == "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52YjNSbGNrQmhkSFJoZG1semRHRXVZMjl0Q2cBAQ==")
  }

  @Test func aNameInTheHeaderHasNoSeparators() throws {
    let text = SASLMechanism.oauthbearer.message(Secret("t"), user: "a=b,c,\u{301}", host: nil, port: nil)
    #expect(try Base64.decode(Array(text.utf8)) == Array("n,a=a=3Db=2Cc=2C\u{301},\u{1}auth=Bearer t\u{1}\u{1}".utf8))
  }
}

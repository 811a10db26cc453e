import Testing

@testable import OAuthCore

@Suite struct SASLMessageTests {
  /// The example of RFC 7628, 4.1, and the one of Google's documentation of XOAUTH2.
  @Test func theExamples() {
    let standard = SASLMessage(.oauthbearer, user: "user@example.com", host: "server.example.com", port: 143)
    #expect(
      standard.text(Secret("vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg=="))
        == "bixhPXVzZXJAZXhhbXBsZS5jb20sAWhvc3Q9c2VydmVyLmV4YW1wbGUuY29tAXBvcnQ9MTQzAWF1dGg9QmVhcmVyIHZGOWRmdDRxbVRjMk52YjNSbGNrQmhiSFJoZG1semRHRXVZMjl0Q2c9PQEB"
    )
    let google = SASLMessage(.xoauth2, user: "someuser@example.com", host: nil, port: nil)
    #expect(
      google.text(Secret("ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg"))
        == "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52YjNSbGNrQmhkSFJoZG1semRHRXVZMjl0Q2cBAQ==")
  }

  @Test func aNameInTheHeaderHasNoSeparators() throws {
    let text = SASLMessage(.oauthbearer, user: "a=b,c", host: nil, port: nil).text(Secret("t"))
    #expect(try Base64.decode(Array(text.utf8)) == Array("n,a=a=3Db=2Cc,\u{1}auth=Bearer t\u{1}\u{1}".utf8))
  }
}

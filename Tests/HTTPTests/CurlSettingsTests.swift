import Testing

@testable import HTTP
@testable import OAuthCore
@testable import Platform

@Suite struct CurlSettingsTests {
  private func settings(_ environment: [String: String]) -> CurlSettings {
    CurlSettings(version: "1", environment: { environment[$0] })
  }

  @Test(arguments: ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "a.localhost", "[::ffff:127.0.0.1]"])
  func thisMachineIsNeverReachedThroughAProxy(host: String) {
    #expect(!settings(["https_proxy": "http://proxy.example"]).usesProxy("https://\(host)/"))
  }

  @Test(arguments: [
    ([:], true), (["NO_PROXY": "a.example"], false), (["no_proxy": "b.example", "NO_PROXY": "a.example"], true), (["no_proxy": ""], true),
    (["no_proxy": "", "NO_PROXY": "a.example"], false), (["no_proxy": "*"], false),
  ])
  func aHostThatIsExceptedIsReachedWithoutAProxy(variables: [String: String], isProxied: Bool) {
    let environment = variables.merging(["https_proxy": "http://proxy.example"]) { one, _ in one }
    #expect(settings(environment).usesProxy("https://a.example/x") == isProxied)
  }

  @Test func theUsersCertificatesTakeTheSystemsPlace() {
    let own = settings(["SSL_CERT_FILE": "/a", "SSL_CERT_DIR": "/d"])
    #expect(own.certificateFile == "/a")
    #expect(own.certificateFolder == "/d")
    #expect(!own.triesHashedCertificates)
    #expect(settings(["SSL_CERT_FILE": "/a", "CURL_CA_BUNDLE": "/b"]).certificateFile == "/b")
    #expect(!settings(["CURL_CA_BUNDLE": "/b"]).triesHashedCertificates)
    #expect(settings(["SSL_CERT_FILE": ""]).certificateFile == nil)
  }
}

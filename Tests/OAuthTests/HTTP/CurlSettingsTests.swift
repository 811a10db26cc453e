import Testing

@testable import OAuth

@Suite struct CurlSettingsTests {
  private func settings(_ environment: [String: String]) -> CurlSettings {
    CurlSettings(version: "1", environment: { environment[$0] })
  }

  @Test func thisMachineIsNeverReachedThroughAProxy() {
    let loopback = "localhost,127.0.0.0/8,127.0.0.1,::1"
    #expect(settings([:]).noProxy == loopback)
    #expect(settings(["NO_PROXY": "a.example"]).noProxy == "a.example,\(loopback)")
    #expect(settings(["no_proxy": "b.example", "NO_PROXY": "a.example"]).noProxy == "b.example,\(loopback)")
    #expect(settings(["no_proxy": ""]).noProxy == loopback)
    #expect(settings(["no_proxy": "*"]).noProxy == "*")
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

import OAuthCore
import Testing

@testable import Signatures

struct ClientCertificateTests {
  private let pem = """
    -----BEGIN CERTIFICATE-----
    MIIBbjCCARWgAwIBAgIUI2PklQIaCL+i3+TLt+N81TTPEZMwCgYIKoZIzj0EAwIw
    DDEKMAgGA1UEAwwBYzAgFw0yNjExMjcyMjI0NDRaGA8yMTI2MTEwMzIyMjQ0NFow
    DDEKMAgGA1UEAwwBYzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNTqwU8G45fd
    kR8NNcyWSbV1zRD0qvez5w7LD9PZtclzguFzDsN+VJ7GhxQcjW79J2QCXI07axaT
    A2BPEsoACC6jUzBRMB0GA1UdDgQWBBQIeB3NOSTsGHrrVBSsiNTMz8tsCzAfBgNV
    HSMEGDAWgBQIeB3NOSTsGHrrVBSsiNTMz8tsCzAPBgNVHRMBAf8EBTADAQH/MAoG
    CCqGSM49BAMCA0cAMEQCIQDUjbEZJq9KaHNsVFB6Hk29CN4/d8R3qiejCz8gmv2/
    VwIfTWVzO+1M3ZqRL+TQruW6rfDcS7qfsHF0zk+6KbYTjg==
    -----END CERTIFICATE-----
    """

  /// As `openssl x509 -outform DER | openssl dgst -sha256 -binary | basenc --base64url` prints it.
  @Test func theThumbprintIsTheHashOfTheFirstCertificate() throws {
    let key = Secret("-----BEGIN PRIVATE KEY-----")
    for text in [pem, "subject=CN = c\r\n" + pem.replacing("\n", with: "\r\n") + "\r\n" + pem] {
      let certificate = try ClientCertificate(certificate: Secret(text), key: key, password: nil)
      #expect(certificate.thumbprint == "3AyeUSYD6LytZRdbYIzDI-zuE2NFWi0jM6hLZzEejSg")
    }
    #expect(try ClientCertificate(pkcs12: Secret("MIIB"), password: nil, at: "").thumbprint == nil)
  }
}

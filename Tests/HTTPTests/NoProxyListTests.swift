import Testing

@testable import HTTP
@testable import OAuthCore
@testable import Platform

/// Cases from libcurl's own tests of `$no_proxy` and from its documentation of CURLOPT_NOPROXY. `*.example.com` is what many companies write.
@Suite struct NoProxyListTests {
  @Test(arguments: [
    ("example.com", "example.com"), ("EXAMPLE.com", "example.com"), ("example.com", "www.example.com"), (".example.com", "example.com"),
    (".example.com", "www.example.com"), ("*.example.com", "www.example.com"), ("*.example.com", "example.com"),
    ("example.com.", "example.com"), ("example.com", "example.com."), ("*", "example.com"),
    ("a.example, example.com", "example.com"), ("a.example example.com", "example.com"), ("a.example\texample.com,", "example.com"),
    (",,example.com", "example.com"), ("intranet", "intranet"), ("192.168.0.1", "192.168.0.1"), ("192.168.0.0/16", "192.168.255.1"),
    ("10.0.0.0/8,192.168.0.0/16", "192.168.0.1"), ("192.168.0.0/22", "192.168.3.9"), ("192.168.0.1/32", "192.168.0.1"),
    ("192.168.0.1/0", "192.168.0.1"), ("::1", "[::1]"), ("[::1]", "[::1]"), ("fd00::/8", "[fd12::1]"), ("fe80::/10", "[febf::1]"),
    ("2001:DB8::1", "[2001:db8:0::1]"), ("2001:db8::/128", "[2001:db8::]"),
  ])
  func isExcepted(list: String, host: String) {
    #expect(CurlSettings.NoProxyList(list).names(host))
  }

  @Test(arguments: [
    ("", "example.com"), ("example.com", "nonexample.com"), ("www.example.com", "example.com"), ("example.com", "example.com.net"),
    (".", "example.com"), ("..", "example.com"), ("*,a.example", "example.com"), ("*.", "example.com"), ("*.example.com", "nonexample.com"),
    ("example.com:443", "example.com"), ("https://example.com", "example.com"), ("192.168.0.2", "192.168.0.1"),
    ("192.168.0.0/22", "192.168.4.1"), ("192.168.0.0/33", "192.168.0.0"), ("192.168.0.0/x", "192.168.0.0"),
    ("192.168.0.0/", "192.168.0.0"), ("168.0.1", "192.168.0.1"), ("0.1", "192.168.0.1"), ("0.0.0.0/0", "192.168.0.1"),
    ("::2", "[::1]"), ("fe80::/10", "[fec0::1]"), ("fd00::/129", "[fd00::]"), ("::ffff:10.0.0.0/104", "10.0.0.1"),
    ("10.0.0.1", "[::ffff:10.0.0.1]"),
  ])
  func isNotExcepted(list: String, host: String) {
    #expect(!CurlSettings.NoProxyList(list).names(host))
  }
}

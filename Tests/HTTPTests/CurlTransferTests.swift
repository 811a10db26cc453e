import CCurl
import Testing

@testable import HTTP
@testable import OAuthCore
@testable import Platform

struct CurlTransferTests {
  /// An exchange begins again if its certificate is only in the bundle. The caller's time limit is for both attempts.
  @Test func aSecondAttemptGetsNoMoreTime() async throws {
    var reason = [CChar](repeating: 0, count: 256)
    try #require(ccurl_open(&reason, reason.count) == 0)
    var request = HTTPRequest(method: "GET", url: "https://a.example/")
    request.timeout = 30
    let settings = CurlSettings(version: "1", environment: { _ in nil })
    let wanted = request
    let result = await withCheckedContinuation { answer in
      let multi = ccurl_multi_new()!
      defer { ccurl_multi_free(multi) }
      let transfer = CurlTransfer(1, wanted, host: "a.example", .system, answer)
      do throws(HTTPFailure) {
        try transfer.begin(in: multi, nil, settings, hashedCertificates: true)
        let first = transfer.deadline
        try transfer.begin(in: multi, nil, settings, hashedCertificates: false)
        #expect(first != nil && transfer.deadline == first)
        transfer.end(.failure(.cancelled), in: multi)
      } catch {
        transfer.end(.failure(error), in: multi)
      }
    }
    #expect(throws: HTTPFailure.cancelled) { try result.get() }
  }
}

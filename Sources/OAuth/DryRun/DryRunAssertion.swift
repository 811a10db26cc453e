import OAuthCore

/// A response as an OpenID 2.0 provider would send it, with placeholders for its values. It makes the requests after a response visible.
struct DryRunAssertion: Sendable {
  package let parameters: [RedirectParameter]

  /// `asked` are the parameters of the page that the user would open; `now` is in Unix seconds.
  init(_ provider: Provider, asked: [RedirectParameter], at now: Int) {
    typealias Placeholder = DryRun.Placeholder
    func field(_ name: String) -> String? { asked.first { $0.name == "openid." + name }?.value }
    let returnTo = field("return_to") ?? ""
    var signed = [
      ("op_endpoint", provider.openid.openidEndpoint ?? RecordingHTTPClient.openidEndpoint), ("return_to", returnTo),
      ("response_nonce", Self.nonce(at: now)), ("assoc_handle", Placeholder.associationHandle),
    ]
    if provider.openid.openidDialect == .standard {
      let known = field("claimed_id").flatMap { $0 == OpenIDMessage.identifierSelect ? nil : $0 }
      let claimed = known ?? (provider.openid.openidClaimedIds ?? RecordingHTTPClient.openidEndpoint) + Placeholder.user
      signed += [("claimed_id", claimed), ("identity", field("identity").flatMap { known == nil ? nil : $0 } ?? claimed)]
      signed.append(("ns", OpenIDMessage.namespace))
    }
    if provider.oauth1.accessTokenEndpoint != nil {
      signed += [("ns.oauth", OpenIDMessage.oauth), ("oauth.request_token", Placeholder.requestToken)]
    }
    let others = [("mode", "id_res"), ("signed", signed.map(\.0).joined(separator: ",")), ("sig", Placeholder.signature)]
    // The parameters of return_to come back beside the response (11.1).
    let own = (try? URLParts(returnTo))?.query.map { FormEncoding.decodeLeniently($0) } ?? []
    parameters =
      (signed + others).map { RedirectParameter(name: "openid." + $0.0, value: $0.1) }
      + own.map { RedirectParameter(name: $0.0, value: $0.1) }
  }

  /// Returns a nonce with the current second (10.1).
  private static func nonce(at now: Int) -> String {
    let (days, seconds) = (now / 86_400, now % 86_400)
    // No year is longer than 366 days. This year is therefore never too late.
    var year = 1970 + days / 366
    while HTTPDate.daysSince1970(year + 1, 1, 1) <= days { year += 1 }
    let month = (1...12).last { HTTPDate.daysSince1970(year, $0, 1) <= days } ?? 1
    let day = days - HTTPDate.daysSince1970(year, month, 1) + 1
    func padded(_ number: Int, to count: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0) }.joined(separator: ":")
    return "\(padded(year, to: 4))-\(padded(month))-\(padded(day))T\(time)ZNONCE"
  }
}

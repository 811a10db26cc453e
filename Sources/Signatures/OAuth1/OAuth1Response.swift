import Jansson
import OAuthCore

/// The members of a server's response: a form (RFC 5849 §2.1, §2.3), JSON, or neither.
struct OAuth1Response {
  package let members: [OAuth1Parameter]
  /// The response as JSON; nil if it does not begin like a JSON object.
  package let json: JSON?

  init(_ response: HTTPResponse) {
    let body = response.trimmedBody
    let first = body.first
    if first == UInt8(ascii: "{") {
      let json = (try? JSON.parseRounding(body)) ?? .object([])
      self.json = json
      members = (json.members ?? []).compactMap { member in
        switch member.value {
        case .string(let text): OAuth1Parameter(member.name, text)
        case .integer(let number): OAuth1Parameter(member.name, String(number))
        case .bool(let flag): OAuth1Parameter(member.name, flag ? "true" : "false")
        default: nil
        }
      }
    } else {
      json = nil
      // HTML pages and bodies of 64 KiB or more are not forms.
      let isForm = first != nil && first != UInt8(ascii: "<") && body.count < 1 << 16
      members = isForm ? OAuth1Form.decode(body) : []
    }
  }

  /// Returns the value of a name. For a repeated name, the last value counts, as in GTMOAuth.
  subscript(_ name: String) -> String? { members.last { $0.name == name }?.value }

  /// Returns whether the name has two different values. Parsers disagree about which of them counts.
  func isAmbiguous(_ name: String) -> Bool { members.contains { $0.name == name && $0.value != self[name] } }
}

extension OAuth1Response {
  /// Reads a successful response; throws the failure of any other.
  init(succeeding response: HTTPResponse, _ request: OAuth1Request) throws(OAuthFailure) {
    if let problem = OAuth1Problem(response, sent: request) { throw problem.failure }
    self.init(response)
  }

  /// Returns the token. Token and secret must be present and unambiguous; the secret may be empty.
  func token() throws(OAuthFailure) -> OAuth1Token {
    guard let token = self["oauth_token"], !token.isEmpty else { throw .untrusted("the response has no token") }
    guard let secret = self["oauth_token_secret"] else { throw .untrusted("the response has no token secret") }
    guard !isAmbiguous("oauth_token"), !isAmbiguous("oauth_token_secret") else { throw .untrusted("the response has two different tokens") }
    return OAuth1Token(token: Secret(token), secret: Secret(secret))
  }
}

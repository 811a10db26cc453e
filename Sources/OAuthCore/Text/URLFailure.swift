/// Why a text is not a usable URL. The messages omit the URL, since it may contain a code or a token.
package enum URLFailure: Error, Equatable, Sendable, CustomStringConvertible {
  case forbiddenCharacter
  case scheme
  case noAuthority
  case userInfo
  case host
  case port
  case ambiguousPath

  package var description: String {
    switch self {
    case .forbiddenCharacter: "the url has a control character, a blank or a backslash"
    case .scheme: "the url doesn't begin with a scheme"
    case .noAuthority: "the url has no host after its scheme"
    case .userInfo: "the url has a user name with characters that don't belong there"
    case .host: "the url's host isn't a name, an IPv4 address or an IPv6 address in brackets"
    case .port: "the url's port isn't a number up to 65535"
    case .ambiguousPath: "the url's path would be read as a host"
    }
  }
}

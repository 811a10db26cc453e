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
    case .forbiddenCharacter: "the URL has a control character, a blank or a backslash"
    case .scheme: "the URL doesn't begin with a scheme"
    case .noAuthority: "the URL has no host after its scheme"
    case .userInfo: "the URL has a user name with characters that don't belong there"
    case .host: "the URL's host isn't a name, an IPv4 address or an IPv6 address in brackets"
    case .port: "the URL's port isn't a number up to 65535"
    case .ambiguousPath: "the URL's path would be read as a host"
    }
  }
}

import Jansson
import OAuthCore
import Signatures

/// The formats of grants from other programs.
package enum ImportFormat: String, DescribedEnum {
  case gtmoauth, gtmoauth2, googleoauth, spark, json, refreshToken

  /// Reads the data without the provider's rules, which `settled` applies. `issuedAt` is when the program received the tokens, in Unix seconds.
  package func read(_ data: JSON, issuedAt: Int?, now: Int) throws(FieldError) -> ImportedGrant {
    if let issuedAt, !UnixSeconds.instants.contains(issuedAt) { throw FieldError("/issuedAt", "is not a time in Unix seconds") }
    var grant: ImportedGrant =
      switch self {
      case .gtmoauth: try .gtmoauth(text(data))
      case .gtmoauth2: try .gtmoauth2(text(data), now: now)
      case .googleoauth: try .googleoauth(data)
      case .spark: try .spark(data)
      case .json: try .json(data)
      case .refreshToken: try .json(["refresh_token": .string(String(text(data).value.trimmed))])
      }
    grant.issuedAt = issuedAt ?? grant.facts?.issuedAt
    return grant
  }

  private func text(_ data: JSON) throws(FieldError) -> Secret {
    guard case .string(let text) = data else { throw FieldError("/data", "must be a string in the format \(rawValue), not \(data.kind)") }
    return Secret(text)
  }
}

extension ImportedGrant {
  /// Reads GTMOAuth's string. The secret may be missing, since GTMOAuth omitted an empty one.
  static func gtmoauth(_ text: Secret) throws(FieldError) -> ImportedGrant {
    let (stored, value) = keychain(text)
    var grant = stored
    guard let token = try token(value("oauth_token"), at: "/data") else { throw FieldError("/data", "has no oauth_token") }
    (grant.accessToken, grant.tokenSecret, grant.tokenType) = (token, Secret(value("oauth_token_secret") ?? ""), "OAuth")
    return grant
  }

  /// Reads GTMOAuth2's string. It stored the access token only without a refresh token.
  static func gtmoauth2(_ text: Secret, now: Int) throws(FieldError) -> ImportedGrant {
    let (stored, value) = keychain(text)
    var grant = stored
    grant.refreshToken = try token(value("refresh_token"), at: "/data")
    grant.accessToken = try token(value("access_token"), at: "/data")
    grant.tokenType = "Bearer"
    guard grant.refreshToken != nil || grant.accessToken != nil else {
      throw FieldError("/data", "has neither refresh_token nor access_token")
    }
    if grant.accessToken == nil { grant.expiresAt = now }
    grant.scopes = value("scope").flatMap { JSON.string($0).scopes }
    grant.subject = value("userID")
    return grant
  }

  /// Returns a grant with what both keychain strings have, and the last value of each name, ignoring empty ones.
  private static func keychain(_ text: Secret) -> (grant: ImportedGrant, value: (String) -> String?) {
    let members = OAuth1Form.decode(text.value.trimmed.utf8)
    let value = { (name: String) in members.last { $0.name == name && !$0.value.isEmpty }?.value }
    var grant = ImportedGrant()
    (grant.email, grant.providerName) = (value("email"), value("serviceProvider"))
    if let isVerified = value("isVerified") { grant.attributes.pairs.append(("isVerified", isVerified)) }
    return (grant, value)
  }

  /// Reads GoogleOAuth's files. `acctok` is the whole token response as a property list, as old as the file.
  static func googleoauth(_ data: JSON) throws(FieldError) -> ImportedGrant {
    let members = try members(data, known: ["acctok", "reftok"])
    var response: [JSON.Member] = []
    if let list = members["acctok"] {
      do throws(PropertyList.Fault) {
        response = try PropertyList.dictionary(Array(list.utf8))
      } catch {
        throw FieldError("/data/acctok", error.description)
      }
    }
    if let own = try token(members["reftok"].map { $0.filter { !$0.isWhitespace } }, at: "/data/reftok") {
      response.removeAll { $0.name == "refresh_token" }
      response.append(.init("refresh_token", .string(own.value)))
    }
    guard !response.isEmpty else { throw FieldError("/data", "has neither acctok nor reftok") }
    var grant = try json(.object(response), at: "/data/acctok")
    grant.providerName = "google"
    return grant
  }

  /// SparkAPI's own constant. It sent this redirect URI with every code and every refresh.
  private static let sparkRedirectUri = "https://sparkplatform.com/oauth2/callback"

  static func spark(_ data: JSON) throws(FieldError) -> ImportedGrant {
    let members = try members(data, known: ["sparkAccessToken", "sparkRefreshToken", "sparkOpenId"])
    var grant = ImportedGrant()
    grant.accessToken = try token(members["sparkAccessToken"], at: "/data/sparkAccessToken")
    grant.refreshToken = try token(members["sparkRefreshToken"], at: "/data/sparkRefreshToken")
    grant.subject = members["sparkOpenId"]
    guard grant.accessToken != nil || grant.subject != nil else {
      throw FieldError("/data", "has neither sparkAccessToken nor sparkOpenId")
    }
    if grant.accessToken != nil { (grant.tokenType, grant.redirectUri) = ("OAuth", sparkRedirectUri) }
    grant.providerName = "spark"
    return grant
  }

  private static func members(_ data: JSON, known: [String]) throws(FieldError) -> [String: String] {
    guard let members = data.members else { throw FieldError("/data", "must be an object, not \(data.kind)") }
    var texts: [String: String] = [:]
    for member in members {
      let path = ObjectReader.pointer(to: member.name, in: "/data")
      guard known.contains(member.name) else {
        throw FieldError(path, "is unknown: the format's members are \(known.joined(separator: ", "))")
      }
      if member.value == .null { continue }
      let text = try String.read(member.value, at: path)
      if !text.isEmpty { texts[member.name] = text }
    }
    return texts
  }
}

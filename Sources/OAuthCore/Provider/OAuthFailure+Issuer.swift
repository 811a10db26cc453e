extension OAuthFailure {
  /// Names the member for another issuer of a provider that is described by hand. Metadata and presets say themselves which issuer is right.
  package func advisingIssuer(of provider: Provider) -> OAuthFailure {
    guard self["wantedIssuer"] != nil, provider.discovery == nil, provider.preset == nil else { return self }
    return with(\.problem, problem + "; if both are this provider's, name the first as issuer in its description")
  }
}

extension Accounts {
  /// Chooses the flow of the sign-in. Throws before a page is opened if the provider does not support the flow.
  func withFlow(_ plan: AuthorizationPlan) throws -> AuthorizationPlan {
    var plan = plan
    switch plan.request.flow {
    case .browser: break
    case .auto:
      // A caller that opens the page or catches the redirect itself has a browser.
      let isOurs = plan.request.opensBrowser && plan.request.redirectUri == nil
      plan.usesDevice = plan.hasDeviceEndpoint && isOurs && !dependencies.hasBrowser()
    case .device:
      guard plan.hasDeviceEndpoint else { throw DeviceFlow.noEndpoint.of(plan.account) }
      plan.usesDevice = true
    case .clientCredentials:
      try plan.checkClient()
    }
    return plan
  }
}

extension AuthorizationPlan {
  fileprivate var hasDeviceEndpoint: Bool { provider.protocolName == .oauth2 && provider.deviceAuthorizationEndpoint != nil }
}

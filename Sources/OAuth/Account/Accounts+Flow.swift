extension Accounts {
  /// Settles which way the sign-in goes; a way that is not there is said so before anything is opened.
  func withFlow(_ setup: AuthorizeSetup) throws -> AuthorizeSetup {
    var setup = setup
    switch setup.request.flow {
    case .browser: break
    case .auto:
      // Who opens the page by itself, or catches the redirect, has a browser.
      let isOurs = setup.request.opensBrowser && setup.request.redirectUri == nil
      setup.usesDevice = setup.hasDeviceEndpoint && isOurs && !surroundings.hasBrowser()
    case .device:
      guard setup.hasDeviceEndpoint else { throw DeviceSignIn.noEndpoint.of(setup.account) }
      setup.usesDevice = true
    case .clientCredentials:
      try setup.checkClient()
    }
    return setup
  }
}

extension AuthorizeSetup {
  fileprivate var hasDeviceEndpoint: Bool { provider.protocolName == .oauth2 && provider.deviceAuthorizationEndpoint != nil }
}

import Jansson

extension Call {
  /// The device authorization endpoint (RFC 8628 §3.1).
  var deviceAuthorization: Response {
    post { form throws(OAuthError) in
      let (deviceCode, userCode) = site.grants.issueDeviceCode(scopes: form.scopes ?? Grant.usualScopes)
      let page = issuer + "/device"
      return .json(
        [
          "device_code": .string(deviceCode), "user_code": .string(userCode), "verification_uri": .string(page),
          "verification_uri_complete": .string("\(page)?user_code=\(userCode)"), "expires_in": .integer(Grant.Device.lifetime),
          "interval": .integer(Grant.Device.interval),
        ], headers: [("Cache-Control", "no-store")])
    }
  }

  /// Shows the page where the user types the code, or takes its answer. `demo_auto` answers as on the authorization page.
  var devicePage: Response {
    let fields = (request.method == "POST" ? request.form : nil) ?? request.query
    guard let decision = fields["decision"] ?? fields["demo_auto"] else {
      return .html(Pages.device(userCode: fields["user_code"] ?? "", action: issuer + "/device"))
    }
    let isKnown = site.grants.decide(userCode: fields["user_code"] ?? "", allows: decision == "allow")
    return isKnown ? .message("Done", "You can close this page.") : .notPossible("The code is unknown, or it has expired.")
  }
}

import Jansson

/// The device authorization endpoint (RFC 8628 §3.1) and the page where the user types the code.
struct DeviceEndpoint {
  let call: Call

  func answerRequest() -> Response {
    guard call.request.method == "POST" else { return .methodNotAllowed(allow: "POST") }
    do throws(OAuthError) {
      let form = try call.request.checkedForm()
      let client = try RegisteredClient.authenticated(call.request, form: form)
      let scopes = form.filled("scope").map { $0.split(separator: " ").map(String.init) } ?? ["profile", "read"]
      let (deviceCode, userCode) = call.site.grants.issueDeviceCode(clientID: client.id, scopes: scopes)
      let page = call.issuer + "/device"
      return .json(
        [
          "device_code": .string(deviceCode), "user_code": .string(userCode), "verification_uri": .string(page),
          "verification_uri_complete": .string("\(page)?user_code=\(userCode)"), "expires_in": .integer(Grant.Device.lifetime),
          "interval": .integer(Grant.Device.interval),
        ], headers: [("Cache-Control", "no-store")])
    } catch {
      return error.response
    }
  }

  /// Shows the page, or takes its answer. `demo_auto` answers as on the authorization page.
  func answerPage() -> Response {
    let fields = (call.request.method == "POST" ? call.request.form : nil) ?? call.request.query
    guard let decision = fields["decision"] ?? fields["demo_auto"] else {
      return .html(Pages.device(userCode: fields["user_code"] ?? "", action: call.issuer + "/device"))
    }
    let isKnown = call.site.grants.decide(userCode: fields["user_code"] ?? "", allows: decision == "allow")
    let text = isKnown ? "You can close this page." : "The code is unknown, or it has expired."
    return .html(Pages.message(title: isKnown ? "Done" : "Not possible", text: text), status: isKnown ? 200 : 400)
  }
}

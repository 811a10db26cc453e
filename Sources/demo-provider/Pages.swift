import OAuthCore

/// The pages that a user sees. Every value in them is escaped.
enum Pages {
  static func page(title: String, body: String) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>\(HTMLText.escaped(title))</title>
    <style>
    :root { color-scheme: light dark }
    body { font: 16px/1.5 system-ui, sans-serif; margin: 12vh auto; max-width: 26rem; padding: 0 1.5rem }
    h1 { font-size: 1.4rem }
    label { display: block; padding: .25rem 0 }
    .buttons { display: flex; gap: .75rem; margin-top: 1.5rem }
    button { font: inherit; padding: .5rem 1.25rem; border: 1px solid #888; border-radius: .5rem; cursor: pointer }
    button[value=allow] { background: #1a66cc; border-color: #1a66cc; color: #fff }
    small { color: #888 }
    </style></head>
    <body>
    \(body)
    </body></html>

    """
  }

  /// The page where the user types the code of a device.
  static func device(userCode: String, action: String) -> String {
    page(
      title: "Connect a device",
      body: """
        <h1>Which code does the program show?</h1>
        <form method="post" action="\(HTMLText.escaped(action))">
        <input name="user_code" value="\(HTMLText.escaped(userCode))" autocomplete="off" autofocus required>
        <div class="buttons">
        <button name="decision" value="allow">Allow</button>
        <button name="decision" value="deny">Deny</button>
        </div>
        </form>
        """)
  }

  /// The consent page, on which every scope can be deselected. `query` is the authorization request, sent again with the decision.
  static func consent(redirectURI: String, scopes: [String], action: String, query: String) -> String {
    let boxes = scopes.map { scope in
      "<label><input type=\"checkbox\" name=\"scope\" value=\"\(HTMLText.escaped(scope))\" checked> \(HTMLText.escaped(scope))</label>"
    }
    return page(
      title: "Allow access?",
      body: """
        <h1>Allow <em>\(Site.client)</em> to use the demo account?</h1>
        <form method="post" action="\(HTMLText.escaped(action))">
        <input type="hidden" name="request" value="\(HTMLText.escaped(query))">
        \(boxes.joined(separator: "\n"))
        <div class="buttons">
        <button name="decision" value="allow" autofocus>Allow</button>
        <button name="decision" value="deny">Deny</button>
        </div>
        </form>
        <p><small>The answer goes to \(HTMLText.escaped(redirectURI)).</small></p>
        """)
  }
}

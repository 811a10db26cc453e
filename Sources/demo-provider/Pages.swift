/// The pages that a user sees. Every value in them is escaped.
enum Pages {
  static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  private static func page(title: String, body: String, script: String = "") -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>\(escape(title))</title>
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
    \(body)\(script)
    </body></html>

    """
  }

  static func message(title: String, text: String) -> String {
    page(title: title, body: "<h1>\(escape(title))</h1>\n<p>\(escape(text))</p>")
  }

  /// The consent page, on which every scope can be deselected. `query` is the authorization request, sent again with the decision.
  static func consent(client: String, redirectURI: String, scopes: [String], action: String, query: String) -> String {
    let boxes = scopes.map { scope in
      "<label><input type=\"checkbox\" name=\"scope\" value=\"\(escape(scope))\" checked> \(escape(scope))</label>"
    }
    return page(
      title: "Allow access?",
      body: """
        <h1>Allow <em>\(escape(client))</em> to use the demo account?</h1>
        <form method="post" action="\(escape(action))">
        <input type="hidden" name="request" value="\(escape(query))">
        \(boxes.joined(separator: "\n"))
        <div class="buttons">
        <button name="decision" value="allow" autofocus>Allow</button>
        <button name="decision" value="deny">Deny</button>
        </div>
        </form>
        <p><small>The answer goes to \(escape(redirectURI)).</small></p>
        """)
  }

  /// The authorization response as a self-submitting form (OAuth 2.0 Form Post Response Mode §2).
  static func formPost(to uri: String, parameters: Fields) -> String {
    let inputs = parameters.pairs.map { pair in
      "<input type=\"hidden\" name=\"\(escape(pair.name))\" value=\"\(escape(pair.value))\">"
    }
    return page(
      title: "One moment",
      body: """
        <form method="post" action="\(escape(uri))">
        \(inputs.joined(separator: "\n"))
        <noscript><button>Go on</button></noscript>
        </form>
        """, script: "\n<script>document.forms[0].submit()</script>")
  }
}

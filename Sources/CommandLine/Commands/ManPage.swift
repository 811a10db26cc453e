import Jansson
import Methods

/// The manual page in roff, made from the declarations of options, methods and params.
package enum ManPage {
  package static var text: String {
    var text = """
      .TH OAUTH\\-STDIO 1 "" "oauth\\-stdio \(Version.current)"
      .SH NAME
      oauth\\-stdio \\- sign users in with OAuth, keep their tokens and call APIs
      .SH SYNOPSIS
      .B oauth\\-stdio
      .RI [ OPTION "]\\&.\\|.\\|."
      .br
      .B oauth\\-stdio
      .RI [ OPTION "]\\&.\\|.\\|. " METHOD " [" ACCOUNT "] [\\-\\-" "PARAM VALUE" "]\\&.\\|.\\|."
      .SH DESCRIPTION
      Without a method, the program speaks JSON\\-RPC 2.0 on standard input and output, one message a line or with Content\\-Length headers.
      With a method, it runs that one, prints the result as JSON, and exits.
      Events and errors go to standard error.
      .SH OPTIONS

      """
    for option in ProcessOption.all { text += item(option.usage, option.text) }
    text += ".SH EVERYDAY COMMANDS\n"
    for everydayCommand in EverydayCommands.all {
      text += item(everydayCommand.usage, everydayCommand.summary)
      text += ".RS\n\(everydayCommand.options.map { item($0.usage, $0.text) }.joined()).RE\n"
    }
    text += ".SH METHODS\n"
    for method in Methods.ofCommandLine {
      text += ".SS \(escaped(method.name))\n\(escaped(method.type.summary))\n"
      for param in Command.params(of: method) {
        text += item("--\(param.name)\(CommandHelp.form(param.schema))", CommandHelp.documentation(param))
      }
    }
    text += """
      .SH VALUES
      A value
      .BI @ FILE
      is the content of a file, and
      .B \\-
      is standard input.
      .B @@
      begins a literal value with an at sign.
      Lists repeat their param. Objects are JSON.
      .SH EXIT STATUS

      """
    for (status, meaning) in CommandHelp.statuses { text += item(status, meaning) }
    text += ".SH FILES\n"
    for (name, meaning) in files { text += item(name, meaning) }
    text += ".SH ENVIRONMENT\n"
    for (name, meaning) in variables { text += item(name, meaning) }
    return text + """
      .SH EXAMPLES
      Sign in to GitHub, call its API, and store a token in a shell variable:
      .PP
      .nf
      \(escaped("  oauth-stdio login github"))
      \(escaped("  oauth-stdio call github user"))
      \(escaped("  TOKEN=$(oauth-stdio token github)"))
      .fi

      """
  }

  private static let files = [
    ("~/.config/oauth-stdio/config.json", "The accounts with their clients, and profiles of limits. --config names another file."),
    ("~/.config/oauth-stdio/providers/NAME.json", "The user's own descriptions of providers."),
    ("~/.config/oauth-stdio/secrets/", "The client secrets that login has saved without a keyring."),
    ("~/.local/share/oauth-stdio/", "The grants, one sealed file for each account, and their key. --store names another place."),
  ]

  private static let variables = [
    ("XDG_CONFIG_HOME, XDG_DATA_HOME", "The folders instead of ~/.config and ~/.local/share."),
    ("BROWSER", "The programs that open a page, separated by colons. They are tried before the desktop's."),
    ("https_proxy, all_proxy, no_proxy", "The proxies and their exceptions, as for curl."),
    ("SSL_CERT_FILE, CURL_CA_BUNDLE", "A file of CA certificates to use instead of the system's."),
  ]

  private static func item(_ name: String, _ text: String) -> String { ".TP\n.B \(escaped(name))\n\(escaped(text))\n" }

  /// Returns the text as roff shows it. A backslash, a dash, and a dot or quote at the start of a line have a meaning.
  private static func escaped(_ text: String) -> String {
    var escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("`", with: "\"")
    if escaped.hasPrefix(".") || escaped.hasPrefix("'") { escaped = "\\&" + escaped }
    return escaped.unicodeScalars.map { $0.isASCII ? String($0) : "\\[u\(hexadecimal($0.value))]" }.joined()
  }

  /// Returns at least four digits, as roff wants them.
  private static func hexadecimal(_ number: UInt32) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

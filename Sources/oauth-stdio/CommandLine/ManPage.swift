import JSONRPC
import Jansson

/// The manual page in roff, made from the declarations of options, methods and params.
enum ManPage {
  static var text: String {
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
      With a method, it runs that one, prints the result as JSON, and ends.
      Events and errors go to standard error.
      .SH OPTIONS

      """
    for option in ProcessOption.all { text += item(option.usage, option.text) }
    text += ".SH EVERYDAY COMMANDS\n"
    for shortcut in Shortcut.allCases { text += item(shortcut.usage, shortcut.summary) }
    text += ".SH METHODS\n"
    for method in Methods.all {
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
      begins a text with an at sign.
      Lists repeat their param. Objects are JSON.
      .SH EXIT STATUS

      """
    for (status, meaning) in CommandHelp.statuses { text += item("\(status)", meaning) }
    return text
  }

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

import Jansson
import Methods

/// The manual page in roff: `ManPage.roff`, with lists from the declarations of options, methods and params.
package enum ManPage {
  package static var text: String {
    let commands = EverydayCommands.all.map { command in
      item(command.usage, command.summary) + ".RS\n\(command.options.map { item($0.usage, $0.text) }.joined()).RE\n"
    }
    let methods = Methods.ofCommandLine.map { method in
      let params = Command.params(of: method).map { item("--\($0.name)\(CommandHelp.form($0.schema))", CommandHelp.documentation($0)) }
      return ".SS \(escaped(method.name))\n\(escaped(method.type.summary))\n" + params.joined()
    }
    let lists = [
      "options": ProcessOption.all.map { item($0.usage, $0.text) }, "commands": commands, "methods": methods,
      "statuses": CommandHelp.statuses.map { item($0, $1) },
    ]
    let page = String(decoding: PackageResources.ManPage_roff, as: UTF8.self).replacing("{version}", with: Version.current)
    return lists.reduce(page) { $0.replacing("{\($1.key)}\n", with: $1.value.joined()) }
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

/// The parsed command line.
struct Options: Sendable {
  /// 0 makes the system choose.
  var port: UInt16 = 0
  /// Whether to end at the end of standard input.
  var untilStdinCloses = false
  /// Whether to print only the usage.
  var isHelpWanted = false

  static let usage = "usage: demo-provider [--port N] [--until-stdin-closes] [--help]\n"

  struct Wrong: Error { let message: String }

  init(_ arguments: [String]) throws(Wrong) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--port":
        guard let text = rest.popFirst(), let number = UInt16(text) else { throw Wrong(message: "--port needs a number up to 65535") }
        port = number
      case "--until-stdin-closes": untilStdinCloses = true
      case "--help": isHelpWanted = true
      default: throw Wrong(message: "the argument \(argument) is unknown")
      }
    }
  }
}

/// The parsed command line.
struct Options: Sendable {
  var host = HTTPServer.Host.v4
  /// 0 makes the system choose.
  var port: UInt16 = 0
  /// Whether to end at the end of standard input.
  var untilStdinCloses = false
  /// Whether to print only the usage.
  var isHelpWanted = false

  static let usage = "usage: demo-provider [--port N] [--host 127.0.0.1|::1] [--until-stdin-closes] [--help]\n"

  struct Wrong: Error { let message: String }

  init(_ arguments: [String]) throws(Wrong) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--port":
        guard let text = rest.popFirst(), let number = UInt16(text) else { throw Wrong(message: "--port needs a number up to 65535") }
        port = number
      case "--host":
        guard let text = rest.popFirst(), let known = HTTPServer.Host(rawValue: text) else {
          throw Wrong(message: "--host must be 127.0.0.1 or ::1")
        }
        host = known
      case "--until-stdin-closes": untilStdinCloses = true
      case "--help": isHelpWanted = true
      default: throw Wrong(message: "the argument \(argument) is unknown")
      }
    }
  }
}

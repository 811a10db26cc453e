import Jansson
import Platform

// A client may leave at any time.
signal(SIGPIPE, SIG_IGN)
for end in [SIGTERM, SIGINT] { signal(end) { _ in _exit(0) } }

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  if options.isHelpWanted {
    _ = PosixFile.write(Options.usage, to: 1)
    exit(0)
  }
  let server = try HTTPServer(port: options.port)
  let origin = "http://127.0.0.1:\(server.port)"
  if options.untilStdinCloses, Thread.start(waitForEndOfInput) != 0 { exit(1) }
  let announcement: JSON = ["issuer": .string(origin), "port": .integer(Int(server.port))]
  _ = PosixFile.write(announcement.line + "\n", to: 1)
  let site = Site(origin: origin)
  server.serve { Call(request: $0, site: site).answer }
} catch let error as Options.Wrong {
  _ = PosixFile.write("demo-provider: \(error.message)\n\(Options.usage)", to: 2)
  exit(2)
} catch {
  _ = PosixFile.write("demo-provider: \(error)\n", to: 2)
  exit(1)
}

/// Ends the process at the end of its input.
@Sendable func waitForEndOfInput() {
  var byte: UInt8 = 0
  while true {
    let count = read(0, &byte, 1)
    if count == 0 || (count < 0 && errno != EINTR) { exit(0) }
  }
}

import Jansson
import Platform

Process.prepareSignals()

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  if options.isHelpWanted {
    Process.write(Options.usage, to: 1)
    exit(0)
  }
  let server = try HTTPServer(port: options.port)
  let origin = "http://127.0.0.1:\(server.port)"
  if options.untilStdinCloses, Thread.start(Process.waitForEndOfInput) != 0 { exit(1) }
  let announcement: JSON = ["issuer": .string(origin), "port": .integer(Int(server.port))]
  Process.write(announcement.line + "\n", to: 1)
  let grants = Grants(now: Process.now, randomText: Process.randomText)
  let router = Router(site: Site(origin: origin, grants: grants, signer: IDTokenSigner()))
  server.serve(answer: router.answer)
} catch let error as Options.Wrong {
  Process.write("demo-provider: \(error.message)\n\(Options.usage)", to: 2)
  exit(2)
} catch {
  Process.write("demo-provider: \(error)\n", to: 2)
  exit(1)
}

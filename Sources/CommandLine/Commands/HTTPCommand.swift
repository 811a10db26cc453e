import Door
import Methods
import OAuthCore
import Platform

/// Serves accounts to programs that speak HTTP, without their tokens, until a signal ends the process.
struct HTTPCommand: EverydayCommand {
  static let name = "http"
  static let isForScripts = true
  static let warns = true
  /// Characters of a secret of the user's own.
  private static let shortestSecret = 32

  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    let command = try DoorCommand(words, of: self, run)
    let places = command["--listen"]
    guard places.count == 1, let place = places.first else {
      throw Options.Fault("http needs one --listen: 127.0.0.1:PORT or unix:PATH")
    }
    guard let mode = mode_t(command["--socket-mode"].last ?? "0600", radix: 8), mode & ~0o666 == 0 else {
      throw Options.Fault("--socket-mode must be a mode such as 0660")
    }
    var file = command["--secret-file"].last
    guard mode & 0o066 == 0 || (place.hasPrefix("unix:") && file != nil) else {
      throw Options.Fault("--socket-mode lets other users in: it needs --listen unix:PATH, and --secret-file FILE with what they send")
    }
    guard let session = command.run.makeSession(self) else { return ExitStatus.wrongUsage }
    for account in [nil] + command.accounts {
      // A door may open before the sign-in, but not for a name that is a mistake.
      let isKnown = account.map { session.hasAccount($0) != false } ?? false
      if let status = try command.report(account, session), status != ExitStatus.signInRequired || !isKnown {
        session.shutdown.finishCalls(status: status)
      }
    }
    let socket = try socket(place, mode)
    var made = socket.file.map { [$0] } ?? []
    if file == nil, socket.file == nil {
      let path = try usualFile((place.hasPrefix("[") ? "ip6-" : "") + "\(socket.port)")
      unlink(path)
      made.append(path)
      file = path
    }
    session.shutdown.begin { [made] in made.forEach { unlink($0) } }
    let secret = try file.map { path throws(Options.Fault) in try Self.secret(path) } ?? DoorCommand.newSecret()
    let code = Door(accounts: session.service.accounts, secret: secret).listen(at: socket)
    guard code == 0 else { throw Options.Fault("no thread can be started: \(Descriptors.reason(code))") }
    let host = place.hasPrefix("[") ? "[::1]" : "127.0.0.1"
    guard run.print(socket.file.map { "unix:\($0)\n" } ?? "http://\(host):\(socket.port)\n") == 0 else { return 1 }
    if let file { command.run.log.line("oauth-stdio: programs prove themselves by the secret in \(file.plain)") }
    while true { pause() }
  }

  private static func socket(_ place: String, _ mode: mode_t) throws(Options.Fault) -> LoopbackSocket {
    let colon = place.lastIndex(of: ":") ?? place.startIndex
    let (host, port) = (place[..<colon], UInt16(place[colon...].dropFirst()))
    let isFile = place.hasPrefix("unix:")
    guard isFile || (["127.0.0.1", "localhost", "[::1]"].contains(host) && port != nil) else {
      throw Options.Fault("--listen must be 127.0.0.1:PORT, [::1]:PORT or unix:PATH, because only this machine may use the door")
    }
    do throws(Descriptors.Fault) {
      if isFile { return try LoopbackSocket(file: String(place.dropFirst("unix:".count)), mode: mode) }
      return try LoopbackSocket(isIPv6: host == "[::1]", port: port ?? 0)
    } catch {
      let reason =
        switch error.code {
        case EPERM where isFile: "its folder must be yours, and only you may write there"
        case EADDRINUSE: isFile ? "another process listens there, or it is no socket" : "another process listens there"
        default: Descriptors.reason(error.code)
        }
      throw Options.Fault("\(place.plain) cannot be opened: \(reason)")
    }
  }

  /// Returns where programs find the secret of a port.
  private static func usualFile(_ port: String) throws(Options.Fault) -> String {
    guard let folder = ProcessEnvironment.variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else {
      throw Options.Fault("XDG_RUNTIME_DIR is not set: name a file for the secret with --secret-file FILE")
    }
    do throws(PosixFile.Fault) { try PosixFile.makeFolder(folder + "/oauth-stdio") } catch {
      throw Options.Fault("\(folder.plain)/oauth-stdio cannot be made: \(error.reason)")
    }
    return "\(folder)/oauth-stdio/\(port).secret"
  }

  /// Returns the secret in the file. One is made if there is no file.
  private static func secret(_ path: String) throws(Options.Fault) -> Secret {
    do throws(PosixFile.Fault) {
      let found = try PosixFile.read(path, limit: 4096) { status, path throws(PosixFile.Fault) in
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
          throw PosixFile.Fault(path: path, code: EACCES, problem: "it must be yours, and only you may read it (chmod 600)")
        }
      }
      guard let found else {
        let secret = DoorCommand.newSecret()
        try PosixFile.writeNew(path, Array((secret.value + "\n").utf8))
        return secret
      }
      let bytes = found.split { $0 == 10 || $0 == 13 }.first ?? []
      guard bytes.count >= shortestSecret, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw PosixFile.Fault(path: path, code: EINVAL, problem: "it needs at least \(shortestSecret) characters of ASCII, without blanks")
      }
      return Secret(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Options.Fault("the secret in \(path.plain) cannot be used: \(error.reason)")
    }
  }
}

import JSONRPC
import Methods

extension CommandRun {
  /// Returns what shows the events of a command on standard error: as text, or with `--events json` as they are on the wire.
  /// The pieces of a body are the output of `call`.
  func notifier(_ everydayCommand: EverydayCommand?) -> Notifier {
    var choice = options.events
    // A person wants to know about this command only, and its error says how a sign-in ended.
    let told = options.showsJSONEvents ? [AccountWasChanged.name] : [AccountWasChanged.name, SignInWasAbandoned.name]
    if choice == .all { choice = .only(Set(Events.names).subtracting(told)) }
    // A script's mail must not contain that a token was refreshed.
    if !options.choosesEvents, everydayCommand?.isForScripts == true { choice = .only([SignInWasRequested.name, ProgressWasMade.name]) }
    if case .only(let names) = choice, everydayCommand == .call { choice = .only(names.union([BodyChunkWasReceived.name])) }
    if choice == .none, everydayCommand == .call { choice = .only([BodyChunkWasReceived.name]) }
    let json = options.showsJSONEvents ? Notifier(output: Output(descriptor: 2, pinned: .lines), choice: choice) : nil
    let isJSON = options.showsJSONEvents
    return Notifier(choice: choice) { [log, streams, dialog, progress] event in
      if everydayCommand == .call, let piece = event as? BodyChunkWasReceived {
        let code = streams.print(piece.chunk)
        if code != 0 { dialog.outputFailed(code) }
      } else if everydayCommand == .call, let event = event as? ProgressWasMade, !isJSON {
        progress?.show(event)
      } else if let json {
        Events.forward(event, to: json)
      } else {
        // A server chooses some of the words. They must not control a terminal.
        for (index, line) in Self.lines(of: event, everydayCommand, dialog).enumerated() {
          log.line((index == 0 ? "oauth-stdio: " : "") + line.plain)
        }
        if everydayCommand == .login, let asked = event as? SignInWasRequested { dialog.show(asked.prompt) }
      }
    }
  }

  private static func lines(of event: any Event, _ everydayCommand: EverydayCommand?, _ dialog: SignInDialog) -> [String] {
    switch event {
    case let event as SignInWasRequested: dialog.lines(of: event)
    // The user of `login` wants to know that no page was necessary.
    case let event as AuthorizationWasSuccessful where everydayCommand == .login: [event.sentence]
    default: event.lines
    }
  }
}

extension EverydayCommand {
  /// Whether scripts and other programs run the command, and show standard error to the user only if something is wrong.
  fileprivate var isForScripts: Bool {
    [.token, .call, .header, .sasl, .gitCredential, .dockerCredential, .execCredential].contains(self)
  }
}

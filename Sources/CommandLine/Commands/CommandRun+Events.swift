import JSONRPC
import Methods

extension CommandRun {
  /// Returns what shows the events of a command on standard error: as text, or with `--events json` as they are on the wire.
  /// The pieces of a body are the output of `call`.
  func notifier(_ everydayCommand: (any EverydayCommand.Type)?) -> Notifier {
    var choice = options.events
    // A person wants to know about this command only, and its error says how a sign-in ended.
    let told = options.showsJSONEvents ? [AccountWasChanged.name] : [AccountWasChanged.name, SignInWasAbandoned.name]
    if choice == .all { choice = .only(Set(Events.names).subtracting(told)) }
    // A script's mail must not contain that a token was refreshed.
    if !options.choosesEvents, everydayCommand?.isForScripts == true { choice = .only([SignInWasRequested.name, ProgressWasMade.name]) }
    let (isCall, isLogin) = (everydayCommand is CallCommand.Type, everydayCommand is LoginCommand.Type)
    if case .only(let names) = choice, isCall { choice = .only(names.union([BodyChunkWasReceived.name])) }
    if choice == .none, isCall { choice = .only([BodyChunkWasReceived.name]) }
    let json = options.showsJSONEvents ? Notifier(output: Output(descriptor: 2, pinned: .lines), choice: choice) : nil
    let isJSON = options.showsJSONEvents
    return Notifier(choice: choice) { [log, streams, dialog, progress] event in
      if isCall, let piece = event as? BodyChunkWasReceived {
        let code = streams.print(piece.chunk)
        if code != 0 { dialog.outputFailed(code) }
      } else if isCall, let event = event as? ProgressWasMade, !isJSON {
        progress?.show(event)
      } else if let json {
        json.notify(event)
      } else {
        // A server chooses some of the words. They must not control a terminal.
        for (index, line) in Self.lines(of: event, isLogin, dialog).enumerated() {
          log.line((index == 0 ? "oauth-stdio: " : "") + line.plain)
        }
        if isLogin, let asked = event as? SignInWasRequested { dialog.show(asked.prompt) }
      }
    }
  }

  private static func lines(of event: any Event, _ isLogin: Bool, _ dialog: SignInDialog) -> [String] {
    switch event {
    case let event as SignInWasRequested: dialog.lines(of: event)
    // The user of `login` wants to know that no page was necessary.
    case let event as AuthorizationWasSuccessful where isLogin: [event.sentence]
    default: event.lines
    }
  }
}

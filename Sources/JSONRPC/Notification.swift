import Jansson
import Synchronization

/// One event of ours: a name and the members that it tells beside `seq`.
package protocol Event: Answer {
  static var name: String { get }
  static var summary: String { get }
}

/// Sends events in order, numbered over all of them, to whoever asked for them.
package final class Notifier: Sendable {
  /// Which events are sent.
  package enum Choice: Sendable, Equatable {
    case all
    case none
    case only(Set<String>)

    func includes(_ name: String) -> Bool {
      switch self {
      case .all: true
      case .none: false
      case .only(let names): names.contains(name)
      }
    }
  }

  private struct State {
    var choice: Choice
    var seq = 0
  }

  private let state: Mutex<State>
  private let output: Output

  package init(output: Output, choice: Choice) {
    self.output = output
    state = Mutex(State(choice: choice))
  }

  package func choose(_ choice: Choice) {
    state.withLock { $0.choice = choice }
  }

  package func notify<E: Event>(_ event: E) {
    // Numbering and sending are one step, so that no later number overtakes an earlier one.
    state.withLock { state in
      // Counted over all events, so that a gap tells of one that was not asked for.
      state.seq += 1
      guard state.choice.includes(E.name) else { return }
      var members = Members(writing: ())
      members.add("seq", state.seq, "")
      event.list(&members)
      var writer = JSONWriter()
      writer.beginObject()
      writer.name("jsonrpc")
      writer.string("2.0")
      writer.name("method")
      writer.string(E.name)
      writer.name("params")
      writer.verbatim(members.end())
      writer.endObject()
      output.send(writer.bytes)
    }
  }
}

import Jansson
import Synchronization

/// Sends the chosen events in order, with one sequence of numbers for all events.
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
  package let output: Output
  private let show: (@Sendable (any Event) -> Void)?

  /// With `show`, the events go there instead of to the output.
  package init(output: Output = .unused, choice: Choice, show: (@Sendable (any Event) -> Void)? = nil) {
    (self.output, self.show) = (output, show)
    state = Mutex(State(choice: choice))
  }

  package func choose(_ choice: Choice) { state.withLock { $0.choice = choice } }

  /// Whether events of this kind are sent.
  package func sends<E: Event>(_ event: E.Type) -> Bool { state.withLock { $0.choice.includes(E.name) } }

  package func notify<E: Event>(_ event: E) {
    // One lock covers numbering and sending, so the numbers are sent in order.
    state.withLock { state in
      // Counts all events, so a gap shows events that the client did not choose.
      state.seq += 1
      guard state.choice.includes(E.name) else { return }
      if let show { return show(event) }
      var writer = JSONWriter(beginning: #"{"jsonrpc":"2.0","method":"#)
      writer.string(E.name)
      writer.name("params")
      var members = ObjectWriter(goingOnWith: &writer)
      members.add("seq", state.seq, "")
      event.list(&members)
      members.end(givingBackTo: &writer)
      writer.endObject()
      output.send(writer.bytes)
    }
  }
}

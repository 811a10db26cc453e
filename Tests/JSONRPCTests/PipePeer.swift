import JSONRPC
import Jansson
import Synchronization

/// A peer with the bench's methods that writes its answers into a pipe.
final class PipePeer: Sendable {
  let bench: Bench
  let pipe = Pipe()
  private let peer: Peer<Bench>
  private let decoder: Mutex<FrameDecoder>

  init(pinned: Framing? = nil, events: Notifier.Choice = .all) {
    let output = Output(descriptor: pipe.writeEnd, pinned: pinned)
    bench = Bench(session: Session(), notifier: Notifier(output: output, choice: events), output: output)
    let methods = Dictionary(uniqueKeysWithValues: Bench.methods.map { ($0.name, $0) })
    peer = Peer(methods: methods, output: output, session: bench.session, context: bench)
    decoder = Mutex(FrameDecoder(pinned: pinned))
  }

  func send(_ text: String) { sendRaw(text + "\n") }

  func sendRaw(_ text: String) {
    decoder.withLock { decoder in
      decoder.feed(text.utf8)
      while let frame = decoder.next() { peer.receive(frame) }
    }
  }

  func request(_ id: String, _ method: String, _ params: String = "{}") {
    send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
  }

  func notify(_ method: String, _ params: String) { send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#) }

  /// Waits for all open calls and returns everything that was written, in short form.
  func finish() async throws -> [String] { try await finishFrames().map(Self.short) }

  func finishFrames() async throws -> [FrameDecoder.Frame] {
    let (areDone, bytes) = await blocking { [self] in
      let areDone = bench.session.waitUntilNone(milliseconds: 120_000)
      bench.output.flush()
      return (areDone, pipe.finish())
    }
    guard areDone else { throw StillOpen() }
    return FrameDecoder.frames(in: bytes)
  }

  /// Calls were still open after 120 s.
  struct StillOpen: Error {}

  /// Formats a frame as `id result`, `id code` or `method params`; a batch is in brackets and sorted.
  static func short(_ frame: FrameDecoder.Frame) throws -> String {
    guard case .message(let bytes, _) = frame else { return frame.short }
    return short(try JSON.parse(bytes))
  }

  private static func short(_ json: JSON) -> String {
    if let elements = json.array { return "[\(elements.map(short).sorted().joined(separator: " "))]" }
    func text(_ json: JSON?) -> String { String(decoding: (json ?? "?").text, as: UTF8.self) }
    let names = json.members?.map(\.name) ?? []
    guard json["jsonrpc"] == "2.0" else { return "no version: \(text(json))" }
    switch names {
    case ["jsonrpc", "id", "result"]: return "\(text(json["id"])) \(text(json["result"]))"
    case ["jsonrpc", "id", "error"]:
      let isWhole = json["error"]?["message"]?.string?.isEmpty == false
      return "\(text(json["id"])) \(text(json["error"]?["code"]))\(isWhole ? "" : " without a message")"
    case ["jsonrpc", "method", "params"]: return "\(json["method"]?.string ?? "?") \(text(json["params"]))"
    default: return "odd members: \(names)"
    }
  }
}

/// Returns what a peer answers to these lines.
func answers(to lines: String...) async throws -> [String] {
  let peer = PipePeer()
  for line in lines { peer.send(line) }
  return try await peer.finish()
}

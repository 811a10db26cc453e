@testable import JSONRPC
@testable import Jansson

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A session from bytes to bytes: every request gets one answer with its id, and every answer is valid.
struct MessagesTarget: FuzzTarget {
  static let name = "messages"

  struct Context: MethodContext {
    func check(_ method: MethodEntry<Context>) {}
    func rpcError(_ error: any Error) -> RPCError { RPCError(code: 1, message: "failed") }
    func isFinal(_ error: any Error) -> Bool { false }
    func notificationWasRejected(_ method: String, _ error: any Error, _ shown: RPCError) {}
    func wasAnswered() {}
  }

  /// A file without a name that takes the answers.
  private let file: Int32
  private let output: Output
  private let peer: Peer<Context>

  init() throws {
    let template = "/tmp/fuzz-messages-XXXXXX"
    file = template.utf8CString.withUnsafeBufferPointer { characters in
      var path = Array(characters)
      let file = mkstemp(&path)
      unlink(path)
      return file
    }
    guard file >= 0 else { fatalError("there is no temporary file") }
    output = Output(descriptor: file, pinned: nil)
    peer = Peer(methods: [Echo.name: MethodEntry(Echo.self, .session)], output: output, session: Session(), context: Context())
  }

  func run(_ input: [UInt8]) throws {
    for frame in FramesTarget.frames(input) {
      ftruncate(file, 0)
      lseek(file, 0, SEEK_SET)
      peer.receive(frame)
      output.flush()
      let answers = FramesTarget.frames(try written())
      guard case .message(let bytes, let framing) = frame, let json = try? JSON.parse(bytes) else {
        require(answers.count <= 1, "\(answers.count) answers to an unreadable message")
        for answer in answers { try Self.checkAnswer(answer, ids: nil) }
        continue
      }
      let elements = json.array ?? [json]
      let ids = elements.isEmpty ? [JSON.null] : elements.compactMap(Self.answeredID)
      require(answers.count == (ids.isEmpty ? 0 : 1), "\(answers.count) messages for \(ids.count) answers")
      for answer in answers {
        try Self.checkAnswer(answer, ids: ids, isBatch: json.array?.isEmpty == false)
        if case .message(_, let used) = answer { require(used == framing, "the answer has another framing than the message") }
      }
    }
  }

  /// The id with which JSON-RPC 2.0 §5 has an element answered; nil if it gets no answer.
  private static func answeredID(_ element: JSON) -> JSON? {
    guard element.members != nil else { return .null }
    if element["method"] == nil, element["result"] != nil || element["error"] != nil { return nil }
    let isUsable =
      switch element["id"] {
      case nil, .null?, .string?, .integer?: true;
      default: false
      }
    guard isUsable else { return .null }
    let isRequest =
      switch element["params"] {
      case nil, .null?, .object?, .array?: true;
      default: false
      }
    guard element["jsonrpc"] == "2.0", element["method"]?.string != nil, isRequest else { return element["id"] ?? .null }
    return element["id"]
  }

  private static func checkAnswer(_ frame: FrameDecoder.Frame, ids: [JSON]?, isBatch: Bool = false) throws {
    guard case .message(let bytes, _) = frame else { fatalError("the output has a fault in its framing") }
    guard let json = try? JSON.parse(bytes) else { fatalError("the answer is not valid JSON") }
    if ids != nil { require((json.array != nil) == isBatch, "only a batch is answered with an array") }
    let answers = json.array ?? [json]
    for answer in answers {
      require(answer["jsonrpc"] == "2.0", "the answer has no version")
      require(answer.members?.count == 3 && (answer["result"] != nil) != (answer["error"] != nil), "the answer has other members")
      if let error = answer["error"] {
        let message = error["message"]?.string ?? ""
        require(error["code"]?.integer != nil && !message.isEmpty && message.plain == message, "the error has no code or message")
      }
    }
    if let ids { require(answers.map { $0["id"] ?? "none" } == ids, "the answers have other ids") }
  }

  private func written() throws -> [UInt8] {
    lseek(file, 0, SEEK_SET)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(file, &piece, piece.count), count > 0 { bytes += piece[..<count] }
    return bytes
  }
}

extension MessagesTarget {
  /// Answers with its text.
  struct Echo: InlineMethod {
    static let name = "echo"
    static let summary = ""
    private let text: String

    init(_ fields: inout ObjectReader) throws(FieldError) { text = try fields.required("text", "") }
    func run(_ call: Call, _ context: Context) -> Result { Result(text: text) }

    struct Result: JSONObjectConvertible {
      static let sample = Result(text: "")
      var text: String
      func list(_ members: inout ObjectWriter) { members.add("text", text, "") }
    }
  }
}

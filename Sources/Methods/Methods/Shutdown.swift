import JSONRPC
import Jansson

/// Prepares the end of the process. Tokens under exchange are stored before the answer.
struct Shutdown: Method {
  static let name = "shutdown"
  static let summary = "Ends the session. Only `exit` may follow."
  static let answersNull = true
  static let example: MethodExample? = MethodExample(#"{}"#, #"null"#)

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func willRun(_ service: Service) { service.session.shutDown() }

  func run(_ call: Call, _ service: Service) async -> Empty {
    await service.shutdown.finishExchanges()
    return Empty()
  }
}

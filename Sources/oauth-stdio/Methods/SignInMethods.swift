import JSONRPC
import Jansson
import OAuth

/// Waits for a sign-in that was begun with `wait: false`.
struct AwaitSignIn: TaskMethod {
  static let name = "awaitSignIn"
  static let summary = "Waits for an open sign-in and answers as authorize does; its timeout ends the waiting only."

  private let id: String
  private let timeout: Int?

  init(_ fields: inout Fields) throws(FieldError) {
    id = try fields.required("id", "The sign-in's id.")
    timeout = try fields.optional("timeout", in: 1...86_400, "Seconds to wait; as long as the sign-in is open where nothing is said.")
  }

  func run(_ call: Call, _ service: Service) async throws -> AuthorizationResult {
    guard let authorization = try await service.accounts.awaitSignIn(id: id, timeout: timeout) else {
      throw FieldError("/id", "is not the id of a sign-in")
    }
    return AuthorizationResult(authorization: authorization, refreshed: nil)
  }
}

/// Takes a redirect that the client caught or that the user pasted.
struct HandleRedirect: TaskMethod {
  static let name = "handleRedirect"
  static let summary = "Takes the URL that the provider sent the user back to; false when it belongs to no open sign-in."

  private let url: String

  init(_ fields: inout Fields) throws(FieldError) {
    url = try fields.required("url", "The whole URL, with its parameters.")
  }

  func run(_ call: Call, _ service: Service) async -> Result {
    Result(handled: await service.accounts.handleRedirect(url))
  }

  struct Result: Answer {
    static var sample: Result { Result(handled: true) }

    var handled: Bool

    func list(_ members: inout Members) {
      members.add("handled", handled, "Whether it belonged to an open sign-in, which has now ended, well or badly.")
    }
  }
}

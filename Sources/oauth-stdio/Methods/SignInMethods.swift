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
    timeout = try fields.optional("timeout", in: 1...86_400, "Seconds to wait; by default as long as the sign-in is open.")
  }

  func run(_ call: Call, _ service: Service) async throws -> AuthorizationResult {
    guard let authorization = try await service.accounts.awaitSignIn(id: id, timeout: timeout) else {
      throw FieldError("/id", "is not the id of a sign-in")
    }
    return AuthorizationResult(authorization: authorization, refreshed: nil)
  }
}

/// Takes what the user came back with: a redirect that the client caught or that was pasted, or a code that the provider showed.
struct HandleRedirect: TaskMethod {
  static let name = "handleRedirect"
  static let summary =
    "Takes the URL that the provider sent the user back to, or the verifier or code that it showed; false when it belongs to no open sign-in."

  private enum Way {
    case redirect(String)
    case typed(Secret, signIn: String)
  }

  private let way: Way

  init(_ fields: inout Fields) throws(FieldError) {
    let url: String? = try fields.optional("url", "The whole URL, with its parameters.")
    let verifier: Secret? = try fields.optional("verifier", "Instead of a URL: the verifier or code that the user types.")
    let signIn: String? = try fields.optional("signIn", "The id of the sign-in that the verifier is for.")
    if fields.isDescribing {
      way = .redirect("")
      return
    }
    switch (url, verifier, signIn) {
    case (let url?, nil, nil): way = .redirect(url)
    case (nil, let verifier?, let signIn?):
      // Nobody means to end a sign-in with an empty field.
      if PastedText(verifier.value).text.isEmpty { throw FieldError(fields.pointer("verifier"), "must not be empty") }
      way = .typed(verifier, signIn: signIn)
    case (nil, nil, nil): throw .missing(fields.pointer("url"))
    case (nil, nil, _): throw .missing(fields.pointer("verifier"))
    case (nil, _, nil): throw .missing(fields.pointer("signIn"))
    case (_, let verifier, _):
      throw FieldError(fields.pointer(verifier == nil ? "signIn" : "verifier"), "cannot go together with url")
    }
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    switch way {
    case .redirect(let url):
      switch try await service.accounts.takeRedirect(url) {
      case .handled: return Result(handled: true)
      case .useless(let reason): return Result(handled: false, reason: reason)
      }
    case .typed(let text, let id):
      guard let handled = try await service.accounts.handleTyped(text, signIn: id) else {
        throw FieldError("/signIn", "is not the id of a sign-in")
      }
      return Result(handled: handled, reason: handled ? nil : "the sign-in has ended, or its page shows no code to type")
    }
  }

  struct Result: Answer {
    static var sample: Result { Result(handled: false, reason: "") }

    var handled: Bool
    var reason: String?

    func list(_ members: inout Members) {
      members.add("handled", handled, "Whether it belonged to an open sign-in, which has now ended, well or badly.")
      members.add(optional: "reason", reason, "Why it was not handled, as a sentence for the user, who may try again.")
    }
  }
}

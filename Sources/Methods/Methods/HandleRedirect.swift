import JSONRPC
import Jansson
import OAuthCore

/// Accepts the sign-in's outcome: a redirect that the client caught or the user pasted, or a code that the provider showed.
struct HandleRedirect: Method {
  static let name = "handleRedirect"
  static let errors = Errors.names(.notAllowed)

  private let url: String?
  private let verifier: Secret?
  private let signIn: String?

  init(_ fields: inout ObjectReader) throws(FieldError) {
    url = try fields.optional("url", "The whole URL with its parameters.")
    verifier = try fields.optional("verifier", "The verifier or code that the user types, in place of `url`. It needs `signIn`.")
    signIn = try fields.optional("signIn", "The ID of the verifier's sign-in.")
    guard !fields.isDescribing else { return }
    switch (url, verifier, signIn) {
    case (_?, nil, nil): break
    case (nil, let verifier?, _?):
      // An empty field must not end a sign-in.
      if PastedText(verifier.value).text.isEmpty { throw FieldError(fields.pointer("verifier"), "must not be empty") }
    case (nil, nil, nil): throw .missing(fields.pointer("url"))
    case (nil, nil, _): throw .missing(fields.pointer("verifier"))
    case (nil, _, nil): throw .missing(fields.pointer("signIn"))
    case (_, let verifier, _):
      throw FieldError(fields.pointer(verifier == nil ? "signIn" : "verifier"), "cannot be combined with url")
    }
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    if let url {
      let reason = try await service.accounts.signIns.take(redirect: url)
      return Result(handled: reason == nil, reason: reason)
    }
    guard let verifier, let signIn, let handled = try await service.accounts.signIns.take(typed: verifier, signIn: signIn) else {
      throw FieldError("/signIn", "is not the ID of a sign-in")
    }
    return Result(handled: handled, reason: handled ? nil : "the sign-in has ended, or its page shows no code to type")
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(handled: false, reason: "") }

    var handled: Bool
    var reason: String?

    func list(_ members: inout ObjectWriter) {
      members.add(
        "handled", handled, "Whether the URL or code belonged to an open sign-in. That sign-in has now ended, with or without success.")
      members.add(optional: "reason", reason, "The reason why the URL or code was useless, as a sentence for the user.")
    }
  }
}

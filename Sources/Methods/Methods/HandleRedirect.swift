import JSONRPC
import Jansson
import OAuthCore

/// Accepts the sign-in's outcome: a redirect that the client caught or the user pasted, or a code that the provider showed.
struct HandleRedirect: Method {
  static let name = "handleRedirect"
  static let errors = Errors.names(.notAllowed)
  static let summary =
    "Finishes a sign-in with the URL of the redirect, or with the code that the provider showed to the user."
  static let example: MethodExample? = MethodExample(#"{"verifier":"4/c0de","signIn":"sFTQoZVDdbxn"}"#, #"{"handled":true}"#)

  private enum Way {
    case redirect(String)
    case typed(Secret, signIn: String)
  }

  private let way: Way

  init(_ fields: inout ObjectReader) throws(FieldError) {
    let url: String? = try fields.optional("url", "The whole URL with its parameters.")
    let verifier: Secret? = try fields.optional(
      "verifier", "The verifier or code that the user types, in place of `url`. It needs `signIn`.")
    let signIn: String? = try fields.optional("signIn", "The ID of the verifier's sign-in.")
    if fields.isDescribing {
      way = .redirect("")
      return
    }
    switch (url, verifier, signIn) {
    case (let url?, nil, nil): way = .redirect(url)
    case (nil, let verifier?, let signIn?):
      // An empty field must not end a sign-in.
      if PastedText(verifier.value).text.isEmpty { throw FieldError(fields.pointer("verifier"), "must not be empty") }
      way = .typed(verifier, signIn: signIn)
    case (nil, nil, nil): throw .missing(fields.pointer("url"))
    case (nil, nil, _): throw .missing(fields.pointer("verifier"))
    case (nil, _, nil): throw .missing(fields.pointer("signIn"))
    case (_, let verifier, _): throw FieldError(fields.pointer(verifier == nil ? "signIn" : "verifier"), "cannot be combined with url")
    }
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    switch way {
    case .redirect(let url):
      let reason = try await service.accounts.takeRedirect(url)
      return Result(handled: reason == nil, reason: reason)
    case .typed(let text, let id):
      guard let handled = try await service.accounts.handleTyped(text, signIn: id) else {
        throw FieldError("/signIn", "is not the ID of a sign-in")
      }
      return Result(handled: handled, reason: handled ? nil : "the sign-in has ended, or its page shows no code to type")
    }
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

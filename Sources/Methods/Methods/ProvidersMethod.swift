import JSONRPC
import Jansson
import OAuthCore

/// Lists the presets and the providers in the user's files.
struct ProvidersMethod: InlineMethod {
  static let name = "providers"
  static let errors = Errors.names(.notAllowed)

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Result {
    // A test reads the built-in presets, so only the user's own are checked here.
    for name in service.catalog.ownNames {
      do throws(OAuthFailure) {
        _ = try service.catalog.description(of: name)
      } catch {
        // An unreadable preset is reported and still listed, because its author expects it here.
        service.notifier.notify(ErrorOccured(error, account: nil, request: call.id?.json))
      }
    }
    return Result(names: service.catalog.allNames)
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(names: []) }

    var names: [String]

    func list(_ members: inout ObjectWriter) { members.add("providers", names, "The names, which `authorize` and `provider` accept.") }
  }
}

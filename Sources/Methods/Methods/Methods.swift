import JSONRPC
import Jansson

/// All methods. A new method needs its own file and a line here.
package enum Methods {
  /// The methods that clients may call.
  package static let all: [MethodEntry<Service>] = [
    MethodEntry(Initialize.self, .session), MethodEntry(Initialized.self, .session), MethodEntry(Shutdown.self, .session),
    MethodEntry(Exit.self, .session),
    MethodEntry(CancelRequest.self, .session), MethodEntry(NotificationsCancelled.self, .session), MethodEntry(Discover.self, .session),
    MethodEntry(Authorize.self, .uses),
    MethodEntry(AwaitSignIn.self, .uses), MethodEntry(HandleRedirect.self, .changes), MethodEntry(Refresh.self, .uses),
    MethodEntry(CallAPI.self, .uses),
    MethodEntry(Revoke.self, .changes), MethodEntry(SignOut.self, .changes), MethodEntry(AccessToken.self, .returnsCredential),
    MethodEntry(SignRequest.self, .returnsCredential), MethodEntry(HostCredential.self, .returnsCredential),
    MethodEntry(AccountMethod.self, .uses), MethodEntry(AccountsMethod.self, .uses), MethodEntry(ProviderMethod.self, .uses),
    MethodEntry(ProvidersMethod.self, .uses),
    MethodEntry(ImportGrant.self, .changes), MethodEntry(ExportGrant.self, .returnsCredential),
    MethodEntry(AddScopes.self, .changes), MethodEntry(UserInfo.self, .uses), MethodEntry(Introspect.self, .uses),
    MethodEntry(Diagnose.self, .uses),
  ]

  /// The methods of the command line alone. They name stores and the place of a key, or print what to publish: the user's work, not a client's.
  static let commandsOnly: [MethodEntry<Service>] = [
    MethodEntry(Rekey.self, .changes), MethodEntry(Copy.self, .changes), MethodEntry(ClientMetadata.self, .uses),
  ]

  /// What the words of a command line may name.
  package static let ofCommandLine = all + commandsOnly
}

/// The names that commands and tools use.
extension Methods {
  package static let (account, accounts) = (AccountMethod.name, AccountsMethod.name)
  package static let (provider, providers) = (ProviderMethod.name, ProvidersMethod.name)
  package static let (authorize, awaitSignIn, handleRedirect) = (Authorize.name, AwaitSignIn.name, HandleRedirect.name)
  package static let (callAPI, accessToken, signRequest) = (CallAPI.name, AccessToken.name, SignRequest.name)
  package static let (hostCredential, importGrant, diagnose, refresh) = (HostCredential.name, ImportGrant.name, Diagnose.name, Refresh.name)
  package static let (revoke, signOut) = (Revoke.name, SignOut.name)
}

extension Methods {
  /// What `MethodTexts.json` says of each method, for help, tools and schema. A transcript has the same call and answer.
  fileprivate static let texts = (try? JSON.parse(PackageResources.MethodTexts_json)) ?? .null
}

extension Method where Context == Service {
  static var summary: String { Methods.texts[name]?["summary"]?.string ?? "" }
  static var example: MethodExample? { Methods.texts[name].map { MethodExample($0["params"]?.line ?? "{}", $0["result"]?.line) } }
}

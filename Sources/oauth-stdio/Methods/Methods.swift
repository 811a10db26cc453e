import JSONRPC

/// All methods. A new method needs its own file and a line here.
enum Methods {
  /// The methods that clients may call.
  static let all: [MethodEntry<Service>] = [
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

  /// The methods of the command line alone. They name stores and the place of a key, which is the user's work and not a client's.
  static let commandsOnly: [MethodEntry<Service>] = [MethodEntry(Rekey.self, .changes), MethodEntry(Copy.self, .changes)]

  /// What the words of a command line may name.
  static let ofCommandLine = all + commandsOnly
}

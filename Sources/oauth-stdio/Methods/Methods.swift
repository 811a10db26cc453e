import JSONRPC

/// All methods. A new method needs its own file and a line here.
enum Methods {
  static let all: [MethodEntry<Service>] = [
    MethodEntry(Initialize.self), MethodEntry(Initialized.self), MethodEntry(Shutdown.self), MethodEntry(Exit.self),
    MethodEntry(CancelRequest.self), MethodEntry(NotificationsCancelled.self), MethodEntry(Discover.self), MethodEntry(Authorize.self),
    MethodEntry(AwaitSignIn.self), MethodEntry(HandleRedirect.self), MethodEntry(Refresh.self), MethodEntry(CallAPI.self),
    MethodEntry(Revoke.self), MethodEntry(SignOut.self), MethodEntry(AccessToken.self), MethodEntry(SignRequest.self),
    MethodEntry(AccountMethod.self), MethodEntry(AccountsMethod.self), MethodEntry(ProviderMethod.self), MethodEntry(ProvidersMethod.self),
    MethodEntry(ImportGrant.self), MethodEntry(ExportGrant.self),
    MethodEntry(AddScopes.self), MethodEntry(UserInfo.self), MethodEntry(Introspect.self), MethodEntry(Rekey.self),
  ]
}

/// What a method does, for the limits on its callers.
package enum MethodEffect: Sendable {
  /// It belongs to the session itself.
  case session
  /// It uses accounts, or tells about them.
  case uses
  /// It signs accounts in or out, or changes what is stored.
  case changes
  /// It returns a credential.
  case returnsCredential
}

// A grant contains tokens, so these descriptions leave them out.

extension Grant: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "Grant(\(account))" }
  package var debugDescription: String { description }
  package var customMirror: Mirror {
    Mirror(self, children: ["account": account, "providerName": providerName, "generation": generation])
  }
}

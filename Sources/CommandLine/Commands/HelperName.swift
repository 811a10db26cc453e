import Methods

/// The names by which other programs start this one.
package enum HelperName {
  static let docker = DockerCredentialCommand.name + "-oauth-stdio"
  /// An account's name follows.
  private static let pnpm = "pnpm-token-oauth-stdio-"

  /// Returns the words that the program's name stands for, which precede its arguments.
  package static func words(_ program: Substring) -> [String] {
    if program.hasPrefix(pnpm) { return [TokenCommand.name, "--format=bearer", "--", String(program.dropFirst(pnpm.count))] }
    if program == KeyringCommand.name { return [KeyringCommand.name] }
    return EverydayCommands.names.filter { ($0.hasSuffix("-credential") || $0.hasSuffix("-credentials")) && program.hasPrefix($0 + "-") }
  }
}

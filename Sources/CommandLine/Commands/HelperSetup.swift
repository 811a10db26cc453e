import Methods
import Platform

/// Gives other programs the name by which they start this one, and tells what their files need. Those stay as they are.
struct HelperSetup {
  let target: SetupCommand.Target
  let log: Log

  private var names: String { [.pip, .uv].contains(target) ? "pip and uv" : target.rawValue }

  /// The program's file, which the user changes.
  private var file: String {
    switch target {
    case .pip: "~/.config/pip/pip.conf"
    case .uv: "~/.config/uv/uv.toml"
    case .bazel: "~/.bazelrc"
    case .terraform: "~/.terraformrc"
    case .cargo: "~/.cargo/config.toml"
    default: "~/.npmrc"
    }
  }

  /// pnpm gives its helper no argument, so each account has a name of its own.
  private func shim(_ account: String = "") throws(Options.Fault) -> Shim {
    switch target {
    case .pip, .uv: try Shim(KeyringCommand.name, isInPath: true, log)
    case .pnpm: try Shim(HelperName.pnpm + account, log)
    case .terraform: try Shim(TerraformCredentialsCommand.name + "-oauth-stdio", in: "/.terraform.d/plugins", log)
    default: try Shim(target.rawValue + "-credential-oauth-stdio", log)
    }
  }

  /// Returns the lines for the program's file. Without `hosts`, they are for all.
  func add(_ hosts: [(host: String, account: String?)]) throws(Options.Fault) -> String {
    let served = hosts.compactMap { host, account in account.map { (host, $0) } }
    if let (_, account) = served.first(where: { $1.contains("/") }), target == .pnpm {
      throw Options.Fault("the account \(account.plain) has a slash in its name, which no file can have: sign in with --account NAME")
    }
    let path = target == .pnpm ? "" : try shim().make()
    // Older releases of pip ask for the user if the URL names none.
    let indexes = hosts.map { "https://oauth2@\($0.host)/simple/" }
    let lines: [String] =
      switch target {
      case .pip:
        ["[global]", "keyring-provider = subprocess"] + indexes.prefix(1).map { "index-url = \($0)" }
          + (indexes.count > 1 ? ["extra-index-url = " + indexes.dropFirst().joined(separator: " ")] : [])
      case .uv: ["keyring-provider = \"subprocess\""] + indexes.flatMap { ["[[index]]", "url = \"\($0)\""] }
      case .bazel: (hosts.isEmpty ? [""] : hosts.map { $0.host + "=" }).map { "common --credential_helper=\($0)\(path)" }
      case .terraform: ["credentials_helper \"oauth-stdio\" {}"]
      // Cargo asks the last one first.
      case .cargo: ["[registry]", "global-credential-providers = [\"cargo:token\", \"\(path)\"]"]
      default: try served.map { host, account throws(Options.Fault) in "//\(host)/:tokenHelper=\(try shim(account).make())" }
      }
    let hasPaths = [.pip, .uv, .pnpm].contains(target) && !hosts.isEmpty
    if !lines.isEmpty { log.line("Add this to \(file)\(hasPaths ? ", with the path of each server" : ""):") }
    return lines.map { $0 + "\n" }.joined()
  }

  func remove() throws(Options.Fault) {
    let shims = target == .pnpm ? try? PosixFile.names(in: Shim.home + Shim.programs).filter { $0.hasPrefix(HelperName.pnpm) } : [""]
    for name in shims ?? [] { try shim(String(name.dropFirst(HelperName.pnpm.count))).remove() }
    log.line("\(names) no longer ask\(names == target.rawValue ? "s" : "") oauth-stdio. Take its lines out of \(file), too.")
  }
}

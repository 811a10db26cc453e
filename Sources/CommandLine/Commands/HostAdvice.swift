import Calls
import Jansson
import OAuthCore
import Plans
import Store

/// Says that no account serves a host of Git repositories or a registry, and how to sign in for it.
enum HostAdvice {
  /// `arguments` are the options of the process, which the sign-in needs, too.
  static func text(_ url: URLParts, _ use: HostAccounts.Use, _ catalog: ProviderCatalog, arguments: [String]) -> String {
    let host = url.hostAndPort
    let program = ShellWord.command(arguments)
    let none = "no account serves \(host) yet"
    if let preset = use.presets(serving: url, in: catalog).first { return "\(none). Sign in with: \(program) login \(preset)" }
    // An API's host says nothing of an index of packages.
    let presets = use == .api ? [] : use.presetsForAnyHost(in: catalog)
    guard let first = presets.first else {
      let own = use == .api ? ", beside the API's own host," : ""
      return "\(none). Add \(host) to \(use.member)\(own) of a provider in the configuration, and sign in with: \(program) login ACCOUNT"
    }
    let names = presets.map(\.preset)
    let variables = JSON.object([.init(first.variable, .string(host))]).line
    return
      "\(none). If the server's software has no preset, add \(host) to \(use.member) of a provider in the configuration. If it has, sign in with "
      + "\(names.dropLast().joined(separator: ", "))\(names.count > 1 ? " or " : "")\(names.last ?? "") as PROVIDER: "
      + "\(program) login PROVIDER --account \(ShellWord.quoted(host)) --variables '\(variables)'"
  }
}

extension ShellWord {
  /// Returns the program with options of the process, as advice for a person. A database's URI, which may have a password, is left out.
  static func command(_ arguments: [String]) -> String {
    (["oauth-stdio"] + arguments.map { quoted(withoutURI($0).plain) }).joined(separator: " ")
  }

  private static func withoutURI(_ argument: String) -> String {
    let name = argument.hasPrefix("--") ? String(argument.prefix { $0 != "=" }) + "=" : ""
    return PostgresStore.isURI(String(argument.dropFirst(name.count))) ? name + "postgresql://…" : argument
  }
}

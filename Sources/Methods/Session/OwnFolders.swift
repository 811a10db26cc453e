import OAuthCore
import Plans
import Platform
import Store

/// The folders of the process's own files. These hold secrets and decide where the process sends secrets, so no request may read or write them.
struct OwnFolders {
  private var folders: [(what: String, path: String)] = []

  /// `providers` is the folder of the provider files.
  init(_ options: Options, _ stores: Stores, _ configuration: ConfigurationFile, providers: String) {
    add("the store", folder: stores.files?.folder)
    add("the store's key", file: stores.files?.keyFile)
    add("the configuration", file: configuration.file.path)
    add("the configuration's secrets", folder: configuration.secretFolder)
    for secret in configuration.secretFiles { add("a secret of the configuration", file: secret) }
    add("the provider files", folder: providers)
    for name in (try? PosixFile.names(in: providers)) ?? [] { add("a provider file", file: "\(providers)/\(name)") }
    add("the audit file", file: options.audit)
    add("a command of the configuration", words: configuration.commandWords)
    if case .command(let command)? = options.key { add("the key's command", words: KeySource.words(of: command)) }
    add("the browser", words: (ProcessEnvironment.variable("BROWSER") ?? "").split { ": \t".contains($0) }.map(String.init))
  }

  private mutating func add(_ what: String, folder: String?) { if let folder { folders.append((what, folder)) } }

  /// Adds the file's folder, and that of the file to which a link of this name leads.
  private mutating func add(_ what: String, file: String?) {
    guard let file else { return }
    for path in [file, UserFile(file).path] { add(what, folder: UserFile.folder(of: path)) }
  }

  /// Adds the folder of each word that names an existing file: a program that the process starts, or a script that this program reads.
  private mutating func add(_ what: String, words: [String]) {
    for word in words where word.contains("/") && access(word, F_OK) == 0 { add(what, file: word) }
  }

  /// Throws if requests could reach one of the folders.
  func check(_ files: FileFolder) throws(OAuthFailure) {
    guard let own = folders.first(where: { files.overlaps($0.path) }) else { return }
    throw OAuthFailure(
      .configurationInvalid, "the folder for files \(files.text) must not contain or lie in \(own.path), the folder of \(own.what)")
  }
}

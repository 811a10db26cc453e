import HTTP
import JSONRPC
import Jansson
import Loopback
import OAuth
import OAuthCore
import Plans
import Platform
import Store

/// Builds what handles requests from the options: the store, the configuration, the accounts and the output.
package enum Assembly {
  /// Serves the client until the end of input, then exits. Returns an exit status only if it cannot start.
  package static func serve(_ options: Options) -> Int32 {
    let log = Log(level: options.logLevel ?? .warning, file: options.logFile)
    if isatty(0) == 1 {
      log.line(String(decoding: PackageResources.Welcome_txt.dropLast(), as: UTF8.self).replacing("{version}", with: Version.current))
    }
    guard let streams = StandardStreams() else {
      log.line("oauth-stdio: standard output is closed")
      log.flush()
      return 1
    }
    let notifier = Notifier(output: Output(descriptor: streams.output, pinned: options.framing), choice: options.events)
    guard let (service, peer) = start(options, streams, log, notifier) else { return 2 }
    let status = streams.feed(FrameDecoder(pinned: options.framing), log) {
      peer.receive($0)
      if service.session.isExiting { service.shutdown.endAtOnce(status: service.session.exitStatus) }
    } afterFrames: {
      service.framesWereReceived()
    }
    service.shutdown.finishCalls(status: status)
  }

  /// Prepares the process and returns what handles requests. Returns nil if the options or the configuration are wrong, which the log says.
  package static func start(_ options: Options, _ streams: StandardStreams, _ log: Log, _ notifier: Notifier) -> (Service, Peer<Service>)? {
    ProcessMemory.keepPrivate()
    // TLS libraries write the keys of every connection to the file that this variable names.
    unsetenv("SSLKEYLOGFILE")
    JSON.seedHashes(with: .random(in: 1 ... .max))
    let service: Service
    do throws(OAuthFailure) {
      service = try self.service(options, streams, log, notifier)
    } catch {
      log.line("oauth-stdio: \(error.message)")
      log.flush()
      return nil
    }
    // Only the thread that waits for signals gets them.
    Signals.block()
    let code = Thread.start { service.shutdown.onSignals() }
    guard code == 0 else {
      // The process could neither answer nor be ended by a signal.
      _ = PosixFile.write("oauth-stdio: no thread can be started: \(Descriptors.reason(code))\n", to: 2)
      _exit(1)
    }
    let methods = Dictionary(uniqueKeysWithValues: (options.command != nil ? Methods.ofCommandLine : Methods.all).map { ($0.name, $0) })
    return (service, Peer(methods: methods, output: notifier.output, session: service.session, context: service))
  }

  private static func service(
    _ options: Options, _ streams: StandardStreams, _ log: Log, _ notifier: Notifier
  ) throws(OAuthFailure) -> Service {
    let session = Session()
    let folder = (ProcessEnvironment.folder("XDG_CONFIG_HOME", inHome: ".config") ?? "/nonexistent") + "/oauth-stdio"
    let owners = TrustedOwners(options.trustedOwners)
    let configuration = try JSONFile(options.configuration ?? folder + "/config.json", "the configuration", owners).readingPipe()
    let providers = folder + "/providers"
    var catalog = ProviderCatalog.builtIn
    (catalog.files, catalog.discoveries) = (ProviderFiles(folder: providers, owners: owners, log: log), Discovery.Cache())
    let children = ChildEnvironment(configuration)
    let configurationFile = ConfigurationFile(
      file: configuration, isRequired: options.configuration != nil, keyOption: options.key, runsKeyCommands: options.runsKeyCommands,
      children: children, clock: .system, log: log)
    PlainHosts.allow(configurationFile.allowsHTTP)
    let limits = try limits(options, configurationFile, log)
    let data = ProcessEnvironment.folder("XDG_DATA_HOME", inHome: ".local/share").map { $0 + "/oauth-stdio" }
    let stores = try Stores(options.store, usual: data, .init(owners: owners, configuration: configurationFile, log: log))
    if let files = limits.files { try OwnFolders(options, stores, configurationFile, providers: providers).check(files) }
    let audit = try options.audit.map { path throws(OAuthFailure) in
      try AuditLog(path: path, profile: limits.profile, clock: .system, log: log, events: notifier)
    }
    let cache = options.store == "memory" ? nil : ProcessEnvironment.folder("XDG_CACHE_HOME", inHome: ".cache")
    let dependencies = Dependencies(
      clock: .system, random: SystemRandom.bytes, http: CurlClient(version: Version.current, log: log),
      store: stores.own, catalog: catalog, pageCount: stores.files?.pageCount ?? PageCount(),
      notes: ProcessNotes(folder: data.map { $0 + "/redirects" }, store: stores.files?.folder),
      pageNotes: ProcessNotes(besideGrantsIn: stores.files?.folder),
      cache: cache.map { $0 + "/oauth-stdio/mcp" },
      browser: BrowserLauncher(environment: ProcessEnvironment.variables, childEnvironment: { children.variables }, log: log),
      limits: limits, audit: audit, signer: configurationFile.sign, log: log, events: notifier)
    let accounts = Accounts(
      dependencies, configured: configurationFile.account, derived: configurationFile.derived, derivedNames: configurationFile.derivedNames,
      secret: configurationFile.secret)
    let shutdown = ShutdownSequence(
      session: session, accounts: accounts, output: notifier.output, streams: streams, log: log,
      isCommand: options.command != nil && !options.servesMCP)
    notifier.output.onBroken { Thread.start { shutdown.endAtOnce(status: 0) } }
    return Service(
      accounts: accounts, catalog: catalog, configuration: configurationFile,
      notifier: notifier, session: session, limits: limits, log: log, shutdown: shutdown, allowsExport: options.allowsExport,
      stores: stores, command: options.command)
  }

  /// Returns what the options and the profile allow together.
  private static func limits(_ options: Options, _ configuration: ConfigurationFile, _ log: Log) throws(OAuthFailure) -> Limits {
    var limits = Limits()
    limits.profile = options.profile
    try narrow(&limits, options.limits, nil, log)
    if let name = options.profile { try narrow(&limits, try configuration.limits(name), name, log) }
    limits.namesOwnProviders = options.namesOwnProviders
    limits.filesNeedFolder = options.servesMCP || !limits.isEmpty
    // The words of a command are the user's.
    if case .command = options.action, !options.servesMCP { (limits.files, limits.filesNeedFolder) = (nil, false) }
    return limits
  }

  /// `name` is that of a profile of the configuration; nil for the options.
  private static func narrow(_ limits: inout Limits, _ profile: LimitProfile, _ name: String?, _ log: Log) throws(OAuthFailure) {
    for method in profile.allow ?? [] where !Methods.all.contains(where: { $0.name == method }) {
      let place = name.map { "the profile \($0)" } ?? "--allow"
      if Methods.commandsOnly.contains(where: { $0.name == method }) {
        log.say(.warning, "\(place) names \(method), which is a command only: no client can call it")
        continue
      }
      throw OAuthFailure(.configurationInvalid, "\(place) names the unknown method \(method)")
    }
    do throws(FieldError) {
      try profile.narrow(&limits)
    } catch {
      throw OAuthFailure(.configurationInvalid, "\(name.map { "the profile \($0)" } ?? "an option") \(error.problem)")
    }
  }
}

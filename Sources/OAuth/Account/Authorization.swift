import Jansson

/// How a grant came to be usable.
package enum Via: String, FieldWord {
  case stored, refreshed, signedIn
}

/// What `authorize` found or made: the state of the account, without a secret.
package struct Authorization: Sendable, Equatable {
  package var account: String
  /// nil while a sign-in is pending.
  package var via: Via?
  package var grantedScopes: [String] = []
  package var missingScopes: [String] = []
  package var tokenType: String?
  package var expiresAt: Int?
  package var canRefresh = false
  package var subject: String?
  package var email: String?
  package var signIn: SignInPrompt?
  /// Whether another user has signed in than the one before.
  package var subjectChanged = false

  init(_ grant: Grant, via: Via, asked: [String], now: Int) {
    account = grant.account
    self.via = via
    grantedScopes = grant.grantedScopes
    missingScopes = grant.missing(of: asked)
    tokenType = grant.tokenType
    expiresAt = grant.expiresAt
    canRefresh = grant.canRefresh(at: now)
    subject = grant.subject
    email = grant.email
  }

  package static var sample: Authorization { Authorization(pending: .sample, account: "") }

  /// One of which nothing is known yet.
  package init(account: String) { self.account = account }

  init(pending prompt: SignInPrompt, account: String) {
    self.account = account
    signIn = prompt
  }
}

/// What somebody has to open to sign in.
package struct SignInPrompt: Sendable, Equatable {
  package var id: String
  package var url: String
  package var userCode: String?
  /// The page where the user types the code.
  package var verificationUri: String?
  /// Unix seconds; after that the sign-in is given up.
  package var expiresAt: Int
  /// Why the same sign-in asks once more; nil the first time.
  package var reason: Reason?
  /// false where no browser could be started; nil where one was, or where that is not known.
  package var opened: Bool?

  package enum Reason: String, FieldWord {
    /// A refresh token was wanted and none came.
    case refreshTokenMissing
  }

  package static var sample: SignInPrompt { SignInPrompt(id: "", url: "", expiresAt: 0) }
}

/// What happened to an account, told in order as it happens.
package struct AccountEvent: Sendable {
  package enum Fact: Sendable {
    case authorized(Authorization)
    case signInRequested(SignInPrompt)
    /// `cancelled`, `timedOut` or `ended`.
    case signInAbandoned(id: String, reason: String)
    case refreshed(expiresAt: Int?, refreshTokenChanged: Bool)
    case revoked(Revocation)
    case failed(OAuthFailure)
  }

  package var account: String
  /// The id of the request that caused it, if any.
  package var cause: JSON?
  package var fact: Fact
}

/// All that comes in from outside: time, randomness, the network, the store, the browser, and somebody to tell.
package struct Surroundings: Sendable {
  /// Unix milliseconds.
  package let milliseconds: @Sendable () -> Int
  /// The same clock in Unix seconds.
  package let clock: @Sendable () -> Int
  /// That many bytes from the system's cryptographic source.
  package var random: @Sendable (Int) -> [UInt8]
  package var http: any HTTPClient
  package var store: any GrantStore
  package var presets: Presets
  /// Issuers' public keys, one collection for all accounts.
  package let keys: IssuerKeys
  /// Opens a page in a browser, as `BrowserLauncher.open` does: nil where there is none, and a promise that is settled when none could be started.
  package var openPage: @Sendable (String) -> Promise<Void>?
  /// Whether one could be started.
  package var hasBrowser: @Sendable () -> Bool
  /// Waits so many seconds; throws `CancellationError` when the task is cancelled.
  package var sleep: @Sendable (Int) async throws -> Void
  /// While the user has to sign in: waits until `isDue` says that the account's grant should be looked at again. Throws `CancellationError` when the
  /// task is cancelled.
  package var nextLook: @Sendable (_ isDue: @escaping @Sendable () -> Bool) async throws -> Void
  package var tell: @Sendable (AccountEvent) -> Void
  /// Takes what is only for the log.
  package let remark: @Sendable (Remark) -> Void
  /// The process's own files.
  package var protectedFiles = ProtectedFiles()
  /// What OpenID 2.0's providers have told this process.
  package let openid = OpenIDMemory()
  /// What has been found out of other clocks since the start.
  package let clockOffsets = ClockOffsets()
  /// Which token endpoints have asked to be left alone.
  let pauses = TokenPauses()

  var instant: Instant { Instant(milliseconds: milliseconds()) }

  package init(
    milliseconds: @escaping @Sendable () -> Int, random: @escaping @Sendable (Int) -> [UInt8], http: any HTTPClient,
    store: any GrantStore, presets: Presets, openPage: @escaping @Sendable (String) -> Promise<Void>?,
    hasBrowser: @escaping @Sendable () -> Bool = { true },
    sleep: @escaping @Sendable (Int) async throws -> Void = { try await Pause.sleep(seconds: $0) },
    nextLook: @escaping @Sendable (_ isDue: @escaping @Sendable () -> Bool) async throws -> Void = {
      try await Looks.shared.next(where: $0)
    },
    remark: @escaping @Sendable (Remark) -> Void = { _ in },
    tell: @escaping @Sendable (AccountEvent) -> Void
  ) {
    let clock: @Sendable () -> Int = { milliseconds() / 1000 }
    self.milliseconds = milliseconds
    self.clock = clock
    self.random = random
    self.http = http
    self.store = store
    self.presets = presets
    self.remark = remark
    keys = IssuerKeys(http: http, clock: clock, remark: remark)
    self.openPage = openPage
    self.hasBrowser = hasBrowser
    self.sleep = sleep
    self.nextLook = nextLook
    self.tell = tell
  }
}

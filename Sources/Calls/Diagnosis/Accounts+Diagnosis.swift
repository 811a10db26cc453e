import Jansson
import OAuth
import OAuthCore
import Plans
import Store

extension Accounts {
  /// Looks at the store, its key and, for a sign-in with a page, the browser. Sends nothing.
  package func diagnoseMachine(needsBrowser: Bool) async -> [Finding] {
    var findings: [Finding] = []
    await prepareStore()
    do throws(OAuthFailure) {
      if !dependencies.limits.isReadOnly { try await store.makeReady() }
      let listed = try await list().filter { dependencies.limits.allows(account: $0.account) }
      let access = dependencies.limits.isReadOnly ? "readable" : "readable and writable"
      findings.append(Finding("store", .ok, "\(access), with \(listed.count) account\(listed.count == 1 ? "" : "s")"))
      findings += listed.compactMap { found in found.problem.map { Finding("store", .failed, "\(found.account): \($0.message)") } }
      if let key = keySource { findings.append(Finding("key", .ok, "it is kept here: \(key.name)")) }
    } catch {
      let isKey = error["key"] != nil
      findings.append(Finding(isKey ? "key" : "store", .failed, error.message))
    }
    guard needsBrowser else { return findings }
    findings.append(
      dependencies.hasBrowser(by: nil)
        ? Finding("browser", .ok, "a browser can be started here")
        : Finding(
          "browser", .warning, "no browser can be started here",
          advice: "open the page on another machine and paste its last address into login, "
            + "or sign in with --flow device if the provider has that"))
    return findings
  }

  /// Goes through the account's sign-in up to the page that the user would open.
  /// One look takes half of the seconds at most, and all together take them at most.
  /// For an unknown account, names the one among the `configured` and the stored that the user may mean. `subject` may be the URL of an API.
  package func diagnose(_ subject: String, in seconds: Int, configured: [String] = []) async throws -> [Finding] {
    var input = AuthorizationInput()
    var account = login(of: subject)
    if let url = try? URLParts(subject), url.hasSafeScheme, url.userInfo == nil {
      let names = [Self.account(of: url), ProviderCatalog.account(named: url), url.host]
      let known = names.first { configured.contains($0) || examined($0) != nil }
      account = known ?? names[0]
      if known == nil { input.provider = .url(subject) }
    }
    try dependencies.limits.check(account: account)
    let deadline = clock.deadline(in: seconds)
    var findings: [Finding] = []
    let grant = examined(account)
    if let failure = await self[account].signInRecord.failure {
      findings.append(Finding("signIn", .failed, "\(now - failure.time) s ago, a sign-in failed: \(failure.reason)"))
    }
    if let grant {
      let described = grant.described(by: dependencies.catalog)
      let answer = grant.doubtedAt == nil ? nil : await askAboutToken(of: described, in: max(1, seconds / 2))
      // The answer may have ended the doubt or the grant.
      findings += grantFindings(examined(account) ?? grant) + [answer].compactMap(\.self)
    }
    (input.account, input.timeout) = (account, max(1, seconds / 2))
    do {
      let plan = try await withRequest(input) { request in
        let (plan, _) = try await request.rediscovered(try await request.plan(), request.stored)
        try plan.checkPlaces()
        return try plan.forSignIn(replacing: plan.stored, at: self.now, hasBrowser: self.dependencies.hasBrowser(by: plan.request.browser))
      }
      var diagnosis = try AccountDiagnosis(plan, dependencies, until: deadline) { try await self.credentials.call(plan) }
      await diagnosis.run()
      return findings + diagnosis.findings
    } catch let failure as OAuthFailure {
      return findings + [Finding(Self.check(of: failure), .failed, failure.message, advice: failure.networkAdvice)]
    } catch let fault as AuthorizationInput.Fault {
      return findings + [Finding(Self.check(of: fault.failure), .failed, fault.failure.message)]
    } catch let fault as FieldError where fault.path == "/provider" && grant == nil {
      let stored = (try? await list())?.map(\.account) ?? []
      let question = Suggestion.question(account, among: (configured + stored).filter(dependencies.limits.allows(account:)))
      let missing = Finding(
        "account", .failed, "there is no account \(account.plain)\(question)",
        advice: question.isEmpty ? "sign in: oauth-stdio \(dependencies.catalog.login(account))" : nil)
      return [missing] + findings + (await look(at: account, within: max(1, seconds / 2)))
    } catch let fault as FieldError {
      // A token that works needs no client until the next sign-in.
      let needsOne = fault.path != "/clientId" || findings.first?.state == .failed
      return findings + [Finding("configuration", needsOne ? .failed : .warning, fault.message)]
    }
  }

  private func examined(_ account: String) -> Grant? { self[account].overlay((try? store.examine(account))?.grant) }

  /// Tells whether the provider of this name can be reached. The sign-in that made no account may have failed for that.
  private func look(at preset: String, within seconds: Int) async -> [Finding] {
    guard let page = (try? dependencies.catalog.resolve(.preset(preset)))?.authorizationEndpoint, let host = try? URLParts(page).hostAndPort
    else { return [] }
    let request = HTTPRequest(method: "GET", url: page, headers: [HTTPHeader("Accept", "text/html")])
    do {
      guard try await clock.withTimeout(seconds, { [dependencies] in try await dependencies.http.exchange(request) }) != nil else {
        return [Finding("network", .failed, "\(host) did not answer within \(seconds) s")]
      }
      return [Finding("network", .ok, "\(host) can be reached")]
    } catch {
      let failure = error as? OAuthFailure
      return [Finding("network", .failed, failure?.message ?? "\(host) could not be reached", advice: failure?.networkAdvice)]
    }
  }

  private func grantFindings(_ grant: Grant) -> [Finding] {
    let user = grant.email ?? grant.subject
    let advice = "sign in: oauth-stdio login \(ShellWord.operand(grant.account.plain))"
    var findings = [
      grant.problem(at: now).map { Finding("grant", .failed, $0.rawValue, advice: $0 == .secretRejected ? nil : advice) }
        ?? (grant.isUntried(usedAt: store.lastUse(of: grant.account))
          ? Finding("grant", .warning, "imported and not tried", advice: "use it once: the provider may not accept it") : nil)
        ?? Finding("grant", .ok, "signed in\(user.map { " as \($0)" } ?? ""), scopes: \(grant.grantedScopes.joined(separator: " "))")
    ]
    if let rejection = grant.rejection {
      findings.append(Finding("rejection", .failed, "\(now - rejection.at) s ago: \(rejection.reason)"))
    }
    if let time = grant.doubtedAt {
      let doubt = "\(now - time) s ago, a service rejected the access token without saying that it has ended"
      findings.append(Finding("doubt", .warning, doubt, advice: advice))
    }
    if !grant.declinedScopes.isEmpty {
      findings.append(Finding("scopes", .warning, "the user or the provider declined \(grant.declinedScopes.joined(separator: ", "))"))
    }
    return findings
  }

  /// Asks the provider about a token in doubt. Its answer ends the doubt, or the grant. Returns nil if the provider has no endpoint for that.
  private func askAboutToken(of grant: Grant, in seconds: Int) async -> Finding? {
    guard let provider = try? grant.resolvedProvider else { return nil }
    let isRejected: Bool
    do {
      if provider.userInfoEndpoint != nil {
        let answer = try await requestUserInfo(of: grant.account, in: seconds, requestID: nil)
        guard answer.advice != nil || !answer.isFailure else { return Finding("token", .warning, answer.failure(grant.account).message) }
        isRejected = answer.isFailure
      } else {
        guard provider.introspectionEndpoint != nil else { return nil }
        isRejected = try await !withinTimeout(grant.account, seconds) { try await self[grant.account].introspect(grant).isActive }
        if isRejected {
          _ = await self[grant.account].wasRejected(grant, isCertain: true)
        } else {
          await self[grant.account].note(grant) { $0.doubtedAt = nil }
        }
      }
    } catch {
      return Finding("token", .warning, (error as? OAuthFailure)?.message ?? "the provider could not be asked")
    }
    return isRejected ? Finding("token", .failed, "the provider rejects it") : Finding("token", .ok, "the provider accepts it")
  }

  /// Returns which check a failure of the plan belongs to.
  private static func check(of failure: OAuthFailure) -> String {
    switch failure.kind {
    case .networkFailure, .timedOut: return "network"
    case .storageFailure: return failure["key"] == nil ? "store" : "key"
    default: break
    }
    let path = failure["path"]?.string ?? ""
    if path.contains("clientId") || path.contains("clientSecret") || path.contains("privateKey") { return "client" }
    return failure["file"] == nil ? "provider" : "configuration"
  }
}

import Loopback
import OAuthCore
import Platform

/// Where redirects arrive, and the answers at a registered port.
extension SignIns {
  /// Opens the port for the redirect; none if the client itself catches the redirect.
  ///
  /// A sign-in with a registered port listens on a free one as well, for its start address and for redirects from another process.
  func redirect(_ plan: AuthorizationPlan) async throws -> SignIn.Redirection {
    let (address, pinned) = try AuthorizationInput.RedirectChoice.address(
      plan.request.redirectUri, plan.provider, isRegistering: plan.registersClient)
    guard let address = address.map(plan.preferringRegisteredPort) else { return SignIn.Redirection(uri: pinned ?? "") }
    // A listener that answers for an ended sign-in is closed. The registered port gives the same answers.
    for (signIn, _) in ended { await signIn.free(address.ports) }
    let router = SignIn.RedirectRouter(dependencies.logSink)
    do throws(LoopbackListener.Failure) {
      let registered = try registeredPorts.enter(address) { [weak self] in await self?.answer($0) ?? .notOurs }
      let host = registered == nil ? address.host : address.host.families[0]
      do throws(LoopbackListener.Failure) {
        let listener = try LoopbackListener.open(
          LoopbackAddress(host: host, path: address.path), startPath: "/start/" + Base64.encodeURL(dependencies.random(16)),
          log: dependencies.logSink, handler: router.answer)
        let uri = address.uri(registered?.port ?? listener.port)
        return SignIn.Redirection(
          uri: pinned ?? uri, place: address.path.isEmpty ? uri + "/" : uri, listener: listener, router: router,
          ports: registered?.entered ?? [])
      } catch {
        for port in registered?.entered ?? [] { port.leave(isEnding: true) }
        throw error
      }
    } catch {
      throw error.failure
    }
  }

  /// Returns the requests that a sign-in would send. The port for its listener is freed at once.
  func dryRun(_ plan: AuthorizationPlan) async throws -> DryRun {
    if plan.isForClient || plan.usesDevice { return try await DryRun.withoutRedirect(plan, dependencies: dependencies) }
    let redirection = try await redirect(plan)
    await redirection.finish()
    return try await DryRun.of(plan, redirectUri: redirection.uri, dependencies: dependencies)
  }

  /// Answers what arrives at a registered port: as the sign-in of this process or of another that the redirect belongs to.
  ///
  /// Its redirect URI must be that sign-in's. Otherwise one provider's page could end another provider's sign-in (RFC 9700, 4.4).
  func answer(_ request: LoopbackRequest.Redirect) async -> LoopbackRequest.Redirect.Answer {
    // Such as a browser's request for an icon.
    guard !request.parameters.isEmpty else { return .notOurs }
    let open = open.first { $0.claims(request.parameters) }
    if let signIn = open ?? endedSignIn(for: request.parameters), signIn.place == request.place {
      return .page(ResultPage(await signIn.page(for: request.parameters)))
    }
    for parameter in request.parameters {
      guard let origin = dependencies.notes.read(about: SignIn.note(request.place, parameter.value)) else { continue }
      return .forwarded(request.url(at: origin))
    }
    dependencies.log(.redirectRejected)
    return .notOurs
  }
}

extension SignInRegistry {
  /// Returns the requests that a sign-in would send. The port for its listener is freed at once.
  func dryRun(_ plan: AuthorizationPlan) async throws -> DryRun {
    if plan.isForClient { return try await DryRun.ofClient(plan, dependencies: dependencies) }
    if plan.usesDevice { return try await DryRun.ofDevice(plan, dependencies: dependencies) }
    let (listener, redirectUri, _) = try await redirect(plan)
    listener?.close()
    await listener?.finish()
    return try await DryRun.of(plan, redirectUri: redirectUri, dependencies: dependencies) { plan, dependencies in
      try await Self.begin(plan, redirectUri, dependencies)
    }
  }
}

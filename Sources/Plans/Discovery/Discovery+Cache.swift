import HTTP
import Jansson
import OAuthCore
import Platform
import Synchronization

extension Discovery {
  /// Where the description comes from, and what it leaves open.
  package struct Sources: Sendable, Equatable {
    package enum Scopes: Sendable { case challenge, resource, none }

    /// The URL of the resource's metadata; nil if none were found.
    package var resource: String?
    /// The URL of the authorization server's metadata; nil if the endpoints are the defaults of 2025-03-26.
    package var server: String?
    /// The authorization servers that the resource names.
    package var issuers: [String] = []
    package var scopes = Scopes.none
    /// Whether `offline_access` was added to the resource's scopes.
    package var addsOfflineAccess = false
    /// Whether a client's ID may be the URL of its metadata (draft-ietf-oauth-client-id-metadata-document).
    package var acceptsClientMetadata = false
    /// Whether the authorization server is that of an MCP server and does not list S256.
    package var lacksS256 = false
  }

  /// Metadata that this process fetched from discovery URLs. Stored grants never fill it, because it decides where secrets are sent.
  package final class Cache: Sendable {
    fileprivate struct Entry {
      var publication: Publication
      /// A Unix second.
      var freshUntil: Int
      var sources: Sources
    }

    private struct State {
      /// By URL.
      var entries: [String: Entry] = [:]
      /// The latest challenge of a call, by the URL that the account's provider was found from.
      var challenges: [String: (challenge: HTTPChallenge.Resource, heededAt: Int)] = [:]
      /// The URLs whose authorization server has rejected `offline_access`.
      var withoutOfflineAccess: Set<String> = []
      var revision = 0
    }

    private let state = Mutex(State())
    private let fetches = SingleFlight<Void>()

    package init() {}

    /// A number that changes with every addition.
    var revision: Int { state.withLock { $0.revision } }

    /// Returns the publication regardless of its age; nil if there is none.
    func publication(at url: String) -> Publication? { state.withLock { $0.entries[url]?.publication } }

    package func sources(of url: String) -> Sources? { state.withLock { $0.entries[url]?.sources } }

    package func isFetching(_ url: String) -> Bool { fetches.running(url) != nil }

    package func isFresh(_ url: String, at now: Int) -> Bool { state.withLock { ($0.entries[url]?.freshUntil ?? 0) > now } }

    /// Stores what was fetched from `url`. It is fresh until `until`, in Unix seconds.
    func add(_ description: [JSON.Member], of url: String, until: Int, scope: NetworkScope = .thisMachine, sources: Sources = Sources()) {
      state.withLock { state in
        var entry = Entry(publication: Publication(url: url, description: description, scope: scope), freshUntil: until, sources: sources)
        if state.withoutOfflineAccess.contains(url) { entry.leaveOutOfflineAccess() }
        state.entries[url] = entry
        state.revision += 1
      }
    }

    /// Uses the challenge of a call for the next sign-in. Returns whether the metadata is then outdated: the challenge differs from the last one, or
    /// that was more than `patience` seconds ago.
    package func note(_ challenge: HTTPChallenge.Resource, of url: String, at now: Int, _ patience: Int) -> Bool {
      state.withLock { state in
        if let last = state.challenges[url], last.challenge == challenge, (last.heededAt..<last.heededAt + patience).contains(now) {
          return false
        }
        state.challenges[url] = (challenge, now)
        state.entries[url]?.freshUntil = 0
        return true
      }
    }

    /// Ends the use of the challenge, because a sign-in has heeded it. The next one asks for what the URL demands then.
    package func forgetChallenge(of url: String) {
      state.withLock { state in
        if state.challenges.removeValue(forKey: url) != nil { state.entries[url]?.freshUntil = 0 }
      }
    }

    /// Requests `offline_access` no longer, because the server has rejected it. Returns false if it was never added here.
    package func leaveOutOfflineAccess(of url: String) -> Bool {
      state.withLock { state in
        guard state.entries[url]?.sources.addsOfflineAccess == true else { return state.withoutOfflineAccess.contains(url) }
        state.withoutOfflineAccess.insert(url)
        state.entries[url]?.leaveOutOfflineAccess()
        state.revision += 1
        return true
      }
    }

    /// Fetches the URL's metadata, once for all concurrent callers. Cancelling one caller does not affect the others.
    package func discover(_ url: URLParts, named name: String, http: any HTTPClient, clock: Clock, mayPost: Bool = true) async throws {
      try await fetches.value(name) { [self] in
        let challenge = state.withLock { $0.challenges[name]?.challenge }
        var discovery = Discovery(url, http: http, challenge: challenge)
        discovery.mayPost = mayPost
        let found = try await discovery.run()
        add(found.description, of: name, until: clock.now + found.lifetime, scope: found.scope, sources: found.sources)
        // A challenge that came meanwhile is not heeded yet.
        state.withLock { if $0.challenges[name]?.challenge != challenge { $0.entries[name]?.freshUntil = 0 } }
      }
    }
  }
}

extension Discovery.Cache.Entry {
  fileprivate mutating func leaveOutOfflineAccess() {
    guard sources.addsOfflineAccess else { return }
    sources.addsOfflineAccess = false
    guard let index = publication.description.firstIndex(where: { $0.name == "scopes" }),
      case .array(let scopes) = publication.description[index].value
    else { return }
    publication.description[index].value = .array(scopes.filter { $0 != "offline_access" })
  }
}

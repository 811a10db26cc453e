import HTTP
import Jansson
import Methods
import OAuthCore

/// A redirect that the user pasted into a command, although another process waits for it: a command has no open sign-in of its own.
///
/// The process with the sign-in, such as a `login` in another shell, listens at the redirect's own address. So the command does what a browser on
/// this machine does and requests that address. This is as safe as opening it in a browser. The URL must be a redirect by http to a port of this
/// machine, and is all that is sent. The listener compares the `state` and rejects other users. The method on the wire never does this, because a
/// client that others control could reach services of this machine with it.
struct PastedRedirect {
  /// The listener answers when the code has been exchanged, which takes it two minutes at most.
  private static let timeoutSeconds = 130

  private let url: URLParts

  /// Returns nil if the pasted text is not a redirect, or if `result` says that it was handled.
  init?(_ pasted: String, _ result: JSON) {
    let text = PastedText(pasted).text.filter { !$0.isWhitespace }
    guard result["handled"] == .bool(false), let url = try? URLParts(text) else { return nil }
    let names = FormEncoding.decodeLeniently(url.query ?? "").map(\.0)
    // OAuth 1.0a has the first name, OAuth 2.0 the others.
    guard names.contains("oauth_token") || names.contains("state") && (names.contains("code") || names.contains("error")) else {
      return nil
    }
    self.url = url
  }

  private var isForListener: Bool {
    url.scheme == "http" && url.userInfo == nil && url.explicitPort != nil && ["127.0.0.1", "localhost", "[::1]"].contains(url.host)
  }

  /// Hands the redirect to the process that listens for it. Returns the result of `handleRedirect`.
  func forward(_ log: Log) -> JSON {
    guard isForListener else {
      return rejected(
        "the address belongs to a sign-in of another process: paste it at the prompt of the oauth-stdio login that waits for it")
    }
    var shown = url
    shown.fragment = nil
    var request = HTTPRequest(method: "GET", url: shown.description)
    (request.timeout, request.isSentOnce) = (Self.timeoutSeconds, true)
    let client = CurlClient(version: Version.current, log: log)
    let sent = request
    let response = CommandSession.waiting { try? await client.send(sent) }
    switch response?.status {
    // The page after a sign-in that the address has ended without a grant has status 400. The rejection of a damaged request is not a page.
    case 200?,
      400? where response?.header("Content-Type")?.hasPrefix("text/html") == true:
      log.line("oauth-stdio: the process that waits at \(url.hostAndPort) has the address, and reports how the sign-in ended")
      return ["handled": true]
    case nil:
      return rejected(
        "the address belongs to a sign-in of another process, and none listens at \(url.hostAndPort) now: "
          + "sign in again, and paste the address at the prompt of that oauth-stdio login")
    default: return rejected("the address belongs to a sign-in of another process, and no such sign-in is open at \(url.hostAndPort)")
    }
  }

  private func rejected(_ reason: String) -> JSON { ["handled": false, "reason": .string(reason)] }
}

import OAuth
import OAuthCore

/// Logs every exchange: method, host and status. Path, query, headers and bodies may contain secrets and are never logged.
struct LoggedHTTP: HTTPClient {
  let client: any HTTPClient
  let log: Log

  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    do throws(HTTPFailure) {
      let response = try await client.send(request)
      log.say(.info, "\(request.method) \(host(request)) answered \(response.status), \(response.bytes) bytes")
      return response
    } catch {
      log.say(.info, "\(request.method) \(host(request)) failed: \(OAuthFailure(error).message)")
      throw error
    }
  }

  private func host(_ request: HTTPRequest) -> String { (try? URLParts(request.url))?.host ?? "" }
}

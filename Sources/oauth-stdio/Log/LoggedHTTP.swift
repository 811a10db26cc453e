import OAuth
import OAuthCore

/// Logs every exchange: method, host and status. Path, query, headers and bodies may contain secrets and are never logged.
struct LoggedHTTP: HTTPClient {
  private let client: any HTTPClient
  private let log: Log

  init(_ client: any HTTPClient, _ log: Log) {
    self.client = client
    self.log = log
  }

  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    do throws(HTTPFailure) {
      let response = try await client.send(request)
      log.info("\(request.method) \(host(request)) answered \(response.status), \(response.bytes) bytes")
      return response
    } catch {
      log.info("\(request.method) \(host(request)) failed: \(OAuthFailure(error).message)")
      throw error
    }
  }

  private func host(_ request: HTTPRequest) -> String { (try? URLParts(request.url))?.host ?? "" }
}

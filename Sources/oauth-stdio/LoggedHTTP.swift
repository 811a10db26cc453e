import OAuth

/// Tells the log of every exchange: method, host and status, never path, query, headers or bodies, where secrets are.
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

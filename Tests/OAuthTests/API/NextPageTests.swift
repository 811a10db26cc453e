import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuthCore
@testable import Platform

struct NextPageTests {
  private func next(
    _ pagination: String, url: String = "https://api.example/items?a=1", body: String = "{}", headers: [HTTPHeader] = [], status: Int = 200
  ) throws -> String? {
    let options = try Provider.described(#"{"pagination":\#(pagination)}"#).api
    let response = HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
    let page = APIEnvelope.NextPage(
      url: try URLParts(url), response: response, json: APIEnvelope(response.body, options).json,
      pagination: try #require(options.pagination), options: options)
    let (used, problem) = page.url(without: Secret("at-1"), "GET")
    #expect(used == nil || problem == nil)
    return used ?? problem
  }

  @Test(
    arguments: [
      (
        #"<https://api.example/items?page=2>; rel="next", <https://api.example/items?page=9>; rel="last""#,
        "https://api.example/items?page=2"
      ),
      (#"</items?page=1>; rel="prev", </items?page=3>; rel=next"#, "https://api.example/items?page=3"),
      (#"<?page=3>; title="a;b,c"; rel="next""#, "https://api.example/items?page=3"),
      (#"<a,b;c>; rel="last next""#, "https://api.example/a,b;c"),
      (#"<?p=2>; title="a > b, <c>; rel=last \" x"; rel="next""#, "https://api.example/items?p=2"),
      (#"<?p=9>; title="; rel=next"; rel=last, ,<?p=2> ; Rel = Next"#, "https://api.example/items?p=2"),
      ("<?p=9>;rel=prev;rel=next,<?p=2>;title;rel=next", "https://api.example/items?p=2"),
      (#"<?p=9>; rel=next; anchor="/other", <?p=2>; rel=next last"#, "https://api.example/items?p=2"),
      (#"<x>; rel="nextpage""#, nil),
      ("<javascript:x>; rel=next", "the service names javascript://x, which is not https on the request's host"),
      ("<https://a:b/>; rel=next", "the service names no usable URL: the URL's port isn't a number up to 65535"),
      ("nonsense", nil), ("<x>", nil), (#"<x; rel="next""#, nil),
      (#"<https://api.example/x?access_token=at-1&p=2>; rel="next""#, "https://api.example/x?p=2"),
      (#"<https://api.example/x?key=at-1>; rel="next""#, "https://api.example/x"),
      (#"<https://api.example/x?oauth_nonce=1&p=2&oauth_signature=s%3D>; rel="next""#, "https://api.example/x?p=2"),
    ] as [(String, String?)])
  func links(header: String, expected: String?) throws {
    #expect(try next(#"{"style":"link"}"#, headers: [HTTPHeader("link", header)]) == expected)
    #expect(try next(#"{"style":"link"}"#, headers: [HTTPHeader("Link", "<x>; rel=last"), HTTPHeader("Link", header)]) == expected)
  }

  @Test(
    arguments: [
      (
        #"{"style":"cursor","cursor":"meta.next","parameter":"after"}"#, #"{"meta":{"next":"k&"}}"#,
        "https://api.example/items?a=1&after=k%26"
      ),
      (#"{"style":"cursor","cursor":"meta.next","parameter":"a"}"#, #"{"meta":{"next":7}}"#, "https://api.example/items?a=7"),
      (#"{"style":"cursor","cursor":"next"}"#, #"{"next":"/items?p=2"}"#, "https://api.example/items?p=2"),
      (#"{"style":"cursor","cursor":"next","parameter":"c"}"#, #"{"next":"https://api.example/z"}"#, "https://api.example/z"),
      (#"{"style":"cursor","cursor":"next","parameter":"c"}"#, #"{"next":null}"#, nil),
      (#"{"style":"cursor","cursor":"next","parameter":"c"}"#, #"{"next":""}"#, nil),
      (#"{"style":"cursor","cursor":"next","parameter":"c"}"#, #"{"next":false}"#, nil),
      (#"{"style":"cursor","cursor":"next","parameter":"c"}"#, "no json", nil),
    ] as [(String, String, String?)])
  func cursors(pagination: String, body: String, expected: String?) throws {
    #expect(try next(pagination, body: body) == expected)
  }

  /// Behind a proxy that ends TLS, many services take themselves for http.
  @Test(
    arguments: [
      ("https://api.example/items", "http://api.example/x?p=2", "https://api.example/x?p=2"),
      ("https://api.example/items", "http://api.example:443/x?p=2", "https://api.example/x?p=2"),
      ("https://api.example:8443/items", "http://api.example:8443?p=2", "https://api.example:8443?p=2"),
      ("https://api.example:8443/items", "http://api.example/x", "https://api.example:8443/x"),
      ("https://api.example/items", "http://api.example//other.example/x", "https://api.example//other.example/x"),
      (
        "https://api.example/items", "http://api.example:8080/x?p=2",
        "the service names http://api.example:8080/x, which is not https on the request's host"
      ),
      (
        "https://api.example/items", "http://other.example/x?key=a",
        "the service names http://other.example/x, which is not https on the request's host"
      ),
      ("https://api.example/items", "https://other.example/x", "https://other.example/x"),
    ])
  func plainURLs(url: String, named: String, expected: String) throws {
    #expect(try next(#"{"style":"cursor","cursor":"next"}"#, url: url, body: #"{"next":"\#(named)"}"#) == expected)
  }

  /// A name may have dots.
  @Test func lists() throws {
    let body = #"{"page":{"@odata.nextLink":"https://api.example/items?$skiptoken=2"}}"#
    #expect(try next(#"{"style":"cursor","cursor":["page","@odata.nextLink"]}"#, body: body) == "https://api.example/items?$skiptoken=2")
    #expect(throws: OAuthFailure.self) { try next(#"{"style":"cursor","cursor":[]}"#) }
    #expect(throws: OAuthFailure.self) { try next(#"{"style":"cursor","cursor":["a",""]}"#) }
  }

  @Test(
    arguments: [
      (#"{"p":{"now":1,"of":3}}"#, "https://api.example/items?a=1&_page=2"),
      (#"{"p":{"now":"2","of":"3"}}"#, "https://api.example/items?a=1&_page=3"),
      (#"{"p":{"now":3,"of":3}}"#, nil), (#"{"p":{"now":-1,"of":3}}"#, nil), (#"{"p":{"of":3}}"#, nil), ("{}", nil),
    ] as [(String, String?)])
  func pageNumbers(body: String, expected: String?) throws {
    #expect(try next(#"{"style":"page","parameter":"_page","current":"p.now","total":"p.of"}"#, body: body) == expected)
  }

  @Test func offsets() throws {
    let pagination = #"{"style":"offset","parameter":"offset","items":"items"}"#
    let first = try next(pagination, body: #"{"items":[1,2,3]}"#)
    #expect(first == "https://api.example/items?a=1&offset=3")
    #expect(try next(pagination, url: first ?? "", body: #"{"items":[1,2]}"#) == "https://api.example/items?a=1&offset=5")
    #expect(try next(pagination, body: #"{"items":[]}"#) == nil)
    #expect(try next(#"{"style":"offset","parameter":"skip"}"#, body: "[1]") == "https://api.example/items?a=1&skip=1")
    #expect(try next(pagination, url: "https://api.example/?offset=\(Int.max)", body: #"{"items":[1]}"#) == nil)
  }

  @Test func onlyASuccessHasANextPage() throws {
    let link = [HTTPHeader("Link", "<x>; rel=next")]
    #expect(try next(#"{"style":"link"}"#, headers: link, status: 404) == nil)
    #expect(try next(#"{"style":"link"}"#, headers: link) == "https://api.example/x")
  }
}

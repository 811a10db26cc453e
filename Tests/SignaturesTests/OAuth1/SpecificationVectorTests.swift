import TestSupport
import Testing

@testable import OAuthCore
@testable import Signatures

/// The examples of RFC 5849, of OAuth Core 1.0a and its test cases, and of X's documentation.
@Suite struct SpecificationVectorTests {
  private func signature(
    _ method: String, _ url: String, form: String = "", _ parameters: [(String, String)], consumerSecret: String, tokenSecret: String
  ) throws -> (base: String, signature: String) {
    var covered = EncodedParameters()
    for (name, value) in parameters { covered.add(name, value) }
    covered.add(form: form.utf8)
    let base = SignatureBaseString(method: method, url: try URLParts(url), parameters: covered).bytes
    let client = OAuth1Client(consumerKey: "", consumerSecret: Secret(consumerSecret))
    let signature = try SignatureMethod.hmacSHA1.signature(of: base, client, tokenSecret: Secret(tokenSecret))
    return (String(decoding: base, as: UTF8.self), signature)
  }

  /// RFC 5849, 3.1 and 3.4.1.1, with the signature of erratum 2550: the one in the text is wrong.
  @Test func baseStringOfTheRFC() throws {
    let (base, signature) = try signature(
      "POST", "http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b", form: "c2&a3=2+q",
      [
        ("oauth_consumer_key", "9djdj82h48djs9d2"), ("oauth_token", "kkk9d7dh3k39sjv7"), ("oauth_signature_method", "HMAC-SHA1"),
        ("oauth_timestamp", "137131201"), ("oauth_nonce", "7d8f3e4a"),
      ], consumerSecret: "j49sk3j29djd", tokenSecret: "dh893hdasih9")
    #expect(
      base == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D"
        + "%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1"
        + "%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7")
    #expect(signature == "r6/TJjbCOr97/+UU0NsvSne7s5g=")
  }

  /// RFC 5849, 1.2: the three requests of the photo printing service.
  @Test func sequenceOfTheRFC() throws {
    let consumer = ("oauth_consumer_key", "dpf43f3p2l4k3l03")
    let method = ("oauth_signature_method", "HMAC-SHA1")
    let initiate = try signature(
      "POST", "https://photos.example.net/initiate",
      [
        consumer, method, ("oauth_timestamp", "137131200"), ("oauth_nonce", "wIjqoS"),
        ("oauth_callback", "http://printer.example.com/ready"),
      ], consumerSecret: "kd94hf93k423kf44", tokenSecret: "")
    #expect(initiate.signature == "74KNZJeDHnMBp0EMJ9ZHt/XKycU=")
    let token = try signature(
      "POST", "https://photos.example.net/token",
      [
        consumer, ("oauth_token", "hh5s93j4hdidpola"), method, ("oauth_timestamp", "137131201"), ("oauth_nonce", "walatlh"),
        ("oauth_verifier", "hfdp7dh39dks9884"),
      ], consumerSecret: "kd94hf93k423kf44", tokenSecret: "hdhd0244k9j7ao03")
    #expect(token.signature == "gKgrFCywp7rO0OXSjdot/IHF7IU=")
    let photos = try signature(
      "GET", "http://photos.example.net/photos?file=vacation.jpg&size=original",
      [consumer, ("oauth_token", "nnch734d00sl2jdk"), method, ("oauth_timestamp", "137131202"), ("oauth_nonce", "chapoH")],
      consumerSecret: "kd94hf93k423kf44", tokenSecret: "pfkkdhi9sl3r4s00")
    #expect(photos.signature == "MdpQcU8iPSUjWoN/UDMsK2sui9I=")
  }

  /// OAuth Core 1.0a, appendix A.5.
  @Test func photosOfCore() throws {
    let client = OAuth1Client(
      consumerKey: "dpf43f3p2l4k3l03", consumerSecret: Secret("kd94hf93k423kf44"), realm: "http://photos.example.net/")
    let request = OAuth1Request(
      HTTPRequest(method: "GET", url: "http://photos.example.net/photos?file=vacation.jpg&size=original"), client: client,
      token: OAuth1Fixture.token("nnch734d00sl2jdk", "pfkkdhi9sl3r4s00"), nonce: "kllo9940pd9333jh", timestamp: 1_191_242_096)
    #expect(
      try request.signed().authorization
        == "OAuth realm=\"http://photos.example.net/\", oauth_consumer_key=\"dpf43f3p2l4k3l03\", oauth_token=\"nnch734d00sl2jdk\", "
        + "oauth_signature_method=\"HMAC-SHA1\", oauth_version=\"1.0\", oauth_nonce=\"kllo9940pd9333jh\", "
        + "oauth_timestamp=\"1191242096\", oauth_signature=\"tR3%2BTy81lMeYAr%2FFid0kMTYa%2FWM%3D\"")
  }

  /// OAuth Core 1.0a, appendix A.2 and A.4, whose requests use PLAINTEXT.
  @Test func plaintextOfCore() throws {
    var client = OAuth1Client(
      consumerKey: "dpf43f3p2l4k3l03", consumerSecret: Secret("kd94hf93k423kf44"), signatureMethod: .plaintext, placement: .query)
    let first = OAuth1Request(
      .toTokenEndpoint("https://photos.example.net/request_token", "GET"), client: client,
      parameters: [OAuth1Parameter("oauth_callback", "http://printer.example.com/request_token_ready")], nonce: "hsu94j3884jdopsl",
      timestamp: 1_191_242_090)
    #expect(
      try first.signed().url == "https://photos.example.net/request_token?oauth_consumer_key=dpf43f3p2l4k3l03"
        + "&oauth_signature_method=PLAINTEXT&oauth_version=1.0"
        + "&oauth_callback=http%3A%2F%2Fprinter.example.com%2Frequest_token_ready&oauth_nonce=hsu94j3884jdopsl"
        + "&oauth_timestamp=1191242090&oauth_signature=kd94hf93k423kf44%26")
    client.placement = .header
    let second = OAuth1Request(
      .toTokenEndpoint("https://photos.example.net/access_token", "POST"), client: client,
      token: OAuth1Fixture.token("hh5s93j4hdidpola", "hdhd0244k9j7ao03"),
      parameters: [OAuth1Parameter("oauth_verifier", "hfdp7dh39dks9884")], nonce: "dji430splmx33448", timestamp: 1_191_242_092)
    #expect(try second.signed().authorization?.hasSuffix("oauth_signature=\"kd94hf93k423kf44%26hdhd0244k9j7ao03\"") == true)
    #expect(try second.signed().protocolParameter("oauth_verifier") == "hfdp7dh39dks9884")
  }

  /// X's documentation on creating a signature, before and after the path got its `1.1`.
  @Test(arguments: [("1", "tnnArxj06cWHq44gCs1OSKk/jLY="), ("1.1", "hCtSmYh+iHYCEqBWrE7C7hYmtUk=")])
  func documentationOfX(version: String, wanted: String) throws {
    let client = OAuth1Client(
      consumerKey: "xvz1evFS4wEEPTGEFPHBog", consumerSecret: Secret("kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw"))
    let http = HTTPRequest(
      method: "post", url: "https://api.twitter.com/\(version)/statuses/update.json?include_entities=true",
      headers: [HTTPHeader("content-type", "application/x-www-form-urlencoded; charset=UTF-8")],
      body: .bytes(Array("status=Hello%20Ladies%20%2b%20Gentlemen%2c%20a%20signed%20OAuth%20request%21".utf8)))
    let request = OAuth1Request(
      http, client: client,
      token: OAuth1Fixture.token("370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"),
      nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", timestamp: 1_318_622_958)
    #expect(try request.signed().protocolParameter("oauth_signature") == wanted)
  }

  /// The test cases of OAuth Core 1.0, 9.3, including their spelling `vacaction` and their key of 1024 bits.
  @Test func rsaOfTheTestCases() throws {
    let key = try RSAPrivateKey(pem: Secret(String(decoding: OAuth1Fixture.file("testcases.pem"), as: UTF8.self)))
    let client = OAuth1Client(consumerKey: "dpf43f3p2l4k3l03", signatureMethod: .rsaSHA1, privateKey: key)
    let request = OAuth1Request(
      HTTPRequest(method: "GET", url: "http://photos.example.net/photos?file=vacaction.jpg&size=original"), client: client,
      nonce: "13917289812797014437", timestamp: 1_196_666_512)
    #expect(
      try request.signed().protocolParameter("oauth_signature")
        == "jvTp/wX1TYtByB1m+Pbyo0lnCOLIsyGCH7wke8AUs3BpnwZJtAuEJkvQL2/9n4s5wUmUl4aCI4BwpraNx4RtEXMe5qg5T1LVTGliMRpKasKsW//e+RinhejgCuzo"
        + "H26dyF8iY2ZZ/5D1ilgeijhV/vBka5twt399mXwaYdCwFYE=")
  }
}

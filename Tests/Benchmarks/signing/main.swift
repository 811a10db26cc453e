import OAuth
import OAuthCore
import Platform
import Signatures

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// `signing COUNT` signs Twitter's own example COUNT times with HMAC-SHA1 and prints the nanoseconds of processor time.

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
let client = OAuth1Client(
  consumerKey: "xvz1evFS4wEEPTGEFPHBog", consumerSecret: Secret("kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw"))
let token = OAuth1Token(
  token: Secret("370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb"), secret: Secret("LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"))
let request = HTTPRequest(
  method: "POST", url: "https://api.twitter.com/1.1/statuses/update.json?include_entities=true",
  headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
  body: .bytes(Array("status=Hello%20Ladies%20%2b%20Gentlemen%2c%20a%20signed%20OAuth%20request%21".utf8)))

func nanoseconds() -> Int {
  var now = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
  return Int(now.tv_sec) * 1_000_000_000 + Int(now.tv_nsec)
}

let began = nanoseconds()
var written = 0
for _ in 0..<count {
  let unsigned = OAuth1Request(
    request, client: client, token: token, nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", timestamp: 1_318_622_958)
  written += try unsigned.signed().headers.count
}
print(nanoseconds() - began, written == 2 * count ? "" : "unsigned")

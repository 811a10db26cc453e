import Jansson

/// A signature algorithm of ID tokens without a public key (RFC 7518, 3.2): the client's secret both signs and verifies.
package enum IDTokenAlgorithm: String, StringEnum {
  case hs256 = "HS256"
}

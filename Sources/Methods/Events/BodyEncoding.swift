import Jansson

/// The encoding of bytes in a JSON string.
enum BodyEncoding: String, StringEnum {
  case utf8, base64

  var documentation: String {
    switch self {
    case .utf8: "The text itself."
    case .base64: "Base64, for a body that is not UTF-8 or contains U+0000."
    }
  }
}

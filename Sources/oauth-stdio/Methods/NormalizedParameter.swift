import Jansson
import OAuthCore

struct NormalizedParameter: NestedObject {
  static let schemaName: String? = "NormalizedParameter"
  static var sample: NormalizedParameter { NormalizedParameter(parameter: OAuth1Parameter("", "")) }

  var parameter: OAuth1Parameter

  func list(_ members: inout ObjectWriter) {
    members.add("name", parameter.name, "The parameter's name.")
    members.add("value", parameter.value, "The parameter's value, or `…` if it is a secret.")
  }
}

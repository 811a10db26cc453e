import Jansson
import OAuth

extension Finding: NestedObject {
  package static var sample: Finding { Finding("clock", .ok, "", advice: "") }

  package func list(_ members: inout ObjectWriter) {
    members.add("check", check, "What was looked at, such as `clock`.")
    members.add("state", state, "The result.")
    members.add("message", message, "What was found.")
    members.add(optional: "advice", advice, "What the user can do.")
  }
}

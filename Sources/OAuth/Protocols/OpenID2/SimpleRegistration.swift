import Jansson

/// The few facts about a user that Simple Registration 1.1 has words for.
package struct SimpleRegistration: FieldObject, Equatable {
  package static let placeholder = SimpleRegistration()

  /// Simple Registration 1.1, section 4.
  static let names = ["nickname", "email", "fullname", "dob", "gender", "postcode", "country", "language", "timezone"]

  package var required: [String] = []
  package var optional: [String] = []

  package init(required: [String] = [], optional: [String] = []) {
    self.required = required
    self.optional = optional
  }

  package init(_ fields: inout Fields) throws(FieldError) {
    required = try fields.optional("required", "What the sign-in is of no use without.") ?? []
    optional = try fields.optional("optional", "What would be good to have.") ?? []
    for (member, names) in [("required", required), ("optional", optional)] {
      for (index, name) in names.enumerated() where !Self.names.contains(name) {
        throw FieldError(fields.pointer(member) + "/\(index)", "has to be one of \(Self.names.joined(separator: ", "))")
      }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in [("required", required), ("optional", optional)] where !value.isEmpty {
      writer.name(name)
      value.write(to: &writer)
    }
    writer.endObject()
  }

  var isEmpty: Bool { required.isEmpty && optional.isEmpty }

  /// What is asked (section 3). A provider in the bare dialect is told no namespaces.
  func fields(declaring: Bool) -> [(name: String, value: String)] {
    guard !isEmpty else { return [] }
    var fields: [(name: String, value: String)] = declaring ? [("ns.sreg", OpenIDMessage.simpleRegistration)] : []
    if !required.isEmpty { fields.append(("sreg.required", required.joined(separator: ","))) }
    if !optional.isEmpty { fields.append(("sreg.optional", optional.joined(separator: ","))) }
    return fields
  }

  /// What was answered to that (section 4) and is signed.
  func values(in signed: OpenIDMessage) -> [(name: String, value: String)] {
    let alias =
      signed.alias(of: OpenIDMessage.simpleRegistration) ?? signed.alias(of: OpenIDMessage.simpleRegistration10)
      ?? (signed["ns.sreg"] == nil ? "sreg" : nil)
    guard let alias else { return [] }
    return (required + optional).compactMap { name in signed["\(alias).\(name)"].map { (name, $0) } }
  }
}

import Jansson

/// How a login gets another token: one with some of its scopes, or one for another resource or audience of the same server.
package struct OtherTokenOptions: FieldObject {
  /// The request that brings such a token.
  package enum Way: FieldValue {
    /// A refresh (RFC 6749, 6; RFC 8707, 2.2), by the standard parameter or the server's own.
    case refresh(Parameter?)
    /// An exchange of the login's access token (RFC 8693).
    case exchange

    package static let placeholder = Way.exchange
    package static var schema: JSON { ["anyOf": [Word.reference, Refresh.reference]] }

    package static func read(_ json: JSON, at path: String) throws(FieldError) -> Way {
      guard case .object = json else { return try Word.read(json, at: path) == .refresh ? .refresh(nil) : .exchange }
      return .refresh(try Refresh.decode(json, at: path).parameter)
    }

    /// A provider's description is only read.
    package func write(to writer: inout JSONWriter) { writer.null() }
  }

  /// A way that needs only standard parameters.
  enum Word: String, DescribedEnum {
    static let schemaName: String? = "OtherTokenWay"

    case refresh, exchange
  }

  struct Refresh: FieldObject {
    static let schemaName: String? = "OtherTokenRefresh"
    let parameter: Parameter

    init(_ fields: inout ObjectReader) throws(FieldError) { parameter = try fields.required("refresh", "The server's own parameter.") }
  }

  package struct Parameter: FieldObject {
    package static let schemaName: String? = "OtherTokenParameter"
    package let name: String
    package let value: String?

    package init(_ fields: inout ObjectReader) throws(FieldError) {
      name = try fields.required("parameter", "The parameter's name.")
      value = try fields.optional("value", "Its value, in which `{resource}` or `{audience}` is what was asked. Without it, that alone.")
    }
  }

  package var scopes: Way?
  package var resource: Way?
  package var audience: Way?

  package init() {}

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    scopes = try fields.optional(
      "scopes",
      "The request that brings a token with some of the login's scopes. Without it, a refresh does while the server keeps the refresh token."
    )
    resource = try fields.optional(
      "resource", "The request that brings a token for another resource (RFC 8707). Without it, the process asks for none.")
    audience = try fields.optional(
      "audience", "The request that brings a token for another audience. Without it, the process asks for none.")
  }
}

/// Returns whether the bytes are UTF-8 without NUL (RFC 3629: no overlong form, no surrogate, nothing beyond U+10FFFF).
///
/// Such a response body is sent as a string, any other as base64. NUL is excluded since many JSON readers end their strings at it.
package func isCleanUTF8(_ bytes: [UInt8]) -> Bool { !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil }

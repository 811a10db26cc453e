/// An odd number of up to 4096 bits by which powers are reduced, in Montgomery's form: what Diffie-Hellman needs and swift-crypto does not offer.
///
/// Its time depends on the numbers. What it protects is the key of one association, made with a fresh exponent each time and used against
/// one server, so there is nothing that a second measurement would add to; as a signature's or a long-lived key's arithmetic it would not do.
struct OddModulus: Sendable {
  /// Little endian.
  private let limbs: [UInt64]
  /// The negated inverse of the lowest limb modulo 2^64.
  private let inverse: UInt64
  /// The square of 2^(64 · limbs), reduced: what brings a number into Montgomery's form.
  private let square: [UInt64]

  let bits: Int

  /// `bytes` are big endian; nil where the number is even, less than 3 or beyond 4096 bits.
  init?(_ bytes: some Collection<UInt8>) {
    let digits = bytes.drop { $0 == 0 }
    guard let first = digits.first, digits.count <= 512 else { return nil }
    bits = digits.count * 8 - first.leadingZeroBitCount
    let limbs = Self.limbs(digits, count: (digits.count + 7) / 8)
    guard limbs[0] & 1 == 1, bits > 1 else { return nil }
    self.limbs = limbs

    // Newton's iteration doubles the number of correct bits each time: 5 at the start, 64 after four steps.
    var inverse = limbs[0] &* 3 ^ 2
    for _ in 0..<4 { inverse = inverse &* (2 &- limbs[0] &* inverse) }
    self.inverse = 0 &- inverse

    var square = [UInt64](repeating: 0, count: limbs.count)
    square[0] = 1
    for _ in 0..<(128 * limbs.count) { square = Self.doubled(square, modulo: limbs) }
    self.square = square
  }

  /// The power, big endian and as long as the modulus; nil where the base is not less than the modulus. The exponent is big endian.
  func power(_ base: some Collection<UInt8>, _ exponent: [UInt8]) -> [UInt8]? {
    let digits = base.drop { $0 == 0 }
    guard digits.count <= limbs.count * 8 else { return nil }
    let number = Self.limbs(digits, count: limbs.count)
    guard Self.isLess(number, limbs) else { return nil }

    var one = [UInt64](repeating: 0, count: limbs.count)
    one[0] = 1
    let factor = product(number, square)
    var result = product(one, square)
    for byte in exponent {
      for bit in (0..<8).reversed() {
        result = product(result, result)
        if byte >> UInt8(bit) & 1 == 1 { result = product(result, factor) }
      }
    }
    return Self.bytes(product(result, one), count: (bits + 7) / 8)
  }

  /// Whether the big-endian number lies strictly between 1 and the modulus less one: the values that a public key may have.
  func isInside(_ bytes: some Collection<UInt8>) -> Bool {
    let digits = bytes.drop { $0 == 0 }
    guard digits.count <= limbs.count * 8 else { return false }
    let number = Self.limbs(digits, count: limbs.count)
    var last = limbs
    last[0] -= 1
    let isAboveOne = number[0] > 1 || number.dropFirst().contains { $0 != 0 }
    return isAboveOne && Self.isLess(number, last)
  }

  /// Montgomery's product (P. L. Montgomery 1985; the coarsely integrated operand scanning of Koç, Acar and Kaliski 1996).
  private func product(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
    let count = limbs.count
    var sum = [UInt64](repeating: 0, count: count + 2)
    for digit in b {
      Self.add(a, times: digit, to: &sum)
      Self.add(limbs, times: sum[0] &* inverse, to: &sum)
      // The lowest limb is 0 now: a division by 2^64.
      for index in 0...count { sum[index] = sum[index + 1] }
      sum[count + 1] = 0
    }
    let isBeyond = sum[count] != 0 || !Self.isLess(Array(sum[..<count]), limbs)
    return isBeyond ? Self.difference(sum[..<count], limbs) : Array(sum[..<count])
  }

  private static func add(_ number: [UInt64], times digit: UInt64, to sum: inout [UInt64]) {
    var carry: UInt64 = 0
    for index in number.indices {
      let (high, low) = number[index].multipliedFullWidth(by: digit)
      let (first, isFirstOver) = sum[index].addingReportingOverflow(low)
      let (second, isSecondOver) = first.addingReportingOverflow(carry)
      sum[index] = second
      // high is at most 2^64 - 2, and both carries come together only below that.
      carry = high &+ (isFirstOver ? 1 : 0) &+ (isSecondOver ? 1 : 0)
    }
    let (last, isOver) = sum[number.count].addingReportingOverflow(carry)
    sum[number.count] = last
    if isOver { sum[number.count + 1] &+= 1 }
  }

  private static func doubled(_ number: [UInt64], modulo limbs: [UInt64]) -> [UInt64] {
    var result = number
    var carry: UInt64 = 0
    for index in result.indices {
      let next = result[index] >> 63
      result[index] = result[index] << 1 | carry
      carry = next
    }
    return carry == 1 || !isLess(result, limbs) ? difference(result[...], limbs) : result
  }

  private static func difference(_ a: ArraySlice<UInt64>, _ b: [UInt64]) -> [UInt64] {
    var result = Array(a)
    var borrow: UInt64 = 0
    for index in b.indices {
      let (first, isFirstUnder) = result[index].subtractingReportingOverflow(b[index])
      let (second, isSecondUnder) = first.subtractingReportingOverflow(borrow)
      result[index] = second
      borrow = isFirstUnder || isSecondUnder ? 1 : 0
    }
    return result
  }

  private static func isLess(_ a: [UInt64], _ b: [UInt64]) -> Bool {
    for index in b.indices.reversed() where a[index] != b[index] { return a[index] < b[index] }
    return false
  }

  private static func limbs(_ digits: some Collection<UInt8>, count: Int) -> [UInt64] {
    var limbs = [UInt64](repeating: 0, count: count)
    for (index, byte) in digits.reversed().enumerated() { limbs[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
    return limbs
  }

  private static func bytes(_ limbs: [UInt64], count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: limbs[$0 / 8] >> UInt64($0 % 8 * 8)) }
  }
}

package func appendJSONString(_ s: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
  out.append(34); out.append(contentsOf: s); out.append(34)
}

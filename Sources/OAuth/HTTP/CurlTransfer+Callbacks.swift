import CCurl

extension CurlTransfer {
  /// Sets this transfer as the owner of its callbacks. It is unretained, because `CurlLoop` keeps it longer than libcurl keeps the handle.
  func setCallbacks(_ easy: OpaquePointer) {
    let owner = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_owner(easy, CCURL_PRIVATE, owner)
    ccurl_set_write(easy, CCURL_HEADERFUNCTION, headerCame)
    ccurl_set_owner(easy, CCURL_HEADERDATA, owner)
    ccurl_set_write(easy, CCURL_WRITEFUNCTION, bodyCame)
    ccurl_set_owner(easy, CCURL_WRITEDATA, owner)
    ccurl_set_read(easy, bodyWanted)
    ccurl_set_owner(easy, CCURL_READDATA, owner)
    ccurl_set_seek(easy, bodySought)
    ccurl_set_owner(easy, CCURL_SEEKDATA, owner)
    if request.mayBeSent != nil, ccurl_set_prerequest(easy, requestReady) == CCURL_OK {
      ccurl_set_owner(easy, CCURL_PREREQDATA, owner)
    }
    if isScopeLimited {
      ccurl_set_opensocket(easy, socketWanted)
      ccurl_set_owner(easy, CCURL_OPENSOCKETDATA, owner)
    }
    if request.progress != nil {
      ccurl_set_progress(easy, progressMade)
      ccurl_set_owner(easy, CCURL_XFERINFODATA, owner)
      ccurl_set_long(easy, CCURL_NOPROGRESS, 0)
    }
  }

  static func of(_ owner: UnsafeMutableRawPointer?) -> CurlTransfer? {
    owner.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }
}

private func requestReady(
  _ owner: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32
) -> Int32 {
  Int32(CurlTransfer.of(owner)?.maySend() == true ? CCURL_PREREQ_OK : CCURL_PREREQ_ABORT)
}

private func headerCame(_ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ owner: UnsafeMutableRawPointer?) -> Int {
  CurlTransfer.of(owner)?.takeHeader(UnsafeRawBufferPointer(start: data, count: size * count)) ?? 0
}

private func bodyCame(_ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ owner: UnsafeMutableRawPointer?) -> Int {
  CurlTransfer.of(owner)?.takeBody(UnsafeRawBufferPointer(start: data, count: size * count)) ?? 0
}

private func bodyWanted(_ room: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ owner: UnsafeMutableRawPointer?) -> Int {
  CurlTransfer.of(owner)?.giveBody(UnsafeMutableRawBufferPointer(start: room, count: size * count)) ?? CCURL_READ_ABORT
}

/// libcurl seeks only from the start (`origin` SEEK_SET).
private func bodySought(_ owner: UnsafeMutableRawPointer?, _ offset: Int64, _ origin: Int32) -> Int32 {
  guard origin == 0, CurlTransfer.of(owner)?.source?.seek(to: Int(offset)) ?? (offset == 0) else { return Int32(CCURL_SEEK_FAIL) }
  return 0
}

private func progressMade(_ owner: UnsafeMutableRawPointer?, _: Int64, _: Int64, _: Int64, _ sent: Int64) -> Int32 {
  CurlTransfer.of(owner)?.report(sent: Int(sent))
  return 0
}

private func socketWanted(_ owner: UnsafeMutableRawPointer?, _: Int32, _ address: UnsafeMutablePointer<ccurl_address>?) -> Int32 {
  guard let address, let transfer = CurlTransfer.of(owner), transfer.allows(&address.pointee.address) else {
    return Int32(CCURL_SOCKET_BAD)
  }
  return ccurl_socket(address)
}

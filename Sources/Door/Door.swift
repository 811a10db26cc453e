import Dispatch
import Loopback
import NIOCore
import NIOHTTP1
import NIOPosix
import OAuth
import OAuthCore
import Platform
import Synchronization

/// HTTP for programs that use an account without being given its token: a reverse proxy in front of the account's API.
///
/// ```
/// program ⇄ DoorConnection (one loop) ⇄ DoorExchange (a task) → APICall → the client's thread ⇄ service
/// ```
/// A thread for each listener accepts connections and closes those of other users unread.
package final class Door: Sendable {
  /// More than any program keeps, and little memory. Others wait in the listener's queue.
  private static let connectionLimit = 256
  /// Seconds without a byte of an incomplete request, or of a next one after an answer.
  private static let idleTime = TimeAmount.seconds(60)

  let accounts: Accounts
  let secret: DoorSecret
  let heldBodies = DoorBody.Budget()
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  /// Has a permit for each connection that may still be opened. It begins at 0, because a semaphore that ends below its first value stops the process.
  private let room = DispatchSemaphore(value: 0)
  /// In milliseconds of uptime.
  private let nextComplaint = Mutex(0)

  package init(accounts: Accounts, secret: Secret) {
    (self.accounts, self.secret) = (accounts, DoorSecret(secret))
    for _ in 0..<Self.connectionLimit { room.signal() }
  }

  /// Serves programs of this machine. At a port those are this user's, and need the secret; at a socket file only others need it.
  /// Returns 0, or the error number of a thread that could not be started.
  package func listen(at socket: LoopbackSocket) -> Int32 {
    Thread.start { [self] in
      while let descriptor = next(socket) {
        if socket.file != nil {
          serve(descriptor, .unix, isTrusted: LoopbackSocket.user(at: descriptor) == geteuid())
        } else if ConnectionOwner.ofPeer(descriptor)?.isServed ?? true {
          serve(descriptor, .tcp(port: Int(socket.port)), isTrusted: false)
        } else {
          close(descriptor)
          room.signal()
        }
      }
    }
  }

  /// Returns the next connection when there is room for one; nil after the end of the listener.
  private func next(_ socket: LoopbackSocket) -> Int32? {
    room.wait()
    while true {
      do throws(Descriptors.Fault) { return try socket.accept() } catch {
        // Calls close their descriptors when they end.
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.code) else {
          if [EINTR, ECONNABORTED].contains(error.code) { continue }
          return nil
        }
        usleep(100_000)
      }
    }
  }

  private func serve(_ descriptor: Int32, _ place: DoorRequest.Place, isTrusted: Bool) {
    ClientBootstrap(group: group)
      .channelOption(.autoRead, value: false)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(handlers(place, isTrusted, descriptor))
        }
      }
      .withConnectedSocket(descriptor).whenFailure { [self] _ in room.signal() }
  }

  private func handlers(_ place: DoorRequest.Place, _ isTrusted: Bool, _ descriptor: Int32) -> [any ChannelHandler] {
    var limits = NIOHTTPDecoderLimitConfiguration()
    (limits.maxHeaderListSize, limits.maxHeaderFieldSize) = (DoorRequest.headLimit, DoorRequest.headLimit)
    var framing = HTTPResponseEncoder.Configuration()
    framing.automaticallySetFramingHeaders = false
    return [
      IdleStateHandler(allTimeout: Self.idleTime),
      HTTPResponseEncoder(configuration: framing),
      ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)),
      HTTPServerPipelineHandler(),
      DoorConnection(self, place, isTrusted: isTrusted, descriptor),
    ]
  }

  /// Says that a request had a wrong `Authorization`, once a minute. Programs such as git and wget ask without one first.
  func complain(of request: DoorRequest) {
    guard request.headers.contains(where: { $0.isNamed("authorization") }) else { return }
    let now = accounts.clock.uptime()
    let isTime = nextComplaint.withLock { next in
      guard now >= next else { return false }
      next = now + 60_000
      return true
    }
    guard isTime else { return }
    let account = request.account.plain
    accounts.dependencies.log(.init(.warning, "a request to the door for the account \(account) had a wrong secret, and got 401"))
  }

  func connectionEnded() { room.signal() }
}

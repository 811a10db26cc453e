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
  /// More than any program keeps, and little memory.
  private static let connectionLimit = 256
  /// Seconds without a byte of an incomplete request, or of a next one after an answer.
  private static let idleTime = TimeAmount.seconds(60)
  /// Milliseconds to tell a program that there are too many connections.
  private static let refusalTime = 100

  let accounts: Accounts
  let secret: DoorSecret
  let heldBodies = DoorBody.Budget()
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let connections = Mutex(0)
  /// In milliseconds of uptime.
  private let nextComplaint = Mutex(0)

  package init(accounts: Accounts, secret: Secret) { (self.accounts, self.secret) = (accounts, DoorSecret(secret)) }

  /// Serves programs of this machine. At a port those are this user's, and need the secret; at a socket file only others need it.
  /// Returns 0, or the error number of a thread that could not be started.
  package func listen(at socket: LoopbackSocket) -> Int32 {
    Thread.start { [self] in
      while let descriptor = Self.next(socket) {
        if socket.file != nil {
          serve(descriptor, .unix, isTrusted: LoopbackSocket.user(at: descriptor) == geteuid())
        } else if ConnectionOwner.ofPeer(descriptor)?.isServed ?? true {
          serve(descriptor, .tcp(port: Int(socket.port)), isTrusted: false)
        } else {
          close(descriptor)
        }
      }
    }
  }

  /// Returns the next connection; nil after the end of the listener.
  private static func next(_ socket: LoopbackSocket) -> Int32? {
    while true {
      do throws(Descriptors.Fault) { return try socket.accept() } catch {
        // Calls close their descriptors when they end.
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.code) else {
          if [EINTR, ECONNABORTED].contains(error.code) { continue }
          return nil
        }
        usleep(UInt32(refusalTime) * 1000)
      }
    }
  }

  private func serve(_ descriptor: Int32, _ place: DoorRequest.Place, isTrusted: Bool) {
    let isFull = connections.withLock { count in
      defer { if count < Self.connectionLimit { count += 1 } }
      return count >= Self.connectionLimit
    }
    guard !isFull else {
      let refusal = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
      _ = LoopbackSocket.sendAll(Array(refusal.utf8), to: descriptor, timeoutMilliseconds: Self.refusalTime)
      // A reset for what is unread could overtake it (RFC 9112, 9.6).
      shutdown(descriptor, Int32(SHUT_WR))
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var request = [UInt8](repeating: 0, count: DoorRequest.headLimit)
      if poll(&ready, 1, Int32(Self.refusalTime)) > 0 { recv(descriptor, &request, request.count, 0) }
      close(descriptor)
      return
    }
    ClientBootstrap(group: group)
      .channelOption(.autoRead, value: false)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(handlers(place, isTrusted, descriptor))
        }
      }
      .withConnectedSocket(descriptor).whenFailure { [self] _ in connectionEnded() }
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
    if isTime { accounts.dependencies.log(.doorRefused(account: request.account.plain)) }
  }

  func connectionEnded() { connections.withLock { $0 -= 1 } }
}

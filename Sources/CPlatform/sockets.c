#define _GNU_SOURCE
#include "cplatform.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#endif

/* A browser opens few connections. Tests of hostile visitors open hundreds. */
enum { BACKLOG = 512 };

#if defined(__linux__)
int cplatform_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
int cplatform_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }
static int new_socket(int family) { return socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0); }
#else
static int prepared(int descriptor) {
  int on = 1;
  if (descriptor < 0) return -1;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  /* An accepted connection inherits the listener's O_NONBLOCK here. */
  fcntl(descriptor, F_SETFL, 0);
  setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  return descriptor;
}

int cplatform_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return 0;
}

int cplatform_accept(int listener) { return prepared(accept(listener, NULL, NULL)); }
static int new_socket(int family) { return prepared(socket(family, SOCK_STREAM, 0)); }
#endif

int cplatform_listen(int is_ipv6, const char *host, unsigned short *port) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(*port), .sin6_addr = in6addr_loopback};
  struct sockaddr *address = is_ipv6 ? (struct sockaddr *)&v6 : (struct sockaddr *)&v4;
  socklen_t size = is_ipv6 ? sizeof v6 : sizeof v4;
  int on = 1, only, code, descriptor;
  if (host && inet_pton(is_ipv6 ? AF_INET6 : AF_INET, host, is_ipv6 ? (void *)&v6.sin6_addr : (void *)&v4.sin_addr) != 1) {
    errno = EINVAL;
    return -1;
  }
  descriptor = new_socket(is_ipv6 ? AF_INET6 : AF_INET);
  if (descriptor < 0) return -1;
  /* SO_REUSEADDR allows a port whose last connections are still closing. Without SO_REUSEPORT no other program can listen on the same port. */
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  /* `::` stands for all addresses of the machine, as with other servers. */
  only = !IN6_IS_ADDR_UNSPECIFIED(&v6.sin6_addr);
  if (is_ipv6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
  if (bind(descriptor, address, size) != 0 || listen(descriptor, BACKLOG) != 0 || getsockname(descriptor, address, &size) != 0) {
    code = errno;
    close(descriptor);
    errno = code;
    return -1;
  }
  *port = ntohs(is_ipv6 ? v6.sin6_port : v4.sin_port);
  return descriptor;
}

/* Whether the file is a socket at which no process listens. */
static int is_stale(const struct sockaddr_un *address) {
  struct stat status;
  int descriptor, code;
  if (lstat(address->sun_path, &status) != 0 || !S_ISSOCK(status.st_mode)) return 0;
  if ((descriptor = new_socket(AF_UNIX)) < 0) return 0;
  code = connect(descriptor, (const struct sockaddr *)address, sizeof *address) == 0 ? 0 : errno;
  close(descriptor);
  return code == ECONNREFUSED;
}

int cplatform_listen_file(const char *path, mode_t mode) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  mode_t mask;
  int descriptor, code;
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  if (is_stale(&address)) unlink(path);
  if ((descriptor = new_socket(AF_UNIX)) < 0) return -1;
  /* From birth: another user could connect before a later chmod. */
  mask = umask(0177);
  code = bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
  umask(mask);
  if (code == 0 && (listen(descriptor, BACKLOG) != 0 || chmod(path, mode) != 0)) code = errno;
  if (code == 0) return descriptor;
  close(descriptor);
  errno = code;
  return -1;
}

long long cplatform_peer_user(int connection) {
#if defined(__linux__)
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? (long long)peer.uid : -1;
#else
  uid_t user;
  gid_t group;
  return getpeereid(connection, &user, &group) == 0 ? (long long)user : -1;
#endif
}

#if defined(__linux__)
union address {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
};

/* Copies the address to where the kernel wants it. Returns 0 for another family. */
static int put(const union address *from, __be16 *port, __be32 host[4]) {
  switch (from->any.sa_family) {
    case AF_INET:
      *port = from->v4.sin_port;
      memcpy(host, &from->v4.sin_addr, sizeof from->v4.sin_addr);
      return 1;
    case AF_INET6:
      *port = from->v6.sin6_port;
      memcpy(host, &from->v6.sin6_addr, sizeof from->v6.sin6_addr);
      return 1;
    default: return 0;
  }
}
#endif

long long cplatform_peer_owner(int connection) {
#if defined(__linux__)
  struct {
    struct nlmsghdr head;
    struct inet_diag_req_v2 body;
  } request = {{.nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
               {.sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0U, .id.idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}};
  struct {
    struct nlmsghdr head;
    struct inet_diag_msg body;
    char more[4096];
  } reply;
  union address own, peer;
  socklen_t own_size = sizeof own, peer_size = sizeof peer;
  ssize_t count;
  int kernel;
  /* A browser whose tab was closed at once has no address any more. Its request still counts, because `state` protects it. */
  if (getsockname(connection, &own.any, &own_size) != 0 || getpeername(connection, &peer.any, &peer_size) != 0) return -1;
  request.body.sdiag_family = own.any.sa_family;
  /* The peer's address is the local one of the peer's socket. */
  if (!put(&peer, &request.body.id.idiag_sport, request.body.id.idiag_src) || !put(&own, &request.body.id.idiag_dport, request.body.id.idiag_dst))
    return -1;
  /* Without a free descriptor the owner stays hidden, which another user could cause. */
  kernel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (kernel < 0) return errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM ? -2 : -1;
  count = send(kernel, &request, sizeof request, 0) == sizeof request ? recv(kernel, &reply, sizeof reply, MSG_DONTWAIT) : -1;
  close(kernel);
  /* Without the connection, the kernel may find a socket that listens on the peer's port. */
  if (count < (ssize_t)NLMSG_LENGTH(sizeof reply.body) || reply.head.nlmsg_type != SOCK_DIAG_BY_FAMILY || reply.body.idiag_state == TCP_LISTEN)
    return -1;
  /* A connection without an inode belongs to no process any more, and its user is 0. */
  return reply.body.idiag_inode == 0 ? -2 : (long long)reply.body.idiag_uid;
#else
  (void)connection;
  return -3;
#endif
}

// libcurl, loaded at run time. Linking it makes the program's start several times slower, and most runs make no HTTP call.
// The few names below are a stable ABI, so they are declared here. Building needs no libcurl headers.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

typedef struct ccurl_easy ccurl_easy;
typedef struct ccurl_multi ccurl_multi;
typedef struct ccurl_share ccurl_share;
typedef struct ccurl_list ccurl_list;

// The types of callbacks (CURLOPT_WRITEFUNCTION and HEADERFUNCTION, READFUNCTION, SEEKFUNCTION, XFERINFOFUNCTION, PREREQFUNCTION).
typedef size_t (*ccurl_write)(char *data, size_t size, size_t count, void *owner);
typedef size_t (*ccurl_read)(char *room, size_t size, size_t count, void *owner);
typedef int (*ccurl_seek)(void *owner, int64_t offset, int origin);
typedef int (*ccurl_progress)(void *owner, int64_t total, int64_t received, int64_t size, int64_t sent);
typedef int (*ccurl_prerequest)(void *owner, char *remote, char *local, int remote_port, int local_port);

// struct curl_sockaddr: the address that libcurl wants a socket for (CURLOPT_OPENSOCKETFUNCTION).
typedef struct {
  int family;
  int type;
  int protocol;
  unsigned int size;
  struct sockaddr address;
} ccurl_address;
typedef int (*ccurl_opensocket)(void *owner, int purpose, ccurl_address *address);

// Loads and initialises libcurl once per process. Every other function here requires that this has returned 0.
// On failure, `reason` (of `n` bytes) receives what is missing. Later calls return the first call's result.
int ccurl_open(char *reason, size_t n);
const char *ccurl_version(void);

ccurl_easy *ccurl_easy_new(void);
void ccurl_easy_free(ccurl_easy *easy);
// Continues sending, and receiving too if `receives` is not 0.
int ccurl_easy_resume(ccurl_easy *easy, int receives);

// curl_easy_setopt is variadic, so each type of value has its own function. All return a CURLcode.
// (The type is long rather than int wherever a constant below is passed or compared, because Swift imports those constants as Int.)
long ccurl_set_long(ccurl_easy *easy, long option, long value);
long ccurl_set_size(ccurl_easy *easy, long option, int64_t value);
long ccurl_set_string(ccurl_easy *easy, long option, const char *value);
long ccurl_set_owner(ccurl_easy *easy, long option, void *value);
long ccurl_set_list(ccurl_easy *easy, long option, const ccurl_list *value);
long ccurl_set_share(ccurl_easy *easy, const ccurl_share *value);
// libcurl copies the bytes. Requires libcurl 7.71.
long ccurl_set_blob(ccurl_easy *easy, long option, const void *bytes, size_t n);
long ccurl_set_write(ccurl_easy *easy, long option, ccurl_write value);
long ccurl_set_read(ccurl_easy *easy, ccurl_read value);
long ccurl_set_seek(ccurl_easy *easy, ccurl_seek value);
long ccurl_set_progress(ccurl_easy *easy, ccurl_progress value);
// Requires libcurl 7.80.
long ccurl_set_prerequest(ccurl_easy *easy, ccurl_prerequest value);
long ccurl_set_opensocket(ccurl_easy *easy, ccurl_opensocket value);
// Opens the socket that libcurl would open by default.
int ccurl_socket(const ccurl_address *address);
// Returns null if libcurl has no value. The string is valid until the handle's next transfer.
const char *ccurl_get_string(ccurl_easy *easy, long info);
// Returns 0 if libcurl has no value.
long ccurl_get_long(ccurl_easy *easy, long info);
int64_t ccurl_get_size(ccurl_easy *easy, long info);
// Returns the value of CCURL_PRIVATE.
void *ccurl_get_owner(ccurl_easy *easy);

// Appends a line; a null list starts a new list. Returns null if memory is out, and the given list then stays valid.
ccurl_list *ccurl_list_append(ccurl_list *list, const char *line);
void ccurl_list_free(ccurl_list *list);

ccurl_multi *ccurl_multi_new(void);
void ccurl_multi_free(ccurl_multi *multi);
// Sets how many connections are kept for reuse, and how many to one host are open at once: further transfers wait for one of them.
void ccurl_multi_limit(ccurl_multi *multi, long kept, long of_host);
int ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy);
int ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy);
// Advances all transfers.
void ccurl_multi_perform(ccurl_multi *multi);
// Sleeps until a transfer is ready, at most that many milliseconds.
void ccurl_multi_wait(ccurl_multi *multi, int milliseconds);
// Wakes `ccurl_multi_wait`. Only this function may be called by another thread.
void ccurl_multi_wakeup(ccurl_multi *multi);
// Returns 1 and a completed transfer with its CURLcode, or 0 if no more are complete.
int ccurl_multi_ended(ccurl_multi *multi, ccurl_easy **easy, long *code);

// Keeps TLS sessions between transfers, so that a new connection to a known server resumes its session.
// It has no locks, so only one thread may use it.
ccurl_share *ccurl_share_new(void);
void ccurl_share_free(ccurl_share *share);

// CURLOPT_…
enum {
  CCURL_CONNECTTIMEOUT_MS = 156,
  CCURL_FRESH_CONNECT = 74,
  CCURL_MAXAGE_CONN = 288,
  CCURL_DISALLOW_USERNAME_IN_URL = 278,
  CCURL_HEADEROPT = 229,
  CCURL_HTTPGET = 80,
  CCURL_HTTP_VERSION = 84,
  CCURL_NOBODY = 44,
  CCURL_NOPROGRESS = 43,
  CCURL_NOSIGNAL = 99,
  CCURL_PATH_AS_IS = 234,
  CCURL_PROTOCOLS = 181,
  CCURL_QUICK_EXIT = 322,
  CCURL_SSLVERSION = 32,
  CCURL_SUPPRESS_CONNECT_HEADERS = 265,
  CCURL_TCP_KEEPALIVE = 213,
  CCURL_UPLOAD = 46,
  CCURL_INFILESIZE_LARGE = 30115,
  CCURL_CAINFO = 10065,
  CCURL_CAPATH = 10097,
  CCURL_CUSTOMREQUEST = 10036,
  CCURL_ERRORBUFFER = 10010,
  CCURL_KEYPASSWD = 10026,
  CCURL_NOPROXY = 10177,
  CCURL_PREREQDATA = 10313,
  CCURL_PRIVATE = 10103,
  CCURL_PROTOCOLS_STR = 10318,
  CCURL_PROXY_CAINFO = 10246,
  CCURL_PROXY_CAPATH = 10247,
  CCURL_SSLCERTTYPE = 10086,
  CCURL_SSLCERT_BLOB = 40291,
  CCURL_SSLKEY_BLOB = 40292,
  CCURL_URL = 10002,
  CCURL_USERAGENT = 10018,
  CCURL_HTTPHEADER = 10023,
  CCURL_HEADERDATA = 10029,
  CCURL_OPENSOCKETDATA = 10164,
  CCURL_READDATA = 10009,
  CCURL_SEEKDATA = 10168,
  CCURL_WRITEDATA = 10001,
  CCURL_XFERINFODATA = 10057,
  CCURL_HEADERFUNCTION = 20079,
  CCURL_WRITEFUNCTION = 20011
};

// Values of options, CURLINFO_… and results of callbacks.
enum {
  CCURL_HEADER_SEPARATE = 1,
  CCURL_HTTP_VERSION_1_1 = 2,
  CCURL_HTTP_VERSION_2TLS = 4,
  CCURL_PROTOCOLS_HTTP_HTTPS = 3,
  CCURL_SSLVERSION_TLS_1_2 = 6,
  CCURL_ERROR_SIZE = 256,
  CCURL_INFO_HTTP_CONNECTCODE = 0x200000 + 22,
  CCURL_INFO_PRETRANSFER_TIME = 0x600000 + 53,
  CCURL_INFO_PRIMARY_IP = 0x100000 + 32,
  CCURL_INFO_PROXY_SSL_VERIFYRESULT = 0x200000 + 47,
  CCURL_INFO_SSL_VERIFYRESULT = 0x200000 + 13,
  CCURL_INFO_STARTTRANSFER_TIME = 0x600000 + 54,
  CCURL_PREREQ_ABORT = 1,
  CCURL_PREREQ_OK = 0,
  CCURL_READ_ABORT = 0x10000000,
  CCURL_READ_PAUSE = 0x10000001,
  CCURL_SEEK_FAIL = 1,
  CCURL_SOCKET_BAD = -1,
  CCURL_WRITE_PAUSE = 0x10000001
};

// CURLE_…
enum {
  CCURL_OK = 0,
  CCURL_E_UNSUPPORTED_PROTOCOL = 1,
  CCURL_E_URL_MALFORMAT = 3,
  CCURL_E_COULDNT_RESOLVE_PROXY = 5,
  CCURL_E_COULDNT_RESOLVE_HOST = 6,
  CCURL_E_COULDNT_CONNECT = 7,
  CCURL_E_WEIRD_SERVER_REPLY = 8,
  CCURL_E_HTTP2 = 16,
  CCURL_E_OPERATION_TIMEDOUT = 28,
  CCURL_E_SSL_CONNECT_ERROR = 35,
  CCURL_E_GOT_NOTHING = 52,
  CCURL_E_SSL_ENGINE_NOTFOUND = 53,
  CCURL_E_SSL_ENGINE_SETFAILED = 54,
  CCURL_E_SSL_CERTPROBLEM = 58,
  CCURL_E_SSL_CIPHER = 59,
  CCURL_E_PEER_FAILED_VERIFICATION = 60,
  CCURL_E_SSL_ENGINE_INITFAILED = 66,
  CCURL_E_LOGIN_DENIED = 67,
  CCURL_E_SSL_CACERT_BADFILE = 77,
  CCURL_E_SSL_SHUTDOWN_FAILED = 80,
  CCURL_E_SSL_CRL_BADFILE = 82,
  CCURL_E_SSL_ISSUER_ERROR = 83,
  CCURL_E_SSL_PINNEDPUBKEYNOTMATCH = 90,
  CCURL_E_SSL_INVALIDCERTSTATUS = 91,
  CCURL_E_PROXY = 97,
  CCURL_E_SSL_CLIENTCERT = 98
};

#endif

/**
 * The types, errors, methods and events of the program.
 *
 * Tests/regenerate.sh writes this file from schemas/openrpc.json. Do not edit it by hand.
 */
import { OAuthError, Transport } from "./client.js";
import type { ClientOptions, RequestOptions } from "./client.js";

export interface AccessDeniedData {
  /** The error's kind. */
  readonly kind: "accessDenied";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** `anotherUser` if a user other than the account's signed in. */
  readonly reason?: string;
  /** The authorization server's own code. */
  readonly error?: string;
  /** The authorization server's own description. */
  readonly errorDescription?: string;
  /** An https page about the error. */
  readonly errorUri?: string;
  /** Microsoft's numbers of the error. */
  readonly errorCodes?: unknown;
  /** Microsoft's word for the cause. */
  readonly suberror?: unknown;
  /** Facebook's number of the error. */
  readonly code?: unknown;
  /** Facebook's number of the cause. */
  readonly errorSubcode?: unknown;
  /** The claims that the next sign-in has to bring: a JSON object as text. `authorize` sends them. */
  readonly claims?: string;
  /** With `slow_down`: the seconds between two requests that the server wants. */
  readonly interval?: unknown;
  /** The HTTP status. */
  readonly httpStatus?: number;
  /** The target of a redirect that the process does not follow, with masked secrets. */
  readonly location?: string;
  /** The seconds until the process sends the server another request. */
  readonly retryAfter?: number;
  /** The start of a body that is not a standard error (RFC 6749), with masked secrets. It has at most 4 KB. */
  readonly body?: string;
  /** OAuth 1.0a: the text that the rejected request signed, with masked secrets (RFC 5849, 3.4.1). */
  readonly baseString?: string;
}

export interface AccessTokenResult {
  /** The access token. A program that has it can use the account. */
  readonly accessToken: string;
  /** OAuth 1.0a: the token's secret, which signs requests. */
  readonly tokenSecret?: string;
  /** The token's type. */
  readonly tokenType?: string;
  /** When the access token expires, in Unix seconds. */
  readonly expiresAt?: number;
  /** The ID token while it is valid. It tells a server which user signed in. A refresh may replace it. */
  readonly idToken?: string;
  /** When the ID token expires, in Unix seconds. */
  readonly idTokenExpiresAt?: number;
}

export interface AccessTokenWasRefreshed {
  /** The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps. */
  readonly seq: number;
  /** The account's name. */
  readonly account?: string;
  /** The ID of the request that caused the event. */
  readonly request?: unknown;
  /** When the access token expires, in Unix seconds. */
  readonly expiresAt?: number;
  /** Whether the provider replaced the refresh token too. */
  readonly refreshTokenChanged: boolean;
}

export interface AccessTokenWasRevoked {
  /** The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps. */
  readonly seq: number;
  /** The account's name. */
  readonly account?: string;
  /** The ID of the request that caused the event. */
  readonly request?: unknown;
  /** The provider's reaction. */
  readonly remote: RemoteRevocation;
  /** The tokens that the provider rejected while it revoked another. They may have ended with that one. */
  readonly remaining?: ReadonlyArray<RevocableToken>;
  /** When a remaining access token expires, in Unix seconds. */
  readonly expiresAt?: number;
}

/**
 * * `signedIn`: The account has a grant of a new sign-in or import.
 * * `refreshed`: The account has a new access token.
 * * `signedOut`: `signOut` deleted the grant.
 * * `revoked`: `revoke` deleted the grant.
 * * `rejected`: The provider rejected the grant's tokens. The user must sign in again.
 * * `removed`: The grant is gone: another process or the user deleted it, or a cancelled sign-in was undone.
 */
export type AccountChange = "signedIn" | "refreshed" | "signedOut" | "revoked" | "rejected" | "removed";

export interface AccountLookup {
  /** The URL that the process requests by GET, with the access token. */
  readonly url: string;
  /** The names that the JSON response fills, each with the dotted path of its value. A value that `variables` already has stays. */
  readonly variables: Readonly<Record<string, string | ReadonlyArray<string>>>;
}

export interface AccountState {
  /** The account's name. */
  readonly account: string;
  /** The account with the login, if this one is a name for another token of it. */
  readonly login?: string;
  /** Whether the account is usable without a sign-in, as far as the process knows. */
  readonly canAuthorize: boolean;
  /** Whether the grant was imported and has not been used since, so that the provider may not accept it. */
  readonly untried?: boolean;
  /**
   * The reason why the account with this grant is not usable without the user. If the process cannot read the grant, nothing else is known
   * of it. A fault in the account's configuration is reported here, too. Otherwise it is one of `the provider rejected the refresh token`,
   * `the provider rejected the access token`, `the refresh token expired`, `the provider rejected the client's registration`, `the access
   * token expired and cannot be refreshed`, `the provider issued no access token`, `the provider rejected the client's secret or key`.
   */
  readonly problem?: string;
  /** Whether a service has rejected the access token without saying that it has ended. The next successful call ends the doubt. */
  readonly inDoubt?: boolean;
  /** Whether the configuration names the account. */
  readonly configured?: boolean;
  /** Whether a configured account has a grant. */
  readonly signedIn?: boolean;
  /** The provider's name for users. */
  readonly provider?: string;
  /** The provider's name for `authorize`, if it has one. */
  readonly preset?: string;
  /** The ID of the client with the grant. */
  readonly clientId?: string;
  /** The granted scopes, if they are known. An imported grant may not name them. */
  readonly grantedScopes?: ReadonlyArray<string>;
  /** The scopes that the user or the provider declined. */
  readonly missingScopes?: ReadonlyArray<string>;
  /** Whether the server showed that the other token has what was asked. Otherwise it is as asked. */
  readonly confirmed?: boolean;
  /** The scopes that the server has taken from the login since another token of it was asked for. A sign-in brings them back. */
  readonly lostScopes?: ReadonlyArray<string>;
  /** The access token's type. */
  readonly tokenType?: string;
  /** When the access token expires, in Unix seconds. */
  readonly expiresAt?: number;
  /** When the process received the access token, in Unix seconds. */
  readonly refreshedAt?: number;
  /** When a process last used a token of the account, in Unix seconds. The time may be a minute too early. */
  readonly usedAt?: number;
  /** Whether the process can replace the access token without a sign-in. */
  readonly canRefresh: boolean;
  /** The user's identifier at the provider. */
  readonly subject?: string;
  /** The user's e-mail address. */
  readonly email?: string;
  /** Further attributes of the user from the provider. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The place of the key that seals the account's grant: `file`, `keyring` or `command`. */
  readonly key?: string;
  /** The open sign-in of the account. */
  readonly signIn?: SignIn;
}

export interface AccountWasChanged {
  /** The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps. */
  readonly seq: number;
  /** The account's name. */
  readonly account: string;
  /** The change. Several quick changes by another process count as the last one. */
  readonly change: AccountChange;
  /** The process that made the change. */
  readonly by: ChangeOrigin;
}

export interface AccountsResult {
  /** The states, sorted by name. */
  readonly accounts: ReadonlyArray<AccountState>;
}

/**
 * * `body`: In the body, with its `grant_type` (RFC 7523, 2.1).
 * * `header`: In `Authorization: Bearer`, and the body has neither a `grant_type` nor a client.
 */
export type AssertionPlacement = "body" | "header";

export type AssertionType = "client-authentication+jwt" | "JWT";

export interface AttributeExchange {
  /** The types of the attributes by alias. Default: `{}`. */
  readonly required?: Readonly<Record<string, string>>;
}

export interface AuthorizationResult {
  /** The account's name. */
  readonly account: string;
  /** The state of the account after the call. */
  readonly status: AuthorizationStatus;
  /** The origin of the grant. */
  readonly via?: Source;
  /** The granted scopes. */
  readonly grantedScopes?: ReadonlyArray<string>;
  /** The requested scopes that were not granted. */
  readonly missingScopes?: ReadonlyArray<string>;
  /** The access token's type. */
  readonly tokenType?: string;
  /** When the access token expires, in Unix seconds. */
  readonly expiresAt?: number;
  /** Whether the process can replace the access token without a sign-in. */
  readonly canRefresh: boolean;
  /** The user's identifier at the provider. */
  readonly subject?: string;
  /** The user's e-mail address. */
  readonly email?: string;
  /** Whether a different user signed in. Only `interaction` `always` allows that. */
  readonly subjectChanged?: boolean;
  /** The open sign-in of the account. */
  readonly signIn?: SignIn;
  /** Whether this call replaced the token. */
  readonly refreshed?: boolean;
  /** The requests that a sign-in would send. */
  readonly dryRun?: DryRun;
}

export interface AuthorizationServerErrorData {
  /** The error's kind. */
  readonly kind: "authorizationServerError";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The authorization server's own code. */
  readonly error?: string;
  /** The authorization server's own description. */
  readonly errorDescription?: string;
  /** An https page about the error. */
  readonly errorUri?: string;
  /** Microsoft's numbers of the error. */
  readonly errorCodes?: unknown;
  /** Microsoft's word for the cause. */
  readonly suberror?: unknown;
  /** Facebook's number of the error. */
  readonly code?: unknown;
  /** Facebook's number of the cause. */
  readonly errorSubcode?: unknown;
  /** The claims that the next sign-in has to bring: a JSON object as text. `authorize` sends them. */
  readonly claims?: string;
  /** With `slow_down`: the seconds between two requests that the server wants. */
  readonly interval?: unknown;
  /** The HTTP status. */
  readonly httpStatus?: number;
  /** The target of a redirect that the process does not follow, with masked secrets. */
  readonly location?: string;
  /** The seconds until the process sends the server another request. */
  readonly retryAfter?: number;
  /** The start of a body that is not a standard error (RFC 6749), with masked secrets. It has at most 4 KB. */
  readonly body?: string;
  /** OAuth 1.0a: the text that the rejected request signed, with masked secrets (RFC 5849, 3.4.1). */
  readonly baseString?: string;
}

/**
 * * `authorized`: The account is usable.
 * * `pending`: The user must sign in first.
 * * `dryRun`: Nothing was sent.
 */
export type AuthorizationStatus = "authorized" | "pending" | "dryRun";

export interface AuthorizationWasSuccessful {
  /** The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps. */
  readonly seq: number;
  /** The account's name. */
  readonly account?: string;
  /** The ID of the request that caused the event. */
  readonly request?: unknown;
  /** The granted scopes. */
  readonly grantedScopes: ReadonlyArray<string>;
  /** When the access token expires, in Unix seconds. */
  readonly expiresAt?: number;
  /** The origin of the grant. */
  readonly via: Source;
  /** Whether a different user signed in. Only `interaction` `always` allows that. */
  readonly subjectChanged?: boolean;
}

export interface AuthorizeRequestResult {
  /** The URL of the request. */
  readonly url: string;
  /** The headers of the request, including the credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the request. */
  readonly body?: string;
}

export interface Body {
  /** Names and values, which the process sends as a form. An array repeats its name. */
  readonly form?: Readonly<Record<string, string | number | boolean | ReadonlyArray<string | number | boolean>>>;
  /** Any JSON. Its numbers keep their value. */
  readonly json?: unknown;
  /** Text, which the process sends as UTF-8. */
  readonly text?: string;
  /** Bytes in base64. */
  readonly base64?: string;
  /** The path of a file to send. */
  readonly file?: string;
  /** The parts of a `multipart/form-data` body. */
  readonly multipart?: ReadonlyArray<BodyPart>;
}

export interface BodyChunkWasReceived {
  /** The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps. */
  readonly seq: number;
  /** The account's name. */
  readonly account?: string;
  /** The ID of the request that caused the event. */
  readonly request?: unknown;
  /** The position of the piece, in bytes. */
  readonly offset: number;
  /** The piece. */
  readonly chunk: string;
  /** The encoding of the piece. */
  readonly encoding: BodyEncoding;
}

/**
 * * `utf8`: The text itself.
 * * `base64`: Base64, for a body that is not UTF-8 or contains U+0000.
 */
export type BodyEncoding = "utf8" | "base64";

/**
 * * `form`: A form in the body.
 * * `json`: JSON in the body.
 * * `query`: The query of the URL.
 */
export type BodyFormat = "form" | "json" | "query";

export interface BodyPart {
  /** The field's name. */
  readonly name: string;
  /** The content as text. */
  readonly text?: string;
  /** The content as JSON. */
  readonly json?: unknown;
  /** The content in base64. */
  readonly base64?: string;
  /** The path of a file with the content, at most 64 MiB. */
  readonly file?: string;
  /** The file name for the service. */
  readonly fileName?: string;
  /** The content's media type. */
  readonly contentType?: string;
}

export interface CallAPIResult {
  /** The HTTP status. */
  readonly status: number;
  /** The response's headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body. */
  readonly body?: string;
  /** The encoding of the body. */
  readonly bodyEncoding?: BodyEncoding;
  /** The body as JSON, if the caller wanted it and every client can parse it. */
  readonly json?: unknown;
  /** The reason why there is no `json` although the caller wanted it. */
  readonly jsonOmitted?: string;
  /** The file with the body. */
  readonly savedTo?: string;
  /** The size of the response's body in bytes. */
  readonly bytes: number;
  /** Whether the process replaced the token during the call. */
  readonly refreshed?: boolean;
  /** The URL of the next page, if there is one. */
  readonly next?: string;
  /** Why the next page that the service names is not used. */
  readonly nextProblem?: string;
  /** The number of times that the process sent the request, without redirects and without what libcurl repeats by itself. */
  readonly attempts: number;
}

/**
 * * `required`: The process rejects a response without it, as RFC 5849 requires.
 * * `optional`: The process accepts a response without it. Such a server may be open to session fixation.
 */
export type CallbackConfirmation = "required" | "optional";

export interface Capabilities {
  /** The names of the methods that the limits allow. */
  readonly methods: ReadonlyArray<string>;
  /** The names of all events. */
  readonly events: ReadonlyArray<string>;
  /** The ways of signing in. */
  readonly flows: ReadonlyArray<string>;
  /** The protocols of providers. */
  readonly protocols: ReadonlyArray<string>;
}

/**
 * * `here`: This process.
 * * `elsewhere`: Another process, or the user.
 */
export type ChangeOrigin = "here" | "elsewhere";

export type ClientAssertionType = "jwt-bearer" | "jwt-spiffe";

/**
 * * `basic`: The client uses HTTP Basic.
 * * `body`: The client sends its secret in the body.
 * * `none`: The client sends no secret.
 * * `basicAlways`: The client uses HTTP Basic even without a secret.
 * * `basicWithClientId`: The client uses HTTP Basic, and names its ID in the body, too.
 * * `basicUnencoded`: Like `basic`, but with the ID and the secret as they are, which differs from RFC 6749.
 * * `probe`: The client uses HTTP Basic, after `invalid_client` `basicUnencoded` if that differs, and then the body.
 * * `privateKeyJwt`: The client sends an assertion that its private key signs (RFC 7523). A client with a key and no secret always does.
 * * `clientSecretJwt`: The client sends an assertion that its secret signs (RFC 7523, HS256).
 * * `tlsClientAuth`: The client shows its certificate, which an authority has issued (RFC 8705, 2.1), and sends no secret.
 * * `selfSignedTlsClientAuth`: The client shows its certificate, which it has registered (RFC 8705, 2.2), and sends no secret.
 */
export type ClientAuthentication = "basic" | "body" | "none" | "basicAlways" | "basicWithClientId" | "basicUnencoded" | "probe" |
  "privateKeyJwt" | "clientSecretJwt" | "tlsClientAuth" | "selfSignedTlsClientAuth";

export interface ClientCertificate {
  /** The certificate in PEM, followed by those that certify it. */
  readonly certificate: string;
  /** The certificate's private key in PEM. Without it, the text of the certificate holds it. */
  readonly key?: string;
  /** The password of an encrypted key. */
  readonly password?: string;
}

export type ClientIdPlace = "body" | "query";

/**
 * * `S256`: The process sends a challenge with SHA-256.
 * * `S256-hex`: Like `S256`, but in hexadecimal digits, which differ from RFC 7636.
 * * `off`: The process sends no challenge.
 * * `required`: Like `S256`, but a description over the preset cannot switch it off.
 */
export type CodeChallenge = "S256" | "S256-hex" | "off" | "required";

export interface ConfigurationInvalidData {
  /** The error's kind. */
  readonly kind: "configurationInvalid";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The JSON pointer of the faulty member, or the option that is missing. */
  readonly path?: string;
  /** The file with the fault. */
  readonly file?: string;
  /** The known names, if the given one is unknown. */
  readonly known?: ReadonlyArray<string>;
  /** The names of `variables` that the provider's description needs. */
  readonly missing?: ReadonlyArray<string>;
}

export interface CredentialPlace {
  /** The scheme in the `Authorization` header, such as `OAuth`. It replaces the token's type. */
  readonly scheme?: string;
  /** The header that carries the bare token. It replaces `Authorization`. */
  readonly header?: string;
  /** The query parameter that carries the token. It replaces the header. */
  readonly query?: string;
}

export interface Deviation {
  /** The member of the provider's description. */
  readonly member: string;
  /** The member's value. */
  readonly value: unknown;
  /** The reason for the deviation. */
  readonly reason?: string;
  /** Whether no source confirms the fact. */
  readonly unconfirmed?: boolean;
}

export interface DiagnoseResult {
  /** The versions of the program and its libraries. */
  readonly program: string;
  /** What was found, in the order of a sign-in. */
  readonly findings: ReadonlyArray<Finding>;
}

export interface DryRun {
  /** The page that would open. It is absent if only a response of the provider tells it. */
  readonly url?: string;
  /** The redirect URI. */
  readonly redirectUri?: string;
  /** The requests in their order. Words in capitals stand for values that only the provider knows. */
  readonly requests: ReadonlyArray<DryRunRequest>;
}

export interface DryRunRequest {
  /** The purpose of the request. */
  readonly step: string;
  /** The request's HTTP method. */
  readonly method: string;
  /** The request's URL. */
  readonly url: string;
  /** The request's headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The request's body. */
  readonly body?: string;
  /** OAuth 1.0a: the text that the request signs, with masked secrets (RFC 5849, 3.4.1). */
  readonly baseString?: string;
}

export interface Empty {
}

export interface EnvelopePlaces {
  /**
   * The dotted path of a member that shows an error even if the status is 200. The value is then `false`, or a string other than `ok` and
   * `success`.
   */
  readonly success?: string | ReadonlyArray<string>;
  /** The dotted path of the error's code. */
  readonly code?: string | ReadonlyArray<string>;
  /** The dotted path of the error's text. */
  readonly message?: string | ReadonlyArray<string>;
  /** The dotted path of the requested data. */
  readonly results?: string | ReadonlyArray<string>;
  /** The dotted path of further details of the error. */
  readonly details?: string | ReadonlyArray<string>;
}

export interface ErrorInResponseWithBody {
  /** The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps. */
  readonly seq: number;
  /** The account's name. */
  readonly account?: string;
  /** The ID of the request that caused the event. */
  readonly request?: unknown;
  /** The HTTP status. */
  readonly status: number;
  /** The body. */
  readonly body?: string;
  /** The encoding of the body. */
  readonly bodyEncoding?: BodyEncoding;
  /** The body as JSON, if the caller wanted it and every client can parse it. */
  readonly json?: unknown;
  /** The reason why there is no `json` although the caller wanted it. */
  readonly jsonOmitted?: string;
  /** The file with the body. */
  readonly savedTo?: string;
}

export interface ErrorOccuredWithShortDescription {
  /** The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps. */
  readonly seq: number;
  /** The account's name. */
  readonly account?: string;
  /** The ID of the request that caused the event. */
  readonly request?: unknown;
  /** The kind of failure as a sentence. */
  readonly shortDescription: string;
  /** This failure as a sentence. */
  readonly errorDetails: string;
  /** The error's kind. A rejected notification may also have `methodNotFound`, `invalidParams`, `invalidRequest` or `internalError`. */
  readonly kind: string;
}

export interface ErrorPlaces {
  /**
   * The dotted path of a member that shows an error even if the status is 200. The value is then `false`, or a string other than `ok` and
   * `success`.
   */
  readonly success?: string | ReadonlyArray<string>;
  /** The dotted path of the error's code. The values 0, "" and null mean that there is no error. */
  readonly code?: string | ReadonlyArray<string>;
  /** The dotted path of the error's text. */
  readonly message?: string | ReadonlyArray<string>;
  /**
   * Codes that end the login with any status, such as 200, with which `invalid_grant` ends it, too. Other errors end it with status 400,
   * 401 or 403 if they are about neither the server nor the client. The status is the code of a response without a body. Default: `[]`.
   */
  readonly refused?: ReadonlyArray<string>;
}

export interface ExpiredSign {
  /** The HTTP statuses that report an expired token. Default: `[401]`. */
  readonly statuses?: ReadonlyArray<number>;
  /** The API's own error codes that report an expired token. `apiErrors.code` is their place. Default: `[]`. */
  readonly codes?: ReadonlyArray<string>;
  /**
   * Whether these statuses always mean that the token has ended. Otherwise only `error="invalid_token"` and the codes do. Default: `false`.
   */
  readonly certain?: boolean;
}

/**
 * * `never`: The token does not expire.
 * * `expired`: The token has expired.
 */
export type ExpiresZero = "never" | "expired";

export interface ExportGrantResult {
  /** The account's name. */
  readonly account: string;
  /** The format of the data for `importGrant`. */
  readonly format: ImportFormat;
  /** The token response. A program that has it can use the account. */
  readonly data: unknown;
  /** The ID of the client with the grant. */
  readonly clientId: string;
  /** The provider's name for users. */
  readonly provider?: string;
  /** The provider's name for `importGrant`, if it has one. */
  readonly preset?: string;
  /** The provider's description for `importGrant`. */
  readonly description: unknown;
}

export interface Finding {
  /** What was looked at, such as `clock`. */
  readonly check: string;
  /** The result. */
  readonly state: FindingState;
  /** What was found. */
  readonly message: string;
  /** What the user can do. */
  readonly advice?: string;
}

/**
 * * `ok`: Nothing is wrong.
 * * `warning`: It may be wrong, or it could not be checked.
 * * `failed`: A sign-in or a request fails because of it.
 */
export type FindingState = "ok" | "warning" | "failed";

/**
 * * `auto`: The process chooses the browser. It chooses the device flow if the provider has one, there is no browser, and the client
 * neither opens the page nor sets `redirectUri`. An account with a token for the client itself keeps its flow.
 * * `browser`: The user signs in on a page that redirects to this process or to the client.
 * * `device`: The user types a code on a page of any device (RFC 8628).
 * * `clientCredentials`: The client gets a token for itself (RFC 6749, 4.4).
 * * `jwtBearer`: The client exchanges an assertion, or signs one with its key (RFC 7523, 2.1).
 * * `tokenExchange`: The client exchanges a token of another service (RFC 8693).
 * * `identityAssertion`: The client exchanges the ID token of another account for an assertion, and that for a token (the draft of identity
 * assertion grants).
 */
export type Flow = "auto" | "browser" | "device" | "clientCredentials" | "jwtBearer" | "tokenExchange" | "identityAssertion";

export type HTTPMethod = "POST" | "GET";

export interface HandleRedirectResult {
  /** Whether the URL or code belonged to an open sign-in. That sign-in has now ended, with or without success. */
  readonly handled: boolean;
  /** The reason why the URL or code was useless, as a sentence for the user. */
  readonly reason?: string;
}

/**
 * * `ifNeeded`: The process asks the user if there is no usable grant.
 * * `never`: The process never asks the user.
 */
export type HostCredentialInteraction = "ifNeeded" | "never";

export interface HostCredentialResult {
  /** The account's name. */
  readonly account: string;
  /** The user name that the host wants. */
  readonly username: string;
  /** The access token. A program that has it can use the account. */
  readonly password: string;
  /** When the access token expires, in Unix seconds. */
  readonly expiresAt?: number;
}

export interface HostNotAllowedData {
  /** The error's kind. */
  readonly kind: "hostNotAllowed";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The host that requests or the token must not go to, in the form of `apiHosts`. */
  readonly host?: string;
  /** The hosts that the token may go to. */
  readonly allowed?: ReadonlyArray<string>;
}

/**
 * * `git`: Git. The provider's `gitHosts` name its hosts.
 * * `registry`: A container registry's client. The provider's `registryHosts` name its hosts.
 * * `api`: A client of another server, such as an index of packages. Its hosts are those to which `callAPI` sends the token.
 */
export type HostUse = "git" | "registry" | "api";

export type IDTokenAlgorithm = "HS256" | "HS384" | "HS512";

/**
 * * `gtmoauth`: GTMOAuth's keychain string: `oauth_token=…&oauth_token_secret=…&…`.
 * * `gtmoauth2`: GTMOAuth2's keychain string: `refresh_token=…&serviceProvider=…&…`.
 * * `googleoauth`: The texts of GoogleOAuth's files `acctok` and `reftok`.
 * * `spark`: SparkAPI's keychain keys `sparkAccessToken`, `sparkRefreshToken` and `sparkOpenId`.
 * * `json`: A token response (RFC 6749, 5.1), or an access token by itself. The files of gcloud (`application_default_credentials.json`),
 * google-auth, oidc-agent (`oidc-gen -p`) and rclone are read whole: the tokens, their end, the scopes, the client with its secret, and the
 * provider.
 * * `refreshToken`: A refresh token by itself.
 */
export type ImportFormat = "gtmoauth" | "gtmoauth2" | "googleoauth" | "spark" | "json" | "refreshToken";

export interface InitializeResult {
  /** The version of this protocol. */
  readonly protocolVersion: number;
  /** The name and version of this program. */
  readonly serverInfo: ServerInfo;
  /** The capabilities of this process. */
  readonly capabilities: Capabilities;
  /** The limits that the user who started the process has set. No method changes them. */
  readonly limits?: LimitState;
}

export interface InsufficientScopeData {
  /** The error's kind. */
  readonly kind: "insufficientScope";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The missing scopes. The list is empty if the service does not name them. */
  readonly scopes?: ReadonlyArray<string>;
  /** The claims that the service demands of the sign-in: a JSON object as text. `stepUp` sends them. */
  readonly claims?: string;
  /** The HTTP status. */
  readonly httpStatus?: number;
  /** The response's headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, unless `json` has it. */
  readonly body?: string;
  /** The encoding of the body. */
  readonly bodyEncoding?: BodyEncoding;
  /** The body as JSON, if the caller wanted it and every client can parse it. */
  readonly json?: unknown;
  /** The reason why there is no `json` although the caller wanted it. */
  readonly jsonOmitted?: string;
  /** The number of times that the process sent the request, without redirects and without what libcurl repeats by itself. */
  readonly attempts?: number;
  /** The seconds after which the service accepts calls again. */
  readonly retryAfter?: number;
  /** The service's own code, or -1 if the place in the provider's description is empty. */
  readonly code?: unknown;
  /** The service's own message. */
  readonly serviceMessage?: string;
  /** The service's own details, as JSON. */
  readonly serviceDetails?: unknown;
}

export interface InsufficientUserAuthenticationData {
  /** The error's kind. */
  readonly kind: "insufficientUserAuthentication";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The ways of signing in that the service accepts. An empty list accepts any. */
  readonly acrValues?: ReadonlyArray<string>;
  /** The greatest age of the sign-in, in seconds. */
  readonly maxAge?: number;
  /** The claims that the service demands of the sign-in: a JSON object as text. `stepUp` sends them. */
  readonly claims?: string;
  /** The HTTP status. */
  readonly httpStatus?: number;
  /** The response's headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, unless `json` has it. */
  readonly body?: string;
  /** The encoding of the body. */
  readonly bodyEncoding?: BodyEncoding;
  /** The body as JSON, if the caller wanted it and every client can parse it. */
  readonly json?: unknown;
  /** The reason why there is no `json` although the caller wanted it. */
  readonly jsonOmitted?: string;
  /** The number of times that the process sent the request, without redirects and without what libcurl repeats by itself. */
  readonly attempts?: number;
  /** The seconds after which the service accepts calls again. */
  readonly retryAfter?: number;
  /** The service's own code, or -1 if the place in the provider's description is empty. */
  readonly code?: unknown;
  /** The service's own message. */
  readonly serviceMessage?: string;
  /** The service's own details, as JSON. */
  readonly serviceDetails?: unknown;
}

/**
 * * `ifNeeded`: The process asks the user if there is no usable grant.
 * * `never`: The process never asks the user.
 * * `always`: The process always asks the user. A different user may sign in.
 */
export type Interaction = "ifNeeded" | "never" | "always";

export interface IntrospectResult {
  /** The account's name. */
  readonly account: string;
  /** Whether the access token is usable. */
  readonly active: boolean;
  /** The server's own object, unchanged. */
  readonly claims: unknown;
}

/**
 * * `accounts`: The client may use some accounts only.
 * * `allow`: The client may call some methods only.
 * * `read-only`: No sign-in, revocation or import, and API calls with the HTTP methods GET and HEAD only.
 * * `no-tokens`: No method returns a credential.
 * * `allow-call`: API calls with some methods to some URLs only.
 * * `files`: Files below one folder only.
 * * `known-providers`: Providers of presets, provider files and the configuration only.
 */
export type LimitRule = "accounts" | "allow" | "read-only" | "no-tokens" | "allow-call" | "files" | "known-providers";

export interface LimitState {
  /** The client may use some accounts only. */
  readonly accounts?: ReadonlyArray<string>;
  /** The client may call some methods only. */
  readonly allow?: ReadonlyArray<string>;
  /** No sign-in, revocation or import, and API calls with the HTTP methods GET and HEAD only. */
  readonly readOnly?: boolean;
  /** No method returns a credential. */
  readonly noTokens?: boolean;
  /** The allowed API calls. Each list must have a rule for a call. */
  readonly allowCall?: ReadonlyArray<ReadonlyArray<string>>;
  /** Files below one folder only. */
  readonly files?: string;
  /** Providers of presets, provider files and the configuration only. */
  readonly knownProviders?: boolean;
  /** The set of limits in the configuration. */
  readonly profile?: string;
}

/**
 * * `noGrant`: The account has no grant.
 * * `refreshRefused`: The provider rejected the refresh token.
 * * `scopesMissing`: The grant lacks requested scopes.
 * * `expired`: The access token has expired and cannot be refreshed.
 * * `issuerChanged`: The API names another authorization server than that of the grant.
 * * `clientRejected`: The provider rejected the client that this program registered. The next sign-in registers another.
 */
export type NeededSignInReason = "noGrant" | "refreshRefused" | "scopesMissing" | "expired" | "issuerChanged" | "clientRejected";

export interface NetworkFailureData {
  /** The error's kind. */
  readonly kind: "networkFailure";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The host that could not be reached. */
  readonly host?: string;
  /**
   * The cause: `resolve`, `connect`, `proxy`, `tls`, `protocol`, `broken`, `redirects`, `cancelled`, `loopback`, `descriptors`, `libcurl`
   * or `clientCertificate`.
   */
  readonly cause?: string;
}

export interface NotAllowedData {
  /** The error's kind. */
  readonly kind: "notAllowed";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The limit, by the name of its option. */
  readonly rule: LimitRule;
}

/**
 * * `standard`: The request follows the specification.
 * * `bare`: The request has no namespaces, realm and identity.
 */
export type OpenIDDialect = "standard" | "bare";

export type OpenRPCDocument = Readonly<Record<string, unknown>>;

export interface OtherTokenOptions {
  /**
   * The request that brings a token with some of the login's scopes. Without it, a refresh does while the server keeps the refresh token.
   */
  readonly scopes?: OtherTokenWay | OtherTokenRefresh;
  /** The request that brings a token for another resource (RFC 8707). Without it, the process asks for none. */
  readonly resource?: OtherTokenWay | OtherTokenRefresh;
  /** The request that brings a token for another audience. Without it, the process asks for none. */
  readonly audience?: OtherTokenWay | OtherTokenRefresh;
}

export interface OtherTokenParameter {
  /** The parameter's name. */
  readonly parameter: string;
  /** Its value, in which `{resource}` or `{audience}` is what was asked. Without it, that alone. */
  readonly value?: string;
}

export interface OtherTokenRefresh {
  /** The server's own parameter. */
  readonly refresh: OtherTokenParameter;
}

/**
 * * `refresh`: A refresh (RFC 6749, 6; RFC 8707, 2.2).
 * * `exchange`: An exchange of the login's access token (RFC 8693).
 */
export type OtherTokenWay = "refresh" | "exchange";

export interface Pagination {
  /** The way to the next page. */
  readonly style: PaginationStyle;
  /** The dotted path of the next page's cursor, or of its whole URL. The style `cursor` needs it. */
  readonly cursor?: string | ReadonlyArray<string>;
  /** The query parameter for the cursor, the offset or the page number. The styles `offset` and `page` need it. */
  readonly parameter?: string;
  /** The dotted path of the page's items, whose number moves the offset. Without it, the whole response is the list of items. */
  readonly items?: string | ReadonlyArray<string>;
  /** The dotted path of the current page's number. The style `page` needs it. */
  readonly current?: string | ReadonlyArray<string>;
  /** The dotted path of the number of pages. The style `page` needs it. */
  readonly total?: string | ReadonlyArray<string>;
}

/**
 * * `link`: A `Link` header names the next page (RFC 8288).
 * * `cursor`: The response has a cursor or the URL of the next page.
 * * `offset`: The request names the number of items read so far.
 * * `page`: The request names the page number, and the response has the number of pages.
 */
export type PaginationStyle = "link" | "cursor" | "offset" | "page";

export type ParameterFormat = "form" | "json";

/**
 * * `atRoot`: The path starts at the root of the host (RFC 3986, 5.2.2).
 * * `underBase`: The path lies under `apiBase`.
 */
export type PathJoin = "atRoot" | "underBase";

export interface PortInUseData {
  /** The error's kind. */
  readonly kind: "portInUse";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The port that is in use. */
  readonly port?: number;
}

export interface ProgressWasMade {
  /** The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps. */
  readonly seq: number;
  /** The account's name. */
  readonly account?: string;
  /** The ID of the request that caused the event. */
  readonly request?: unknown;
  /** The number of sent bytes. */
  readonly sent: number;
  /** The number of received bytes. */
  readonly received: number;
  /** The number of expected bytes, if the service tells it. */
  readonly total?: number;
}

/**
 * * `oauth2`: OAuth 2.0 (RFC 6749), with OpenID Connect.
 * * `oauth1`: OAuth 1.0a (RFC 5849).
 * * `openid2`: OpenID Authentication 2.0.
 */
export type ProtocolName = "oauth2" | "oauth1" | "openid2";

export interface Provider {
  /** The URL of the schema with which an editor checks a provider's file. */
  readonly "$schema"?: string;
  /** The provider's name for users. Without it, the preset's name or the host is used. */
  readonly name?: string;
  /**
   * The preset that the description starts from. Every other member overrides the preset's. A default applies only if the preset lacks the
   * member too.
   */
  readonly preset?: string;
  /** The protocol that the provider uses. Default: `"oauth2"`. */
  readonly protocol?: ProtocolName;
  /**
   * The issuer's identifier. The `iss` of an ID token and of a redirect must equal it (RFC 9207). In a preset or a provider file,
   * `{tenantid}` in its path stands for the ID token's claim `tid`.
   */
  readonly issuer?: string;
  /**
   * An issuer or a protected resource that publishes its endpoints (RFC 8414, RFC 9728). The members of this description override what it
   * publishes.
   */
  readonly discovery?: string;
  /** The page where the user signs in (RFC 6749, 3.1). If the URL has a path as its fragment, the parameters follow the fragment. */
  readonly authorizationEndpoint?: string;
  /** The URL that exchanges codes and refresh tokens (RFC 6749, 3.2). */
  readonly tokenEndpoint?: string;
  /** The URL that returns the state of a token (RFC 7662). */
  readonly introspectionEndpoint?: string;
  /** The URL that returns claims about the user (OpenID Connect Core, 5.3). */
  readonly userInfoEndpoint?: string;
  /** The dotted path of the object with the claims in the response of `userInfoEndpoint`. */
  readonly userInfoPath?: string | ReadonlyArray<string>;
  /** The URL that issues device codes (RFC 8628). */
  readonly deviceAuthorizationEndpoint?: string;
  /** The URL where a client registers itself (RFC 7591). */
  readonly registrationEndpoint?: string;
  /** The URL that takes pushed authorization requests (RFC 9126). */
  readonly pushedAuthorizationRequestEndpoint?: string;
  /**
   * The endpoints for a client with a certificate, by the names of the members that they replace: `{"tokenEndpoint": "https://…"}` (RFC
   * 8705, 5). Default: `{}`.
   */
  readonly mtlsEndpoints?: Readonly<Record<string, string>>;
  /** The URL of the issuer's public keys (RFC 7517). */
  readonly jwksUri?: string;
  /**
   * Algorithms of ID tokens that the client's secret signs, besides those with the issuer's public keys (OpenID Connect Core, 10.1).
   * Default: `[]`.
   */
  readonly idTokenAlgorithms?: ReadonlyArray<IDTokenAlgorithm>;
  /** The page where people register a client. Errors name it. */
  readonly registrationPage?: string;
  /** The scopes that the process requests if the caller names none. Default: `[]`. */
  readonly scopes?: ReadonlyArray<string>;
  /** The text between two scopes. Default: `" "`. */
  readonly scopeSeparator?: string;
  /** The parameter that carries the scopes. With `none`, no parameter carries them. Default: `"scope"`. */
  readonly scopeParameter?: string;
  /** Whether the process sends a code challenge (RFC 7636). Default: `"S256"`. */
  readonly pkce?: CodeChallenge;
  /** Extra parameters of the authorization request. Default: `{}`. */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  /** The fragment that follows the parameters in the URL of the authorization page. */
  readonly authorizationFragment?: string;
  /** The standard names of errors in the redirect (RFC 6749, 4.1.2.1), by the provider's own names. Default: `{}`. */
  readonly redirectErrorNames?: Readonly<Record<string, string>>;
  /**
   * The provider's names of standard parameters in authorization, token and refresh requests. An empty name leaves the parameter out.
   * Default: `{}`.
   */
  readonly parameterNames?: Readonly<Record<string, string>>;
  /** The redirect's parameter with the code. Default: `"code"`. */
  readonly codeParameter?: string;
  /**
   * The parameter with the process's `state` in the authorization request and in the redirect. It identifies the redirect. Default:
   * `"state"`.
   */
  readonly stateParameter?: string;
  /**
   * Parameters of the redirect that the process stores with the account. Later endpoints and `apiHeaders` may contain them as {name}.
   * Default: `[]`.
   */
  readonly callbackMembers?: ReadonlyArray<string>;
  /** Whether a redirect must have `iss` (RFC 9207, 2.4). Default: `"optional"`. */
  readonly redirectIssuer?: RedirectIssuer;
  /**
   * Whether the process pushes the authorization request to the provider before the page opens (RFC 9126). The page then works for some
   * minutes only, as the provider decides. Default: `"off"`.
   */
  readonly pushedAuthorizationRequests?: Switch;
  /** Members of the client's own registration (RFC 7591, 2), such as `client_name` or `contacts`. Default: `{}`. */
  readonly registrationParameters?: Readonly<Record<string, unknown>>;
  /** The format of the client's own registration. Default: `"json"`. */
  readonly registrationFormat?: RegistrationFormat;
  /** Whether the process sends a `resource` among the parameters and repeats it at the token endpoint (RFC 8707). Default: `"on"`. */
  readonly resourceIndicator?: Switch;
  /** `authorize` signs in again within this many seconds before the end of a token that cannot be refreshed. Default: `0`. */
  readonly signInAgainWithin?: number;
  /** Scopes that the provider grants under a name other than the requested one. They do not count as missing. Default: `{}`. */
  readonly scopeAliases?: Readonly<Record<string, string>>;
  /** How the process compares requested and granted scopes. Default: `"exact"`. */
  readonly scopeCase?: ScopeCase;
  /** A beginning that a scope may have or lack, such as the URL of the provider's own API. Default: `""`. */
  readonly scopePrefix?: string;
  /**
   * Whether the process sends a nonce with the scope `openid`. The ID token must then repeat it. Some providers do not repeat it. Default:
   * `"on"`.
   */
  readonly nonce?: Switch;
  /**
   * Parameters of a second authorization request. The process sends it if it requested a refresh token, received none and has none stored.
   * Default: `{}`.
   */
  readonly consentRetry?: Readonly<Record<string, string>>;
  /** The authentication of a client with a secret or a key (RFC 6749, 2.3.1; RFC 7523, 2.2). Default: `"basic"`. */
  readonly clientAuthentication?: ClientAuthentication;
  /** The format of the parameters in token and refresh requests. Default: `"form"`. */
  readonly bodyFormat?: BodyFormat;
  /** The HTTP method of token requests. Default: `"POST"`. */
  readonly tokenMethod?: HTTPMethod;
  /** The headers that sign token and refresh requests with the client's secret. They replace `clientAuthentication`. */
  readonly requestSignature?: RequestSignature;
  /**
   * Whether the process binds the tokens to a key of its own, which each use of a token proves (DPoP, RFC 9449). It also does so if the
   * server demands it. A change counts at the next sign-in, and without a user at the next refresh. Only `false` in `authorize` or in an
   * account ends a binding. Default: `false`.
   */
  readonly dpop?: boolean;
  /** Extra headers of token, refresh and revocation requests. Default: `{}`. */
  readonly tokenHeaders?: Readonly<Record<string, string>>;
  /** Extra parameters of the request that exchanges a code or a device code. Default: `{}`. */
  readonly tokenParameters?: Readonly<Record<string, string>>;
  /** The `grant_type` of a token for the client itself (RFC 6749, 4.4). Default: `"client_credentials"`. */
  readonly clientGrantType?: string;
  /** The URL that refreshes tokens. Without it, the token endpoint does. */
  readonly refreshEndpoint?: string;
  /** The HTTP method of refresh requests. Without it, `tokenMethod` applies. */
  readonly refreshMethod?: HTTPMethod;
  /** The client's authentication in refresh requests. Without it, `clientAuthentication` applies. */
  readonly refreshAuthentication?: ClientAuthentication;
  /** The token that a refresh exchanges. Default: `"refreshToken"`. */
  readonly refreshStyle?: RefreshStyle;
  /** The `grant_type` of refresh requests. Default: `"refresh_token"`. */
  readonly refreshGrantType?: string;
  /**
   * The parameter with the token that a refresh exchanges. With `none`, no parameter carries a token, and the client's signature identifies
   * the account. Default: `"refresh_token"`.
   */
  readonly refreshTokenParameter?: string;
  /** Extra parameters of refresh requests. Default: `{}`. */
  readonly refreshParameters?: Readonly<Record<string, string>>;
  /** Whether the client may use a refresh token more than once. Default: `"repeated"`. */
  readonly refreshTokenUse?: RefreshTokenUse;
  /**
   * The process renews an access token within this many seconds before its end, if only a valid token can be renewed. It never renews in
   * the first half of the token's life. 0 means just before the end. Default: `0`.
   */
  readonly renewWithin?: number;
  /** Whether the exchange of a code repeats the redirect URI. Default: `true`. */
  readonly sendsRedirectUriWithCode?: boolean;
  /** Whether a refresh repeats the redirect URI. Default: `false`. */
  readonly sendsRedirectUriOnRefresh?: boolean;
  /** Whether a refresh names the granted scopes. Default: `false`. */
  readonly sendsScopesOnRefresh?: boolean;
  /**
   * The audience of the client's assertions: `issuer`, `tokenEndpoint`, or a URI. `tokenEndpoint` stands for the URL that a request goes
   * to: the token endpoint for tokens, and for example the revocation endpoint for a revocation. Default: `"issuer"`.
   */
  readonly assertionAudience?: string;
  /** The header `typ` of the client's assertions. Default: `"client-authentication+jwt"`. */
  readonly assertionType?: AssertionType;
  /** The place of the assertion in a token request with the flow `jwtBearer`. Default: `"body"`. */
  readonly assertionPlacement?: AssertionPlacement;
  /** How the process gets another token of a login: with some of its scopes, or for another resource or audience of the same server. */
  readonly otherTokens?: OtherTokenOptions;
  /** The URL that exchanges the access token of a sign-in for a long-lived one. Without it, the token endpoint does. */
  readonly longLivedEndpoint?: string;
  /** The HTTP method of the exchange. Without it, `tokenMethod` applies. */
  readonly longLivedMethod?: HTTPMethod;
  /**
   * The `grant_type` with which the process exchanges the access token of a sign-in for a long-lived one. Without it, there is no such
   * exchange.
   */
  readonly longLivedGrantType?: string;
  /** The parameter of the exchange with the token. Default: `"access_token"`. */
  readonly longLivedTokenParameter?: string;
  /** The dotted path of the object with the token members, such as `data` or `authed_user`. */
  readonly tokenPath?: string | ReadonlyArray<string>;
  /** The dotted paths of standard members in token responses, from the top of the response. Default: `{}`. */
  readonly memberNames?: Readonly<Record<string, string | ReadonlyArray<string>>>;
  /** The access token's type. It overrides the response's `token_type`. */
  readonly tokenType?: string;
  /** The access token's type if the response has no `token_type`. Default: `"Bearer"`. */
  readonly tokenTypeDefault?: string;
  /** The meaning of 0 in `expires_in`. If a response has no `expires_in`, the process reads `expires_at`. Default: `"never"`. */
  readonly expiresZero?: ExpiresZero;
  /** The lifetime of an access token in seconds, if the response does not name it. */
  readonly expiresDefault?: number;
  /** The places of errors in token responses, including responses with status 200. Without it, RFC 6749, 5.2 applies. */
  readonly tokenErrors?: ErrorPlaces;
  /**
   * The dotted paths of members of token responses that the process stores with the account. `apiBase` and `apiHeaders` may contain them as
   * {name}, by the last part of their path. Default: `[]`.
   */
  readonly tokenMembers?: ReadonlyArray<string | ReadonlyArray<string>>;
  /** A request after the sign-in. Its response contains values that later URLs and headers need, such as a tenant. */
  readonly afterSignIn?: AccountLookup;
  /**
   * The base of relative URLs in `callAPI` (RFC 3986, 5.2). Without a slash at its end, a relative URL replaces its last part. It may
   * contain {names}.
   */
  readonly apiBase?: string;
  /** The meaning of a `url` of `callAPI` that starts with a slash. Default: `"atRoot"`. */
  readonly apiPathJoin?: PathJoin;
  /** The hosts that receive the token. Without this list, they are the hosts of `apiBase` and of the endpoints. */
  readonly apiHosts?: ReadonlyArray<string>;
  /** Headers of every API call. They may contain {names}. The caller's headers override them. Default: `{}`. */
  readonly apiHeaders?: Readonly<Record<string, string>>;
  /**
   * The hosts that an endpoint or `apiBase` may have if a {name} in it comes from the redirect or from the token response. Default: `[]`.
   */
  readonly endpointHosts?: ReadonlyArray<string>;
  /** The hosts whose Git repositories accept the access token as a password. Default: `[]`. */
  readonly gitHosts?: ReadonlyArray<string>;
  /** The user name to send with the token. Default: `"oauth2"`. */
  readonly gitUserName?: string;
  /** The hosts of container registries that accept the access token as a password. Default: `[]`. */
  readonly registryHosts?: ReadonlyArray<string>;
  /** The user name to send with the token. Default: `"oauth2"`. */
  readonly registryUserName?: string;
  /** The place of the access token in API calls. Without it, the token is in the `Authorization` header with its type. */
  readonly apiCredential?: CredentialPlace;
  /** The places of success, error and results in the API's JSON. */
  readonly apiErrors?: EnvelopePlaces;
  /** The signs of an expired access token. */
  readonly expired?: ExpiredSign;
  /** The format of `parameters` of `callAPI` with POST, PUT and PATCH. Default: `"form"`. */
  readonly parameterFormat?: ParameterFormat;
  /** The headers that report rate limits. `Retry-After` is always read. */
  readonly rateLimit?: RateLimitHeaders;
  /** The way in which the API points to the next page. */
  readonly pagination?: Pagination;
  /** The loopback host of redirects: `127.0.0.1`, `[::1]` or `localhost`. Without it, the process uses `127.0.0.1`. */
  readonly redirectHost?: string;
  /** The path of loopback redirects. Without it, the process uses `/callback`. */
  readonly redirectPath?: string;
  /** The ports of loopback redirects, in the order in which the process tries them. Without them, it uses any free port. Default: `[]`. */
  readonly redirectPorts?: ReadonlyArray<number>;
  /** The redirect URIs that the provider accepts. Default: `"anyPort"`. */
  readonly redirectPolicy?: RedirectPolicy;
  /**
   * The URL that revokes tokens (RFC 7009). It may contain {clientId}. With the styles `get` and `query`, its path or query may contain
   * {accessToken}.
   */
  readonly revocationEndpoint?: string;
  /** The form of a revocation request. Without it, an endpoint uses `rfc7009`. */
  readonly revocationStyle?: RevocationStyle;
  /** The tokens that the process sends for revocation. Default: `"both"`. */
  readonly revocationToken?: RevocationTokens;
  /** The parameter or JSON member with the token. Without it, the name is `token`, or `access_token` with the style `deleteWithBasic`. */
  readonly revocationTokenParameter?: string;
  /**
   * Extra parameters of revocation requests with the style `rfc7009`. They may contain {accessToken}, the token to revoke. Default: `{}`.
   */
  readonly revocationParameters?: Readonly<Record<string, string>>;
  /**
   * The page that ends the provider's session in the browser (OpenID Connect RP-Initiated Logout 1.0). `signOut` and `revoke` return it for
   * the client to open.
   */
  readonly endSessionEndpoint?: string;
  /**
   * The parameters of the logout page. They may contain {clientId}, {email} and {subject}. The process leaves out a parameter whose value
   * is unknown. Default: `{"client_id": "{clientId}", "logout_hint": "{email}"}`.
   */
  readonly endSessionParameters?: Readonly<Record<string, string>>;
  /** Extra parameters of the device authorization request. Default: `{}`. */
  readonly deviceParameters?: Readonly<Record<string, string>>;
  /** The provider's names of standard parameters in the device authorization request, such as `scope`. Default: `{}`. */
  readonly deviceParameterNames?: Readonly<Record<string, string>>;
  /** The dotted paths of standard members in the device authorization response. Default: `{}`. */
  readonly deviceMemberNames?: Readonly<Record<string, string | ReadonlyArray<string>>>;
  /** The place of the client's ID in the device authorization request. Default: `"body"`. */
  readonly deviceClientIdIn?: ClientIdPlace;
  /** The `grant_type` of a device code (RFC 8628, 3.4). Default: `"urn:ietf:params:oauth:grant-type:device_code"`. */
  readonly deviceGrantType?: string;
  /** Whether the process sends the user's code to the token endpoint. Default: `false`. */
  readonly sendsUserCode?: boolean;
  /** The standard names of errors (RFC 8628, 3.5), by the provider's own names. Default: `{}`. */
  readonly deviceErrorNames?: Readonly<Record<string, string>>;
  /** OAuth 1.0a: the URL of temporary credentials (RFC 5849, 2.1). */
  readonly requestTokenEndpoint?: string;
  /** OAuth 1.0a: the URL of token credentials (RFC 5849, 2.3). */
  readonly accessTokenEndpoint?: string;
  /** OAuth 1.0a: the method that signs requests (RFC 5849, 3.4). Default: `"HMAC-SHA1"`. */
  readonly signatureMethod?: SignatureMethod;
  /** OAuth 1.0a: the client's RSA key in PEM. */
  readonly privateKey?: string;
  /** OAuth 1.0a: the place of the protocol's parameters (RFC 5849, 3.5). Default: `"header"`. */
  readonly signaturePlacement?: SignaturePlacement;
  /** OAuth 1.0a: the realm in the `Authorization` header (RFC 5849, 3.5.1). */
  readonly realm?: string;
  /** OAuth 1.0a: the HTTP method of both token requests. Default: `"POST"`. */
  readonly tokenRequestMethod?: HTTPMethod;
  /** OAuth 1.0a: extra parameters of the request for temporary credentials. Default: `{}`. */
  readonly requestTokenParameters?: Readonly<Record<string, string>>;
  /** OAuth 1.0a: the step that sends the scopes, as `scopeParameter`. Default: `"requestToken"`. */
  readonly scopeStep?: ScopeStep;
  /** OAuth 1.0a: whether the response with temporary credentials must confirm the callback (RFC 5849, 2.1). Default: `"required"`. */
  readonly oauthCallbackConfirmed?: CallbackConfirmation;
  /** OpenID 2.0: the provider's endpoint. The process discovers none. */
  readonly openidEndpoint?: string;
  /**
   * OpenID 2.0: the start of the provider's own claimed identifiers, which one plain segment must follow. The dialect `standard` needs it,
   * because the process looks up no identifier (11.2).
   */
  readonly openidClaimedIds?: string;
  /** OpenID Attribute Exchange 1.0: the requested attributes. */
  readonly openidAttributes?: AttributeExchange;
  /** OpenID 2.0: extra parameters of the request. Default: `{}`. */
  readonly openidParameters?: Readonly<Record<string, string>>;
  /** OpenID with OAuth: the parameter with the client's ID. Its name starts with `openid.`. */
  readonly openidClientParameter?: string;
  /**
   * OpenID with OAuth: the parameter with the process's `state` in the request and in the response. Without it, `return_to` carries the
   * state.
   */
  readonly openidStateParameter?: string;
  /** OpenID with OAuth: the response's parameter with a code to exchange. */
  readonly openidCodeParameter?: string;
  /** OpenID 2.0: the form of the request. Default: `"standard"`. */
  readonly openidDialect?: OpenIDDialect;
  /** Values for {names} in the endpoints, such as a tenant or a host. Default: `{}`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Further values for {names}, by the value of `host`: a host, `*.` and a domain, or `*` for any other. The first that fits counts. */
  readonly variablesByHost?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The reason for each deviation, by member name. Default: `{}`. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** Members whose facts no source confirms. Default: `[]`. */
  readonly unconfirmed?: ReadonlyArray<string>;
  /**
   * Where facts come from: a document or a list, with its date, and the members whose facts it states. `*` stands for all members that
   * neither another source nor `unconfirmed` has. Default: `{}`.
   */
  readonly sources?: Readonly<Record<string, ReadonlyArray<string>>>;
}

export interface ProviderResult {
  /** The provider's name for users. */
  readonly name: string;
  /** The preset that the description starts from. */
  readonly preset?: string;
  /** The provider's protocol. */
  readonly protocol: ProtocolName;
  /** The issuer's identifier. */
  readonly issuer?: string;
  /** The URLs of the endpoints, by name. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** The base of relative URLs. */
  readonly apiBase?: string;
  /** The hosts that receive the token. */
  readonly apiHosts?: ReadonlyArray<string>;
  /**
   * The loopback URI to register. With `anyPort`, PORT stands for any free port. With `pinnedPort`, the user chooses the port, and
   * `authorize` needs the URI.
   */
  readonly redirectUri?: string;
  /** The redirect URIs that the provider accepts. */
  readonly redirectPolicy: RedirectPolicy;
  /** The page where people register a client. */
  readonly registrationPage?: string;
  /** The scopes that the process requests if the caller names none. */
  readonly scopes: ReadonlyArray<string>;
  /** The members in which the provider deviates from the specification. */
  readonly deviations: ReadonlyArray<Deviation>;
  /** Members whose facts no source confirms. */
  readonly unconfirmed: ReadonlyArray<string>;
  /** Where facts come from, each with the members whose facts it states. `*` stands for all other confirmed members. */
  readonly sources?: Readonly<Record<string, ReadonlyArray<string>>>;
}

export interface ProvidersResult {
  /** The names, which `authorize` and `provider` accept. */
  readonly providers: ReadonlyArray<string>;
}

export interface RateLimitHeaders {
  /** The header with the Unix second at which the API accepts calls again. */
  readonly reset?: string;
  /** The header with the number of remaining calls. */
  readonly remaining?: string;
}

/**
 * * `optional`: The process accepts a redirect without `iss`.
 * * `required`: The process rejects a redirect without `iss`.
 */
export type RedirectIssuer = "optional" | "required";

/**
 * * `anyPort`: The provider accepts any port of the loopback address.
 * * `pinnedPort`: The provider accepts a registered port of the loopback address.
 * * `https`: The provider accepts https only, so the client receives the redirect itself.
 */
export type RedirectPolicy = "anyPort" | "pinnedPort" | "https";

/**
 * * `refreshToken`: The refresh token.
 * * `accessToken`: The access token itself, while it is valid.
 */
export type RefreshStyle = "refreshToken" | "accessToken";

/**
 * * `repeated`: A used refresh token stays valid.
 * * `once`: A used refresh token is invalid, even if the response has no new one.
 */
export type RefreshTokenUse = "repeated" | "once";

/**
 * * `json`: JSON, as in RFC 7591.
 * * `form`: A form with `scopes` in the place of `scope`, as Mastodon's servers want it.
 */
export type RegistrationFormat = "json" | "form";

/**
 * * `revoked`: The provider revoked all tokens that it received.
 * * `partial`: The provider revoked one token and rejected the other.
 * * `refused`: The provider revoked nothing and may still accept the tokens.
 * * `unsupported`: The provider has no revocation, or none for this client.
 */
export type RemoteRevocation = "revoked" | "partial" | "refused" | "unsupported";

export interface RequestSignature {
  /** The header with the HMAC-SHA256 of body and timestamp, in hexadecimal. */
  readonly signature: string;
  /** The header with the time of the request, in milliseconds since 1970. */
  readonly timestamp: string;
  /** The header with the client's ID. */
  readonly clientId: string;
}

/**
 * * `text`: The body as text, or as base64 if it is not UTF-8.
 * * `json`: The body as JSON.
 * * `base64`: The body as base64.
 * * `results`: The JSON at `apiErrors.results` of the provider's description, without its envelope.
 */
export type ResponseForm = "text" | "json" | "base64" | "results";

export interface ResponseFromServiceWasReceived {
  /** The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps. */
  readonly seq: number;
  /** The account's name. */
  readonly account?: string;
  /** The ID of the request that caused the event. */
  readonly request?: unknown;
  /** The HTTP status. */
  readonly status: number;
  /** The response's headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The size of the response's body in bytes. */
  readonly bytes: number;
  /** The body. */
  readonly body?: string;
  /** The encoding of the body. */
  readonly bodyEncoding?: BodyEncoding;
  /** The body as JSON, if the caller wanted it and every client can parse it. */
  readonly json?: unknown;
  /** The reason why there is no `json` although the caller wanted it. */
  readonly jsonOmitted?: string;
  /** The file with the body. */
  readonly savedTo?: string;
  /** The URL of the next page, if there is one. */
  readonly next?: string;
  /** Why the next page that the service names is not used. */
  readonly nextProblem?: string;
}

export interface ResponseTooLargeData {
  /** The error's kind. */
  readonly kind: "responseTooLarge";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The size limit in bytes. */
  readonly maxBytes?: number;
}

export interface ResponseUntrustedData {
  /** The error's kind. */
  readonly kind: "responseUntrusted";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** OAuth 1.0a: the text that the request signed, with masked secrets (RFC 5849, 3.4.1). */
  readonly baseString?: string;
  /** The issuer that the redirect names (RFC 9207). */
  readonly issuer?: string;
  /** The issuer that the redirect must name. */
  readonly wantedIssuer?: string;
}

export type RevocableToken = "accessToken" | "refreshToken";

/**
 * * `rfc7009`: A form with the token and a hint (RFC 7009).
 * * `get`: GET with the token in the query.
 * * `query`: POST with the token in the query and the client's authentication.
 * * `json`: POST with the token as JSON and the client's Basic credentials.
 * * `bearer`: POST without a body, with the token in the `Authorization` header.
 * * `deleteWithBasic`: DELETE with the token as JSON and the client's Basic credentials.
 * * `delete`: DELETE without a body, with the token in the `Authorization` header.
 * * `signed`: OAuth 1.0a: POST that the token signs.
 * * `none`: The provider revokes no tokens.
 */
export type RevocationStyle = "rfc7009" | "get" | "query" | "json" | "bearer" | "deleteWithBasic" | "delete" | "signed" | "none";

/**
 * * `both`: The refresh token, then the access token.
 * * `access`: The access token.
 * * `refresh`: The refresh token.
 */
export type RevocationTokens = "both" | "access" | "refresh";

export interface RevokeResult {
  /** The account's name. */
  readonly account: string;
  /** Whether the provider revoked all tokens that it received. */
  readonly revoked: boolean;
  /** The provider's reaction. */
  readonly remote: RemoteRevocation;
  /** The tokens that the provider rejected while it revoked another. They may have ended with that one. */
  readonly remaining?: ReadonlyArray<RevocableToken>;
  /** When a remaining access token expires, in Unix seconds. */
  readonly expiresAt?: number;
  /** The page that ends the provider's session in the browser. The process does not open it. */
  readonly logoutUrl?: string;
}

/**
 * * `exact`: Capital and small letters differ (RFC 6749, 3.3).
 * * `ignore`: Capital and small letters are equal.
 */
export type ScopeCase = "exact" | "ignore";

/**
 * * `requestToken`: The request for temporary credentials sends the scopes.
 * * `authorization`: The URL of the authorization page has the scopes.
 * * `both`: Both steps send the scopes.
 */
export type ScopeStep = "requestToken" | "authorization" | "both";

export interface ServerInfo {
  /** The program's name. */
  readonly name: string;
  /** The program's version. */
  readonly version: string;
}

export interface ServiceErrorData {
  /** The error's kind. */
  readonly kind: "serviceError";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The HTTP status. */
  readonly httpStatus?: number;
  /** The response's headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, unless `json` has it. */
  readonly body?: string;
  /** The encoding of the body. */
  readonly bodyEncoding?: BodyEncoding;
  /** The body as JSON, if the caller wanted it and every client can parse it. */
  readonly json?: unknown;
  /** The reason why there is no `json` although the caller wanted it. */
  readonly jsonOmitted?: string;
  /** The number of times that the process sent the request, without redirects and without what libcurl repeats by itself. */
  readonly attempts?: number;
  /** The seconds after which the service accepts calls again. */
  readonly retryAfter?: number;
  /** The service's own code, or -1 if the place in the provider's description is empty. */
  readonly code?: unknown;
  /** The service's own message. */
  readonly serviceMessage?: string;
  /** The service's own details, as JSON. */
  readonly serviceDetails?: unknown;
}

export interface SignIn {
  /** The sign-in's ID for `awaitSignIn`. */
  readonly id: string;
  /** The page that the user opens. */
  readonly url: string;
  /** The code that the user types on the page. */
  readonly userCode?: string;
  /** The page without the code. The user may type the code there. */
  readonly verificationUri?: string;
  /** When the sign-in or its page expires, in Unix seconds. */
  readonly expiresAt: number;
  /** The issuer of the account's grant, if the API names another one now. */
  readonly previousIssuer?: string;
  /** The issuer that the API names now. */
  readonly issuer?: string;
}

export interface SignInInProgressData {
  /** The error's kind. */
  readonly kind: "signInInProgress";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The ID of the open sign-in, for `awaitSignIn`. */
  readonly signIn: string;
}

/** * `refreshTokenMissing`: The provider issued no refresh token although the process requested one. */
export type SignInReason = "refreshTokenMissing";

export interface SignInRequiredData {
  /** The error's kind. */
  readonly kind: "signInRequired";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The reason why the user must sign in. */
  readonly reason?: NeededSignInReason;
  /** The issuer of the grant, if the API names another one now. */
  readonly previousIssuer?: string;
  /** The issuer that the API names now. */
  readonly issuer?: string;
  /** The scopes that another token of the login lacks. */
  readonly scopes?: ReadonlyArray<string>;
  /** The authorization server's own code. */
  readonly error?: string;
  /** The authorization server's own description. */
  readonly errorDescription?: string;
  /** An https page about the error. */
  readonly errorUri?: string;
  /** Microsoft's numbers of the error. */
  readonly errorCodes?: unknown;
  /** Microsoft's word for the cause. */
  readonly suberror?: unknown;
  /** Facebook's number of the error. */
  readonly code?: unknown;
  /** Facebook's number of the cause. */
  readonly errorSubcode?: unknown;
  /** The claims that the next sign-in has to bring: a JSON object as text. `authorize` sends them. */
  readonly claims?: string;
  /** With `slow_down`: the seconds between two requests that the server wants. */
  readonly interval?: unknown;
  /** The HTTP status. */
  readonly httpStatus?: number;
  /** The target of a redirect that the process does not follow, with masked secrets. */
  readonly location?: string;
  /** The seconds until the process sends the server another request. */
  readonly retryAfter?: number;
  /** The start of a body that is not a standard error (RFC 6749), with masked secrets. It has at most 4 KB. */
  readonly body?: string;
  /** OAuth 1.0a: the text that the rejected request signed, with masked secrets (RFC 5849, 3.4.1). */
  readonly baseString?: string;
}

export interface SignInWasAbandoned {
  /** The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps. */
  readonly seq: number;
  /** The account's name. */
  readonly account?: string;
  /** The ID of the request that caused the event. */
  readonly request?: unknown;
  /** The sign-in's ID. */
  readonly signIn: string;
  /** The reason: `cancelled`, `timedOut` or `ended`. A sign-in is `ended` when the process exits. */
  readonly reason: string;
}

export interface SignInWasRequested {
  /** The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps. */
  readonly seq: number;
  /** The account's name. */
  readonly account?: string;
  /** The ID of the request that caused the event. */
  readonly request?: unknown;
  /** The sign-in's ID. */
  readonly signIn: string;
  /** The page that the user opens. */
  readonly url: string;
  /** The code that the user types on the page. */
  readonly userCode?: string;
  /** The page without the code. The user may type the code there. */
  readonly verificationUri?: string;
  /** When the sign-in or its page expires, in Unix seconds. */
  readonly expiresAt: number;
  /** The issuer of the account's grant, if the API names another one now. */
  readonly previousIssuer?: string;
  /** The issuer that the API names now. */
  readonly issuer?: string;
  /** `false` if no browser could be started. The client then shows the URL to the user. */
  readonly opened?: boolean;
  /** The reason why the same sign-in asks again. */
  readonly reason?: SignInReason;
}

export interface SignOutResult {
  /** The account's name. */
  readonly account: string;
  /** Whether the account had a grant. */
  readonly wasSignedIn: boolean;
  /** The page that ends the provider's session in the browser. The process does not open it. */
  readonly logoutUrl?: string;
}

export type SignatureMethod = "HMAC-SHA1" | "HMAC-SHA256" | "HMAC-SHA512" | "RSA-SHA1" | "RSA-SHA256" | "RSA-SHA512" | "PLAINTEXT";

/**
 * * `header`: The `Authorization` header.
 * * `query`: The query of the URL.
 * * `body`: The form in the body.
 */
export type SignaturePlacement = "header" | "query" | "body";

export type SigningAlgorithm = "RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA" | "HS256" |
  "HS384" | "HS512";

/**
 * * `stored`: The stored grant was valid.
 * * `refreshed`: The process refreshed the grant.
 * * `signedIn`: The user signed in, or the client got the grant for itself.
 */
export type Source = "stored" | "refreshed" | "signedIn";

export interface StorageFailureData {
  /** The error's kind. */
  readonly kind: "storageFailure";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The file or folder. */
  readonly path?: string;
  /** The place of the key that is not usable: `keyring` or `command`. */
  readonly key?: string;
  /** The new place of an unreadable grant. */
  readonly setAside?: string;
  /** The ID of the process that holds the account's lock. */
  readonly pid?: number;
  /** The time when it took the lock, in Unix seconds. */
  readonly since?: number;
}

export type Switch = "on" | "off";

export interface TimedOutData {
  /** The error's kind. */
  readonly kind: "timedOut";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The host that did not answer in time. */
  readonly host?: string;
  /** The ID of the process that holds the account's lock. */
  readonly pid?: number;
  /** The time when it took the lock, in Unix seconds. */
  readonly since?: number;
}

export interface UnsupportedByProviderData {
  /** The error's kind. */
  readonly kind: "unsupportedByProvider";
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The account's name. */
  readonly account?: string;
  /** The target of a redirect that the process does not follow, with masked secrets. */
  readonly location?: string;
}

export interface UserInfoResult {
  /** The account's name. */
  readonly account: string;
  /** The user's identifier at the provider: the claim `sub`. */
  readonly subject?: string;
  /** The provider's own object, or what `userInfoPath` of its description finds there. */
  readonly claims: unknown;
}

export interface InitializeParams {
  /** The client's name and version, and further members of editors. The process ignores them. */
  readonly clientInfo?: unknown;
  /** The client's capabilities. `{"openUrl": true}` means that the client opens pages itself. */
  readonly capabilities?: unknown;
  /** The names of the events that the process sends, or `all` or `none`. Without it, the option `--events` decides. */
  readonly events?: "all" | "none" | ReadonlyArray<EventName>;
  /** The ID of a process. When that process exits, this one exits too. */
  readonly processId?: number;
}

export interface AuthorizeParams {
  /** The account's name. Without it, the preset's name or the provider's host names the account. */
  readonly account?: string;
  /** The provider: a preset's name, an https URL, or a description. */
  readonly provider?: string | Provider;
  /** The ID of the client as the provider registered it. It is unnecessary if clients register themselves. */
  readonly clientId?: string;
  /** The client's secret. */
  readonly clientSecret?: string;
  /** The client's private key: PEM (PKCS#8, PKCS#1 or SEC1), or a JWK as a string. It authenticates the client (RFC 7523). */
  readonly privateKey?: string;
  /** The ID of that key at the server. It becomes the header `kid` of the client's assertions. */
  readonly keyId?: string;
  /**
   * The algorithm of that key. Without it, RS256, ES256, ES384, ES512 or EdDSA applies, as the key's type wants. With HS256, HS384 or
   * HS512, the key is a secret: `privateKey`, or else `clientSecret`.
   */
  readonly signingAlgorithm?: SigningAlgorithm;
  /** The certificate with which the client authenticates in TLS (RFC 8705). Calls of the account show it, too. */
  readonly clientCertificate?: ClientCertificate;
  /** The scopes to request. They replace the provider's usual ones. */
  readonly scopes?: ReadonlyArray<string>;
  /** The way of signing in. Without it, the account's configuration decides, or `auto` applies. */
  readonly flow?: Flow;
  /** The redirect URI: a loopback address, or a URI that the client receives itself. */
  readonly redirectUri?: string;
  /** Whether the process opens the page. Without it, the account's configuration decides, or the capability `openUrl` of `initialize`. */
  readonly openBrowser?: boolean;
  /** Whether the process may ask the user. Default: `"ifNeeded"`. */
  readonly interaction?: Interaction;
  /** Whether the answer waits for the end of the sign-in. Default: `true`. */
  readonly wait?: boolean;
  /** The seconds after which a sign-in ends. Without it, the account's configuration decides, or 300 applies. */
  readonly timeout?: number;
  /** Extra parameters of the authorization request, or of the token request in a flow without a user. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Values for {names} in the provider's description, such as a tenant or a host. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The https URL of a document that describes the client. Authorization servers that read such documents take it as the client's ID. */
  readonly clientMetadata?: string;
  /**
   * Whether the process binds the tokens to a key of its own, which each use of a token proves (DPoP, RFC 9449). It also does so if the
   * server demands it. A change counts at the next sign-in, and without a user at the next refresh. Only `false` in `authorize` or in an
   * account ends a binding.
   */
  readonly dpop?: boolean;
  /**
   * The assertion of `jwtBearer`, or the token that `tokenExchange` exchanges. It is stored with the grant, and each refresh sends it
   * again.
   */
  readonly subjectToken?: string;
  /** The token of the acting party (RFC 8693, 2.1). It is stored with the grant, and each refresh sends it again. */
  readonly actorToken?: string;
  /** The client's assertion (RFC 7523, 2.2) as another program makes it. It is stored with the grant, and each refresh sends it again. */
  readonly clientAssertion?: string;
  /**
   * The subject token's type (RFC 8693, 3): a URI or its last word, such as `id_token`. Without it, `jwt`, or `access_token` for a token of
   * another account.
   */
  readonly subjectTokenType?: string;
  /** The type of the actor token. Without it, `jwt` applies, or `access_token` for a token of another account. */
  readonly actorTokenType?: string;
  /** The type of the wanted token. Without it, the server chooses. */
  readonly requestedTokenType?: string;
  /** The type of `clientAssertion`. Without it, `jwt-bearer` applies. */
  readonly clientAssertionType?: ClientAssertionType;
  /** The service that the exchanged token is for, or several of them (RFC 8693, 2.1). */
  readonly audience?: string | number | boolean | ReadonlyArray<string | number | boolean>;
  /**
   * With `jwtBearer`: the claims of an assertion that `privateKey` signs (RFC 7523, 3), such as `sub`. `exp` is its life in seconds.
   * Without `iss`, the client's ID applies.
   */
  readonly assertionClaims?: unknown;
  /** Whether the process returns what a sign-in would send, with masked secrets, and sends nothing. Default: `false`. */
  readonly dryRun?: boolean;
}

export interface AwaitSignInParams {
  /** The sign-in's ID. */
  readonly id: string;
  /** The seconds to wait. Without it, the wait lasts as long as the sign-in. */
  readonly timeout?: number;
}

export interface HandleRedirectParams {
  /** The whole URL with its parameters. */
  readonly url?: string;
  /** The verifier or code that the user types, in place of `url`. It needs `signIn`. */
  readonly verifier?: string;
  /** The ID of the verifier's sign-in. */
  readonly signIn?: string;
}

export interface RefreshParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
  /**
   * The seconds for which the token must stay valid; more than half of its lifetime counts as half. The default is 60, or a quarter of the
   * lifetime if that is shorter.
   */
  readonly minimumValidity?: number;
  /** Whether the process replaces a token that is still valid. Default: `false`. */
  readonly force?: boolean;
  /** The seconds after which the call fails with `timedOut`. A refresh continues without the call. Default: `60`. */
  readonly timeout?: number;
}

export interface CallAPIParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
  /** The absolute URL, or one relative to the provider's `apiBase`. */
  readonly url: string;
  /** The HTTP method as it is sent, such as `POST`. Default: `"GET"`. */
  readonly method?: string;
  /** Parameters of the URL's query. An array repeats its name. Default: `{}`. */
  readonly query?: Readonly<Record<string, string | number | boolean | ReadonlyArray<string | number | boolean>>>;
  /** The headers of the request. The credential replaces an `Authorization` header. Default: `{}`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body. It has exactly one of these members. */
  readonly body?: Body;
  /** The form of the response's body in the answer. Default: `"text"`. */
  readonly as?: ResponseForm;
  /** The path of a file for the body of a success. */
  readonly saveTo?: string;
  /** Whether `saveTo` replaces an existing file. It never replaces a file of another user. Default: `false`. */
  readonly overwrite?: boolean;
  /**
   * Whether `saveTo` continues a download that broke off. The received part is kept in a file with the suffix `.oauth-stdio-part` if the
   * service names the version. Default: `false`.
   */
  readonly resume?: boolean;
  /** Whether `bodyChunkWasReceived` events carry the body of a success. It excludes `saveTo`. Default: `false`. */
  readonly stream?: boolean;
  /** The seconds for the whole call. Without it, they are 60, or 3600 for files and streams. */
  readonly timeout?: number;
  /** The largest body in bytes. Without it, a body in the answer has at most 8 MiB. */
  readonly maxBytes?: number;
  /** Whether the process repeats a failed request. Without it, the process repeats idempotent methods only. */
  readonly retry?: boolean;
  /** Names and values. The process sends them in the query, or in the body of POST, PUT and PATCH in the provider's format. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The only scopes that the token has. They are among those of the login. */
  readonly scopes?: ReadonlyArray<string>;
  /** The resource that the token is for (RFC 8707). */
  readonly resource?: string;
  /** The audience that the token is for, as the server calls it. */
  readonly audience?: string;
  /**
   * Whether the process asks the user for what a 403 `insufficient_scope`, a 401 `insufficient_user_authentication` or a challenge's
   * `claims` demand. It then repeats the call, at most twice. Default: `false`.
   */
  readonly stepUp?: boolean;
}

export interface RevokeParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
  /** The seconds after which the call fails with `timedOut`. Default: `60`. */
  readonly timeout?: number;
}

export interface SignOutParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
}

export interface AccessTokenParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
  /**
   * The seconds for which the token must stay valid; more than half of its lifetime counts as half. The default is 300, or a quarter of the
   * lifetime if that is shorter.
   */
  readonly minimumValidity?: number;
  /** Whether the client needs an ID token that is valid. The process refreshes it once if necessary. Default: `false`. */
  readonly idToken?: boolean;
  /** The only scopes that the token has. They are among those of the login. */
  readonly scopes?: ReadonlyArray<string>;
  /** The resource that the token is for (RFC 8707). */
  readonly resource?: string;
  /** The audience that the token is for, as the server calls it. */
  readonly audience?: string;
  /** The seconds after which the call fails with `timedOut`. A refresh continues without the call. Default: `60`. */
  readonly timeout?: number;
}

export interface AuthorizeRequestParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
  /** The absolute URL of the request, or one relative to the provider's `apiBase`. */
  readonly url: string;
  /** The request's HTTP method. Default: `"GET"`. */
  readonly method?: string;
  /** The headers that the request already has. Default: `{}`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The request's body, if the credential covers it. */
  readonly body?: string;
  /** The only scopes that the token has. They are among those of the login. */
  readonly scopes?: ReadonlyArray<string>;
  /** The resource that the token is for (RFC 8707). */
  readonly resource?: string;
  /** The audience that the token is for, as the server calls it. */
  readonly audience?: string;
  /** The seconds after which the call fails with `timedOut`. A refresh continues without the call. Default: `60`. */
  readonly timeout?: number;
  /** The last header `DPoP-Nonce` of the service, for a token that is bound to a key (RFC 9449, 9). */
  readonly dpopNonce?: string;
}

export interface HostCredentialParams {
  /** The server's host, with its port if it has one. */
  readonly host: string;
  /** The protocol. Without TLS, the token goes to this machine only. Default: `"https"`. */
  readonly protocol?: string;
  /** The program that sends the credential. Default: `"git"`. */
  readonly use?: HostUse;
  /**
   * The account to use, if several use the host: its name, or the user's e-mail address or name at the provider. The user name that the
   * host wants beside the token chooses none: then `hosts` of the configuration chooses, or the log warns.
   */
  readonly username?: string;
  /** A password that the host has rejected. The process replaces the access token if it is the rejected one. */
  readonly rejected?: string;
  /** Whether the process may ask the user. Default: `"ifNeeded"`. */
  readonly interaction?: HostCredentialInteraction;
  /**
   * The seconds for which the token must stay valid; more than half of its lifetime counts as half. The default is 300, or a quarter of the
   * lifetime if that is shorter.
   */
  readonly minimumValidity?: number;
  /**
   * The seconds after which the call fails with `timedOut`. Without it, a new token may take 60 seconds, and a sign-in as long as that of
   * `authorize`. A refresh continues without the call.
   */
  readonly timeout?: number;
}

export interface AccountParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
}

export interface ProviderParams {
  /** The provider: a preset's name, an https URL, or a description. */
  readonly provider: string | Provider;
  /** Values for {names} in the provider's description, such as a tenant or a host. Default: `{}`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The seconds after which the call fails with `timedOut`. Default: `60`. */
  readonly timeout?: number;
}

export interface ImportGrantParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
  /** The format of the exported data. */
  readonly format: ImportFormat;
  /** The exported data: a string, or an object with the names of its parts. In the format `json`, a string may also be an access token. */
  readonly data: unknown;
  /** The provider that issued the grant. Without it, the account's configuration names the provider, or the data names a preset. */
  readonly provider?: string | Provider;
  /** The ID of the client with the grant, or the consumer key. */
  readonly clientId?: string;
  /** The client's secret. */
  readonly clientSecret?: string;
  /** The granted scopes, if the data does not name them. Without them, the account's entry counts, or a refresh tells them. */
  readonly scopes?: ReadonlyArray<string>;
  /** The redirect URI of the sign-in. Some providers need it for a refresh. */
  readonly redirectUri?: string;
  /** Values for {names} in the provider's description, such as a tenant or a host. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The time when the program received the tokens, in Unix seconds. Without it, `expires_in` counts from now. */
  readonly issuedAt?: number;
  /** Whether the grant replaces an existing one. Default: `false`. */
  readonly replace?: boolean;
}

export interface ExportGrantParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
}

export interface AddScopesParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
  /** The scopes to request in addition to the granted ones. */
  readonly scopes: ReadonlyArray<string>;
  /** The redirect URI: a loopback address, or a URI that the client receives itself. */
  readonly redirectUri?: string;
  /** Whether the process opens the page. Without it, the account's configuration decides, or the capability `openUrl` of `initialize`. */
  readonly openBrowser?: boolean;
  /** Whether the answer waits for the end of the sign-in. Default: `true`. */
  readonly wait?: boolean;
  /** The seconds after which a sign-in ends. Without it, the account's configuration decides, or 300 applies. */
  readonly timeout?: number;
  /** Extra parameters of the authorization request. The process adds `login_hint` itself. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface UserInfoParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
  /** The seconds after which the call fails with `timedOut`. A refresh continues without the call. Default: `60`. */
  readonly timeout?: number;
}

export interface IntrospectParams {
  /** The account's name, of at most 200 bytes in UTF-8. */
  readonly account: string;
  /** The seconds after which the call fails with `timedOut`. Default: `60`. */
  readonly timeout?: number;
}

export interface DiagnoseParams {
  /**
   * The account's name, or the URL of an API. The process then runs its sign-in up to the authorization page, and tests its client with a
   * made-up code.
   */
  readonly account?: string;
  /** The time limit for all checks, in seconds. A check without a response is a finding. Default: `20`. */
  readonly timeout?: number;
}

/** The members of each event, by its name. */
export interface Events {
  /** The account is usable. A stored grant causes this event too. */
  readonly authorizationWasSuccessful: AuthorizationWasSuccessful;
  /** The process deleted the grant. `remote` says what the provider did. */
  readonly accessTokenWasRevoked: AccessTokenWasRevoked;
  /** The service answered a call. The event has the body if the call had no ID. */
  readonly responseFromServiceWasReceived: ResponseFromServiceWasReceived;
  /**
   * A notification was rejected, or a request failed with a positive code. `errorInResponseWithBody` reports an error of the service
   * instead. The name has the spelling of the Objective-C delegate method.
   */
  readonly errorOccuredWithShortDescription: ErrorOccuredWithShortDescription;
  /**
   * The service answered a call with a status of 400 or above, or with an error in a success. The event has the body if the call had no ID.
   */
  readonly errorInResponseWithBody: ErrorInResponseWithBody;
  /** The user must open a page. */
  readonly signInWasRequested: SignInWasRequested;
  /** A sign-in ended without a grant. */
  readonly signInWasAbandoned: SignInWasAbandoned;
  /** The process stored a new access token. */
  readonly accessTokenWasRefreshed: AccessTokenWasRefreshed;
  /** A long transfer continues. There are at most 10 such events in a second. */
  readonly progressWasMade: ProgressWasMade;
  /** A piece of a streamed body arrived. */
  readonly bodyChunkWasReceived: BodyChunkWasReceived;
  /**
   * An account's grant changed, by a request of this process or by another process with the same store. A change that `account` or
   * `accounts` has already shown causes no event.
   */
  readonly accountWasChanged: AccountWasChanged;
}

export type EventName = keyof Events;

/** Code 1000: the user must sign in first. */
export class SignInRequired extends OAuthError<SignInRequiredData> {}

/** Code 1001: the user or the provider denied the request, or a different user signed in. */
export class AccessDenied extends OAuthError<AccessDeniedData> {}

/** Code 1002: the authorization server answered with an error. */
export class AuthorizationServerError extends OAuthError<AuthorizationServerErrorData> {}

/** Code 1003: the service answered with an error. */
export class ServiceError extends OAuthError<ServiceErrorData> {}

/** Code 1004: a network operation failed. */
export class NetworkFailure extends OAuthError<NetworkFailureData> {}

/** Code 1005: the time limit was reached. */
export class TimedOut extends OAuthError<TimedOutData> {}

/** Code 1006: a grant or a file could not be read or written. */
export class StorageFailure extends OAuthError<StorageFailureData> {}

/** Code 1007: the configuration is invalid. */
export class ConfigurationInvalid extends OAuthError<ConfigurationInvalidData> {}

/** Code 1008: a request to this host is not allowed. */
export class HostNotAllowed extends OAuthError<HostNotAllowedData> {}

/** Code 1009: a response failed a security check. */
export class ResponseUntrusted extends OAuthError<ResponseUntrustedData> {}

/** Code 1010: the port of the redirect URI is in use. */
export class PortInUse extends OAuthError<PortInUseData> {}

/** Code 1011: the provider does not support this. */
export class UnsupportedByProvider extends OAuthError<UnsupportedByProviderData> {}

/** Code 1012: the response is larger than the limit. */
export class ResponseTooLarge extends OAuthError<ResponseTooLargeData> {}

/** Code 1013: the service requires a scope that the token does not have. */
export class InsufficientScope extends OAuthError<InsufficientScopeData> {}

/** Code 1014: the service requires a stronger or a more recent sign-in. */
export class InsufficientUserAuthentication extends OAuthError<InsufficientUserAuthenticationData> {}

/** Code 1015: another sign-in of the account is open. */
export class SignInInProgress extends OAuthError<SignInInProgressData> {}

/** Code 1016: a limit that was set at the start does not allow this. */
export class NotAllowed extends OAuthError<NotAllowedData> {}

const ERRORS = {
  signInRequired: SignInRequired,
  accessDenied: AccessDenied,
  authorizationServerError: AuthorizationServerError,
  serviceError: ServiceError,
  networkFailure: NetworkFailure,
  timedOut: TimedOut,
  storageFailure: StorageFailure,
  configurationInvalid: ConfigurationInvalid,
  hostNotAllowed: HostNotAllowed,
  responseUntrusted: ResponseUntrusted,
  portInUse: PortInUse,
  unsupportedByProvider: UnsupportedByProvider,
  responseTooLarge: ResponseTooLarge,
  insufficientScope: InsufficientScope,
  insufficientUserAuthentication: InsufficientUserAuthentication,
  signInInProgress: SignInInProgress,
  notAllowed: NotAllowed,
};

/** Each method sends one request and resolves to its result, or rejects with a subclass of `OAuthError`. */
export class Client extends Transport<Events> {
  constructor(options: ClientOptions = {}) {
    super(options, ERRORS);
  }

  /** Opens a session, as in the Language Server Protocol. No other method needs it. */
  initialize(params: InitializeParams = {}, options: RequestOptions = {}): Promise<InitializeResult> {
    return this.request("initialize", params, options);
  }

  /** Returns the OpenRPC document, as `--schema` prints it. */
  rpcDiscover(options: RequestOptions = {}): Promise<OpenRPCDocument> {
    return this.request("rpc.discover", {}, options);
  }

  /**
   * Makes the account usable. It takes the stored grant, or refreshes it, or asks the user to sign in.
   *
   * Throws SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
   * ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, PortInUse, UnsupportedByProvider, ResponseTooLarge, SignInInProgress,
   * NotAllowed.
   */
  authorize(params: AuthorizeParams = {}, options: RequestOptions = {}): Promise<AuthorizationResult> {
    return this.request("authorize", params, options);
  }

  /**
   * Waits for an open sign-in and answers like `authorize`. Its timeout ends only the wait.
   *
   * Throws SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
   * ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, PortInUse, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
   */
  awaitSignIn(params: AwaitSignInParams, options: RequestOptions = {}): Promise<AuthorizationResult> {
    return this.request("awaitSignIn", params, options);
  }

  /**
   * Finishes a sign-in with the URL of the redirect, or with the code that the provider showed to the user.
   *
   * Throws NotAllowed.
   */
  handleRedirect(params: HandleRedirectParams = {}, options: RequestOptions = {}): Promise<HandleRedirectResult> {
    return this.request("handleRedirect", params, options);
  }

  /**
   * Replaces the access token unless it stays valid for long enough. It never asks the user.
   *
   * Throws SignInRequired, AccessDenied, AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid,
   * HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
   */
  refresh(params: RefreshParams, options: RequestOptions = {}): Promise<AuthorizationResult> {
    return this.request("refresh", params, options);
  }

  /**
   * Calls the service's API with the account's token. The process replaces an expired token, and sends the token to the account's hosts
   * only.
   *
   * Throws SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
   * ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, PortInUse, UnsupportedByProvider, ResponseTooLarge, InsufficientScope,
   * InsufficientUserAuthentication, SignInInProgress, NotAllowed.
   */
  callAPI(params: CallAPIParams, options: RequestOptions = {}): Promise<CallAPIResult> {
    return this.request("callAPI", params, options);
  }

  /**
   * Asks the provider to revoke the tokens, then deletes the grant.
   *
   * Throws SignInRequired, AccessDenied, AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid,
   * HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
   */
  revoke(params: RevokeParams, options: RequestOptions = {}): Promise<RevokeResult> {
    return this.request("revoke", params, options);
  }

  /**
   * Deletes the grant on this machine. The process tells the provider nothing.
   *
   * Throws TimedOut, StorageFailure, ConfigurationInvalid, NotAllowed.
   */
  signOut(params: SignOutParams, options: RequestOptions = {}): Promise<SignOutResult> {
    return this.request("signOut", params, options);
  }

  /**
   * Returns the account's access token. The process refreshes it first if necessary.
   *
   * Throws SignInRequired, AccessDenied, AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid,
   * HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
   */
  accessToken(params: AccessTokenParams, options: RequestOptions = {}): Promise<AccessTokenResult> {
    return this.request("accessToken", params, options);
  }

  /**
   * Adds the account's credential to a request that the client sends itself, once. The request must go to one of the account's hosts.
   *
   * Throws SignInRequired, AccessDenied, AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid,
   * HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
   */
  authorizeRequest(params: AuthorizeRequestParams, options: RequestOptions = {}): Promise<AuthorizeRequestResult> {
    return this.request("authorizeRequest", params, options);
  }

  /**
   * Returns the user name and the password for a host of Git repositories, of a container registry or of an API: the access token of the
   * account whose provider names the host. The user signs in first if necessary.
   *
   * Throws SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
   * ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, PortInUse, UnsupportedByProvider, ResponseTooLarge, SignInInProgress,
   * NotAllowed.
   */
  hostCredential(params: HostCredentialParams, options: RequestOptions = {}): Promise<HostCredentialResult> {
    return this.request("hostCredential", params, options);
  }

  /**
   * Returns the account's state without its secrets. It needs no network.
   *
   * Throws TimedOut, StorageFailure, ConfigurationInvalid, NotAllowed.
   */
  account(params: AccountParams, options: RequestOptions = {}): Promise<AccountState> {
    return this.request("account", params, options);
  }

  /**
   * Returns the states of all accounts that have a grant or are configured.
   *
   * Throws TimedOut, StorageFailure, ConfigurationInvalid, NotAllowed.
   */
  accounts(options: RequestOptions = {}): Promise<AccountsResult> {
    return this.request("accounts", {}, options);
  }

  /**
   * Describes a provider: its endpoints, and each deviation with its reason.
   *
   * Throws AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid, HostNotAllowed, ResponseUntrusted,
   * UnsupportedByProvider, ResponseTooLarge, NotAllowed.
   */
  provider(params: ProviderParams, options: RequestOptions = {}): Promise<ProviderResult> {
    return this.request("provider", params, options);
  }

  /**
   * Returns the names of the presets and of the providers in the user's own files.
   *
   * Throws NotAllowed.
   */
  providers(options: RequestOptions = {}): Promise<ProvidersResult> {
    return this.request("providers", {}, options);
  }

  /**
   * Stores a grant from another program, so the user need not sign in again. The process does not check the tokens with the provider.
   *
   * Throws AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid, HostNotAllowed, ResponseUntrusted,
   * UnsupportedByProvider, ResponseTooLarge, NotAllowed.
   */
  importGrant(params: ImportGrantParams, options: RequestOptions = {}): Promise<AccountState> {
    return this.request("importGrant", params, options);
  }

  /**
   * Returns the account's tokens as a token response that `importGrant` accepts. The process must have the option `--allow-export`.
   *
   * Throws SignInRequired, TimedOut, StorageFailure, ConfigurationInvalid, UnsupportedByProvider, NotAllowed.
   */
  exportGrant(params: ExportGrantParams, options: RequestOptions = {}): Promise<ExportGrantResult> {
    return this.request("exportGrant", params, options);
  }

  /**
   * Requests scopes in addition to the granted ones. It succeeds at once if none is missing. Only the account's own user may grant them.
   *
   * Throws SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
   * ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, PortInUse, UnsupportedByProvider, ResponseTooLarge, SignInInProgress,
   * NotAllowed.
   */
  addScopes(params: AddScopesParams, options: RequestOptions = {}): Promise<AuthorizationResult> {
    return this.request("addScopes", params, options);
  }

  /**
   * Returns the provider's claims about the user who signed in.
   *
   * Throws SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
   * ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
   */
  userInfo(params: UserInfoParams, options: RequestOptions = {}): Promise<UserInfoResult> {
    return this.request("userInfo", params, options);
  }

  /**
   * Asks the authorization server about the account's access token (RFC 7662).
   *
   * Throws SignInRequired, AccessDenied, AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid,
   * HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
   */
  introspect(params: IntrospectParams, options: RequestOptions = {}): Promise<IntrospectResult> {
    return this.request("introspect", params, options);
  }

  /**
   * Finds the reason why a sign-in fails: configuration, store, key, browser and proxy, and for an account its client, redirect URI,
   * scopes, network, TLS, clock, latest rejection and last failed sign-in. The answer contains no secret.
   *
   * Throws NotAllowed.
   */
  diagnose(params: DiagnoseParams = {}, options: RequestOptions = {}): Promise<DiagnoseResult> {
    return this.request("diagnose", params, options);
  }
}

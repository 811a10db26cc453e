"""The types, errors, methods and events of the program.

Tests/regenerate.sh writes this file from schemas/openrpc.json. Do not edit it by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, NotRequired, TypedDict

from .client import OAuthError, Transport

__all__ = [
    "Client",
    "EventName",
    "SignInRequired",
    "AccessDenied",
    "AuthorizationServerError",
    "ServiceError",
    "NetworkFailure",
    "TimedOut",
    "StorageFailure",
    "ConfigurationInvalid",
    "HostNotAllowed",
    "ResponseUntrusted",
    "PortInUse",
    "UnsupportedByProvider",
    "ResponseTooLarge",
    "InsufficientScope",
    "InsufficientUserAuthentication",
    "SignInInProgress",
    "NotAllowed",
    "AccessDeniedData",
    "AccessTokenResult",
    "AccessTokenWasRefreshed",
    "AccessTokenWasRevoked",
    "AccountChange",
    "AccountLookup",
    "AccountState",
    "AccountWasChanged",
    "AccountsResult",
    "AssertionPlacement",
    "AssertionType",
    "AttributeExchange",
    "AuthorizationResult",
    "AuthorizationServerErrorData",
    "AuthorizationStatus",
    "AuthorizationWasSuccessful",
    "AuthorizeRequestResult",
    "Body",
    "BodyChunkWasReceived",
    "BodyEncoding",
    "BodyFormat",
    "BodyPart",
    "CallAPIResult",
    "CallbackConfirmation",
    "Capabilities",
    "ChangeOrigin",
    "ClientAssertionType",
    "ClientAuthentication",
    "ClientCertificate",
    "ClientIdPlace",
    "CodeChallenge",
    "ConfigurationInvalidData",
    "CredentialPlace",
    "Deviation",
    "DiagnoseResult",
    "DryRun",
    "DryRunRequest",
    "Empty",
    "EnvelopePlaces",
    "ErrorInResponseWithBody",
    "ErrorOccuredWithShortDescription",
    "ErrorPlaces",
    "ExpiredSign",
    "ExpiresZero",
    "ExportGrantResult",
    "Finding",
    "FindingState",
    "Flow",
    "HTTPMethod",
    "HandleRedirectResult",
    "HostCredentialInteraction",
    "HostCredentialResult",
    "HostNotAllowedData",
    "HostUse",
    "IDTokenAlgorithm",
    "ImportFormat",
    "InitializeResult",
    "InsufficientScopeData",
    "InsufficientUserAuthenticationData",
    "Interaction",
    "IntrospectResult",
    "LimitRule",
    "LimitState",
    "NeededSignInReason",
    "NetworkFailureData",
    "NotAllowedData",
    "OpenIDDialect",
    "OpenRPCDocument",
    "OtherTokenOptions",
    "OtherTokenParameter",
    "OtherTokenRefresh",
    "OtherTokenWay",
    "Pagination",
    "PaginationStyle",
    "ParameterFormat",
    "PathJoin",
    "PortInUseData",
    "ProgressWasMade",
    "ProtocolName",
    "Provider",
    "ProviderResult",
    "ProvidersResult",
    "RateLimitHeaders",
    "RedirectIssuer",
    "RedirectPolicy",
    "RefreshStyle",
    "RefreshTokenUse",
    "RegistrationFormat",
    "RemoteRevocation",
    "RequestSignature",
    "ResponseForm",
    "ResponseFromServiceWasReceived",
    "ResponseTooLargeData",
    "ResponseUntrustedData",
    "RevocableToken",
    "RevocationStyle",
    "RevocationTokens",
    "RevokeResult",
    "ScopeCase",
    "ScopeStep",
    "ServerInfo",
    "ServiceErrorData",
    "SignIn",
    "SignInInProgressData",
    "SignInReason",
    "SignInRequiredData",
    "SignInWasAbandoned",
    "SignInWasRequested",
    "SignOutResult",
    "SignatureMethod",
    "SignaturePlacement",
    "SigningAlgorithm",
    "Source",
    "StorageFailureData",
    "Switch",
    "TimedOutData",
    "UnsupportedByProviderData",
    "UserInfoResult",
]

EventName = Literal[
    "authorizationWasSuccessful",
    "accessTokenWasRevoked",
    "responseFromServiceWasReceived",
    "errorOccuredWithShortDescription",
    "errorInResponseWithBody",
    "signInWasRequested",
    "signInWasAbandoned",
    "accessTokenWasRefreshed",
    "progressWasMade",
    "bodyChunkWasReceived",
    "accountWasChanged",
]


class AccessDeniedData(TypedDict):
    kind: Literal["accessDenied"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    reason: NotRequired[str]
    """`anotherUser` if a user other than the account's signed in."""
    error: NotRequired[str]
    """The authorization server's own code."""
    errorDescription: NotRequired[str]
    """The authorization server's own description."""
    errorUri: NotRequired[str]
    """An https page about the error."""
    errorCodes: NotRequired[Any]
    """Microsoft's numbers of the error."""
    suberror: NotRequired[Any]
    """Microsoft's word for the cause."""
    code: NotRequired[Any]
    """Facebook's number of the error."""
    errorSubcode: NotRequired[Any]
    """Facebook's number of the cause."""
    claims: NotRequired[str]
    """The claims that the next sign-in has to bring: a JSON object as text. `authorize` sends them."""
    interval: NotRequired[Any]
    """With `slow_down`: the seconds between two requests that the server wants."""
    httpStatus: NotRequired[int]
    """The HTTP status."""
    location: NotRequired[str]
    """The target of a redirect that the process does not follow, with masked secrets."""
    retryAfter: NotRequired[int]
    """The seconds until the process sends the server another request."""
    body: NotRequired[str]
    """The start of a body that is not a standard error (RFC 6749), with masked secrets. It has at most 4 KB."""
    baseString: NotRequired[str]
    """OAuth 1.0a: the text that the rejected request signed, with masked secrets (RFC 5849, 3.4.1)."""


class AccessTokenResult(TypedDict):
    accessToken: str
    """The access token. A program that has it can use the account."""
    tokenSecret: NotRequired[str]
    """OAuth 1.0a: the token's secret, which signs requests."""
    tokenType: NotRequired[str]
    """The token's type."""
    expiresAt: NotRequired[int]
    """When the access token expires, in Unix seconds."""
    idToken: NotRequired[str]
    """The ID token while it is valid. It tells a server which user signed in. A refresh may replace it."""
    idTokenExpiresAt: NotRequired[int]
    """When the ID token expires, in Unix seconds."""


class AccessTokenWasRefreshed(TypedDict):
    seq: int
    """The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps."""
    account: NotRequired[str]
    """The account's name."""
    request: NotRequired[Any]
    """The ID of the request that caused the event."""
    expiresAt: NotRequired[int]
    """When the access token expires, in Unix seconds."""
    refreshTokenChanged: bool
    """Whether the provider replaced the refresh token too."""


class AccessTokenWasRevoked(TypedDict):
    seq: int
    """The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps."""
    account: NotRequired[str]
    """The account's name."""
    request: NotRequired[Any]
    """The ID of the request that caused the event."""
    remote: RemoteRevocation
    """The provider's reaction."""
    remaining: NotRequired[list[RevocableToken]]
    """The tokens that the provider rejected while it revoked another. They may have ended with that one."""
    expiresAt: NotRequired[int]
    """When a remaining access token expires, in Unix seconds."""


AccountChange = Literal["signedIn", "refreshed", "signedOut", "revoked", "rejected", "removed"]
"""* `signedIn`: The account has a grant of a new sign-in or import.
* `refreshed`: The account has a new access token.
* `signedOut`: `signOut` deleted the grant.
* `revoked`: `revoke` deleted the grant.
* `rejected`: The provider rejected the grant's tokens. The user must sign in again.
* `removed`: The grant is gone: another process or the user deleted it, or a cancelled sign-in was undone.
"""


class AccountLookup(TypedDict):
    url: str
    """The URL that the process requests by GET, with the access token."""
    variables: Mapping[str, str | list[str]]
    """The names that the JSON response fills, each with the dotted path of its value. A value that `variables` already has stays."""


class AccountState(TypedDict):
    account: str
    """The account's name."""
    login: NotRequired[str]
    """The account with the login, if this one is a name for another token of it."""
    canAuthorize: bool
    """Whether the account is usable without a sign-in, as far as the process knows."""
    untried: NotRequired[bool]
    """Whether the grant was imported and has not been used since, so that the provider may not accept it."""
    problem: NotRequired[str]
    """The reason why the account with this grant is not usable without the user. If the process cannot read the grant, nothing else is
    known of it. A fault in the account's configuration is reported here, too. Otherwise it is one of `the provider rejected the refresh
    token`, `the provider rejected the access token`, `the refresh token expired`, `the provider rejected the client's registration`,
    `the access token expired and cannot be refreshed`, `the provider issued no access token`, `the provider rejected the client's secret
    or key`.
    """
    inDoubt: NotRequired[bool]
    """Whether a service has rejected the access token without saying that it has ended. The next successful call ends the doubt."""
    configured: NotRequired[bool]
    """Whether the configuration names the account."""
    signedIn: NotRequired[bool]
    """Whether a configured account has a grant."""
    provider: NotRequired[str]
    """The provider's name for users."""
    preset: NotRequired[str]
    """The provider's name for `authorize`, if it has one."""
    clientId: NotRequired[str]
    """The ID of the client with the grant."""
    grantedScopes: NotRequired[list[str]]
    """The granted scopes, if they are known. An imported grant may not name them."""
    missingScopes: NotRequired[list[str]]
    """The scopes that the user or the provider declined."""
    confirmed: NotRequired[bool]
    """Whether the server showed that the other token has what was asked. Otherwise it is as asked."""
    lostScopes: NotRequired[list[str]]
    """The scopes that the server has taken from the login since another token of it was asked for. A sign-in brings them back."""
    tokenType: NotRequired[str]
    """The access token's type."""
    expiresAt: NotRequired[int]
    """When the access token expires, in Unix seconds."""
    refreshedAt: NotRequired[int]
    """When the process received the access token, in Unix seconds."""
    usedAt: NotRequired[int]
    """When a process last used a token of the account, in Unix seconds. The time may be a minute too early."""
    canRefresh: bool
    """Whether the process can replace the access token without a sign-in."""
    subject: NotRequired[str]
    """The user's identifier at the provider."""
    email: NotRequired[str]
    """The user's e-mail address."""
    attributes: NotRequired[Mapping[str, str]]
    """Further attributes of the user from the provider."""
    key: NotRequired[str]
    """The place of the key that seals the account's grant: `file`, `keyring` or `command`."""
    signIn: NotRequired[SignIn]
    """The open sign-in of the account."""


class AccountWasChanged(TypedDict):
    seq: int
    """The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps."""
    account: str
    """The account's name."""
    change: AccountChange
    """The change. Several quick changes by another process count as the last one."""
    by: ChangeOrigin
    """The process that made the change."""


class AccountsResult(TypedDict):
    accounts: list[AccountState]
    """The states, sorted by name."""


AssertionPlacement = Literal["body", "header"]
"""* `body`: In the body, with its `grant_type` (RFC 7523, 2.1).
* `header`: In `Authorization: Bearer`, and the body has neither a `grant_type` nor a client.
"""

AssertionType = Literal["client-authentication+jwt", "JWT"]


class AttributeExchange(TypedDict):
    required: NotRequired[Mapping[str, str] | None]
    """The types of the attributes by alias. Default: `{}`."""


class AuthorizationResult(TypedDict):
    account: str
    """The account's name."""
    status: AuthorizationStatus
    """The state of the account after the call."""
    via: NotRequired[Source]
    """The origin of the grant."""
    grantedScopes: NotRequired[list[str]]
    """The granted scopes."""
    missingScopes: NotRequired[list[str]]
    """The requested scopes that were not granted."""
    tokenType: NotRequired[str]
    """The access token's type."""
    expiresAt: NotRequired[int]
    """When the access token expires, in Unix seconds."""
    canRefresh: bool
    """Whether the process can replace the access token without a sign-in."""
    subject: NotRequired[str]
    """The user's identifier at the provider."""
    email: NotRequired[str]
    """The user's e-mail address."""
    subjectChanged: NotRequired[bool]
    """Whether a different user signed in. Only `interaction` `always` allows that."""
    signIn: NotRequired[SignIn]
    """The open sign-in of the account."""
    refreshed: NotRequired[bool]
    """Whether this call replaced the token."""
    dryRun: NotRequired[DryRun]
    """The requests that a sign-in would send."""


class AuthorizationServerErrorData(TypedDict):
    kind: Literal["authorizationServerError"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    error: NotRequired[str]
    """The authorization server's own code."""
    errorDescription: NotRequired[str]
    """The authorization server's own description."""
    errorUri: NotRequired[str]
    """An https page about the error."""
    errorCodes: NotRequired[Any]
    """Microsoft's numbers of the error."""
    suberror: NotRequired[Any]
    """Microsoft's word for the cause."""
    code: NotRequired[Any]
    """Facebook's number of the error."""
    errorSubcode: NotRequired[Any]
    """Facebook's number of the cause."""
    claims: NotRequired[str]
    """The claims that the next sign-in has to bring: a JSON object as text. `authorize` sends them."""
    interval: NotRequired[Any]
    """With `slow_down`: the seconds between two requests that the server wants."""
    httpStatus: NotRequired[int]
    """The HTTP status."""
    location: NotRequired[str]
    """The target of a redirect that the process does not follow, with masked secrets."""
    retryAfter: NotRequired[int]
    """The seconds until the process sends the server another request."""
    body: NotRequired[str]
    """The start of a body that is not a standard error (RFC 6749), with masked secrets. It has at most 4 KB."""
    baseString: NotRequired[str]
    """OAuth 1.0a: the text that the rejected request signed, with masked secrets (RFC 5849, 3.4.1)."""


AuthorizationStatus = Literal["authorized", "pending", "dryRun"]
"""* `authorized`: The account is usable.
* `pending`: The user must sign in first.
* `dryRun`: Nothing was sent.
"""


class AuthorizationWasSuccessful(TypedDict):
    seq: int
    """The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps."""
    account: NotRequired[str]
    """The account's name."""
    request: NotRequired[Any]
    """The ID of the request that caused the event."""
    grantedScopes: list[str]
    """The granted scopes."""
    expiresAt: NotRequired[int]
    """When the access token expires, in Unix seconds."""
    via: Source
    """The origin of the grant."""
    subjectChanged: NotRequired[bool]
    """Whether a different user signed in. Only `interaction` `always` allows that."""


class AuthorizeRequestResult(TypedDict):
    url: str
    """The URL of the request."""
    headers: Mapping[str, str]
    """The headers of the request, including the credential."""
    body: NotRequired[str]
    """The body of the request."""


class Body(TypedDict):
    form: NotRequired[Mapping[str, str | int | bool | list[str | int | bool]] | None]
    """Names and values, which the process sends as a form. An array repeats its name."""
    json: NotRequired[Any]
    """Any JSON. Its numbers keep their value."""
    text: NotRequired[str | None]
    """Text, which the process sends as UTF-8."""
    base64: NotRequired[str | None]
    """Bytes in base64."""
    file: NotRequired[str | None]
    """The path of a file to send."""
    multipart: NotRequired[list[BodyPart] | None]
    """The parts of a `multipart/form-data` body."""


class BodyChunkWasReceived(TypedDict):
    seq: int
    """The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps."""
    account: NotRequired[str]
    """The account's name."""
    request: NotRequired[Any]
    """The ID of the request that caused the event."""
    offset: int
    """The position of the piece, in bytes."""
    chunk: str
    """The piece."""
    encoding: BodyEncoding
    """The encoding of the piece."""


BodyEncoding = Literal["utf8", "base64"]
"""* `utf8`: The text itself.
* `base64`: Base64, for a body that is not UTF-8 or contains U+0000.
"""

BodyFormat = Literal["form", "json", "query"]
"""* `form`: A form in the body.
* `json`: JSON in the body.
* `query`: The query of the URL.
"""


class BodyPart(TypedDict):
    name: str
    """The field's name."""
    text: NotRequired[str | None]
    """The content as text."""
    json: NotRequired[Any]
    """The content as JSON."""
    base64: NotRequired[str | None]
    """The content in base64."""
    file: NotRequired[str | None]
    """The path of a file with the content, at most 64 MiB."""
    fileName: NotRequired[str | None]
    """The file name for the service."""
    contentType: NotRequired[str | None]
    """The content's media type."""


class CallAPIResult(TypedDict):
    status: int
    """The HTTP status."""
    headers: Mapping[str, str]
    """The response's headers, with names in lower case."""
    body: NotRequired[str]
    """The body."""
    bodyEncoding: NotRequired[BodyEncoding]
    """The encoding of the body."""
    json: NotRequired[Any]
    """The body as JSON, if the caller wanted it and every client can parse it."""
    jsonOmitted: NotRequired[str]
    """The reason why there is no `json` although the caller wanted it."""
    savedTo: NotRequired[str]
    """The file with the body."""
    bytes: int
    """The size of the response's body in bytes."""
    refreshed: NotRequired[bool]
    """Whether the process replaced the token during the call."""
    next: NotRequired[str]
    """The URL of the next page, if there is one."""
    nextProblem: NotRequired[str]
    """Why the next page that the service names is not used."""
    attempts: int
    """The number of times that the process sent the request, without redirects and without what libcurl repeats by itself."""


CallbackConfirmation = Literal["required", "optional"]
"""* `required`: The process rejects a response without it, as RFC 5849 requires.
* `optional`: The process accepts a response without it. Such a server may be open to session fixation.
"""


class Capabilities(TypedDict):
    methods: list[str]
    """The names of the methods that the limits allow."""
    events: list[str]
    """The names of all events."""
    flows: list[str]
    """The ways of signing in."""
    protocols: list[str]
    """The protocols of providers."""


ChangeOrigin = Literal["here", "elsewhere"]
"""* `here`: This process.
* `elsewhere`: Another process, or the user.
"""

ClientAssertionType = Literal["jwt-bearer", "jwt-spiffe"]

ClientAuthentication = Literal["basic", "body", "none", "basicAlways", "basicWithClientId", "basicUnencoded", "probe", "privateKeyJwt",
    "clientSecretJwt", "tlsClientAuth", "selfSignedTlsClientAuth"]
"""* `basic`: The client uses HTTP Basic.
* `body`: The client sends its secret in the body.
* `none`: The client sends no secret.
* `basicAlways`: The client uses HTTP Basic even without a secret.
* `basicWithClientId`: The client uses HTTP Basic, and names its ID in the body, too.
* `basicUnencoded`: Like `basic`, but with the ID and the secret as they are, which differs from RFC 6749.
* `probe`: The client uses HTTP Basic, after `invalid_client` `basicUnencoded` if that differs, and then the body.
* `privateKeyJwt`: The client sends an assertion that its private key signs (RFC 7523). A client with a key and no secret always does.
* `clientSecretJwt`: The client sends an assertion that its secret signs (RFC 7523, HS256).
* `tlsClientAuth`: The client shows its certificate, which an authority has issued (RFC 8705, 2.1), and sends no secret.
* `selfSignedTlsClientAuth`: The client shows its certificate, which it has registered (RFC 8705, 2.2), and sends no secret.
"""


class ClientCertificate(TypedDict):
    certificate: str
    """The certificate in PEM, followed by those that certify it."""
    key: NotRequired[str | None]
    """The certificate's private key in PEM. Without it, the text of the certificate holds it."""
    password: NotRequired[str | None]
    """The password of an encrypted key."""


ClientIdPlace = Literal["body", "query"]

CodeChallenge = Literal["S256", "S256-hex", "off", "required"]
"""* `S256`: The process sends a challenge with SHA-256.
* `S256-hex`: Like `S256`, but in hexadecimal digits, which differ from RFC 7636.
* `off`: The process sends no challenge.
* `required`: Like `S256`, but a description over the preset cannot switch it off.
"""


class ConfigurationInvalidData(TypedDict):
    kind: Literal["configurationInvalid"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    path: NotRequired[str]
    """The JSON pointer of the faulty member, or the option that is missing."""
    file: NotRequired[str]
    """The file with the fault."""
    known: NotRequired[list[str]]
    """The known names, if the given one is unknown."""
    missing: NotRequired[list[str]]
    """The names of `variables` that the provider's description needs."""


class CredentialPlace(TypedDict):
    scheme: NotRequired[str | None]
    """The scheme in the `Authorization` header, such as `OAuth`. It replaces the token's type."""
    header: NotRequired[str | None]
    """The header that carries the bare token. It replaces `Authorization`."""
    query: NotRequired[str | None]
    """The query parameter that carries the token. It replaces the header."""


class Deviation(TypedDict):
    member: str
    """The member of the provider's description."""
    value: Any
    """The member's value."""
    reason: NotRequired[str]
    """The reason for the deviation."""
    unconfirmed: NotRequired[bool]
    """Whether no source confirms the fact."""


class DiagnoseResult(TypedDict):
    program: str
    """The versions of the program and its libraries."""
    findings: list[Finding]
    """What was found, in the order of a sign-in."""


class DryRun(TypedDict):
    url: NotRequired[str]
    """The page that would open. It is absent if only a response of the provider tells it."""
    redirectUri: NotRequired[str]
    """The redirect URI."""
    requests: list[DryRunRequest]
    """The requests in their order. Words in capitals stand for values that only the provider knows."""


class DryRunRequest(TypedDict):
    step: str
    """The purpose of the request."""
    method: str
    """The request's HTTP method."""
    url: str
    """The request's URL."""
    headers: Mapping[str, str]
    """The request's headers."""
    body: NotRequired[str]
    """The request's body."""
    baseString: NotRequired[str]
    """OAuth 1.0a: the text that the request signs, with masked secrets (RFC 5849, 3.4.1)."""


class Empty(TypedDict):
    pass


class EnvelopePlaces(TypedDict):
    success: NotRequired[str | list[str] | None]
    """The dotted path of a member that shows an error even if the status is 200. The value is then `false`, or a string other than `ok` and
    `success`.
    """
    code: NotRequired[str | list[str] | None]
    """The dotted path of the error's code."""
    message: NotRequired[str | list[str] | None]
    """The dotted path of the error's text."""
    results: NotRequired[str | list[str] | None]
    """The dotted path of the requested data."""
    details: NotRequired[str | list[str] | None]
    """The dotted path of further details of the error."""


class ErrorInResponseWithBody(TypedDict):
    seq: int
    """The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps."""
    account: NotRequired[str]
    """The account's name."""
    request: NotRequired[Any]
    """The ID of the request that caused the event."""
    status: int
    """The HTTP status."""
    body: NotRequired[str]
    """The body."""
    bodyEncoding: NotRequired[BodyEncoding]
    """The encoding of the body."""
    json: NotRequired[Any]
    """The body as JSON, if the caller wanted it and every client can parse it."""
    jsonOmitted: NotRequired[str]
    """The reason why there is no `json` although the caller wanted it."""
    savedTo: NotRequired[str]
    """The file with the body."""


class ErrorOccuredWithShortDescription(TypedDict):
    seq: int
    """The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps."""
    account: NotRequired[str]
    """The account's name."""
    request: NotRequired[Any]
    """The ID of the request that caused the event."""
    shortDescription: str
    """The kind of failure as a sentence."""
    errorDetails: str
    """This failure as a sentence."""
    kind: str
    """The error's kind. A rejected notification may also have `methodNotFound`, `invalidParams`, `invalidRequest` or `internalError`."""


class ErrorPlaces(TypedDict):
    success: NotRequired[str | list[str] | None]
    """The dotted path of a member that shows an error even if the status is 200. The value is then `false`, or a string other than `ok` and
    `success`.
    """
    code: NotRequired[str | list[str] | None]
    """The dotted path of the error's code. The values 0, "" and null mean that there is no error."""
    message: NotRequired[str | list[str] | None]
    """The dotted path of the error's text."""
    refused: NotRequired[list[str] | None]
    """Codes that end the login with any status, such as 200, with which `invalid_grant` ends it, too. Other errors end it with status 400,
    401 or 403 if they are about neither the server nor the client. The status is the code of a response without a body. Default: `[]`.
    """


class ExpiredSign(TypedDict):
    statuses: NotRequired[list[int] | None]
    """The HTTP statuses that report an expired token. Default: `[401]`."""
    codes: NotRequired[list[str] | None]
    """The API's own error codes that report an expired token. `apiErrors.code` is their place. Default: `[]`."""
    certain: NotRequired[bool | None]
    """Whether these statuses always mean that the token has ended. Otherwise only `error="invalid_token"` and the codes do. Default:
    `false`.
    """


ExpiresZero = Literal["never", "expired"]
"""* `never`: The token does not expire.
* `expired`: The token has expired.
"""


class ExportGrantResult(TypedDict):
    account: str
    """The account's name."""
    format: ImportFormat
    """The format of the data for `importGrant`."""
    data: Any
    """The token response. A program that has it can use the account."""
    clientId: str
    """The ID of the client with the grant."""
    provider: NotRequired[str]
    """The provider's name for users."""
    preset: NotRequired[str]
    """The provider's name for `importGrant`, if it has one."""
    description: Any
    """The provider's description for `importGrant`."""


class Finding(TypedDict):
    check: str
    """What was looked at, such as `clock`."""
    state: FindingState
    """The result."""
    message: str
    """What was found."""
    advice: NotRequired[str]
    """What the user can do."""


FindingState = Literal["ok", "warning", "failed"]
"""* `ok`: Nothing is wrong.
* `warning`: It may be wrong, or it could not be checked.
* `failed`: A sign-in or a request fails because of it.
"""

Flow = Literal["auto", "browser", "device", "clientCredentials", "jwtBearer", "tokenExchange", "identityAssertion"]
"""* `auto`: The process chooses the browser. It chooses the device flow if the provider has one, there is no browser, and the client
neither opens the page nor sets `redirectUri`. An account with a token for the client itself keeps its flow.
* `browser`: The user signs in on a page that redirects to this process or to the client.
* `device`: The user types a code on a page of any device (RFC 8628).
* `clientCredentials`: The client gets a token for itself (RFC 6749, 4.4).
* `jwtBearer`: The client exchanges an assertion, or signs one with its key (RFC 7523, 2.1).
* `tokenExchange`: The client exchanges a token of another service (RFC 8693).
* `identityAssertion`: The client exchanges the ID token of another account for an assertion, and that for a token (the draft of identity
assertion grants).
"""

HTTPMethod = Literal["POST", "GET"]


class HandleRedirectResult(TypedDict):
    handled: bool
    """Whether the URL or code belonged to an open sign-in. That sign-in has now ended, with or without success."""
    reason: NotRequired[str]
    """The reason why the URL or code was useless, as a sentence for the user."""


HostCredentialInteraction = Literal["ifNeeded", "never"]
"""* `ifNeeded`: The process asks the user if there is no usable grant.
* `never`: The process never asks the user.
"""


class HostCredentialResult(TypedDict):
    account: str
    """The account's name."""
    username: str
    """The user name that the host wants."""
    password: str
    """The access token. A program that has it can use the account."""
    expiresAt: NotRequired[int]
    """When the access token expires, in Unix seconds."""


class HostNotAllowedData(TypedDict):
    kind: Literal["hostNotAllowed"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    host: NotRequired[str]
    """The host that requests or the token must not go to, in the form of `apiHosts`."""
    allowed: NotRequired[list[str]]
    """The hosts that the token may go to."""


HostUse = Literal["git", "registry", "api"]
"""* `git`: Git. The provider's `gitHosts` name its hosts.
* `registry`: A container registry's client. The provider's `registryHosts` name its hosts.
* `api`: A client of another server, such as an index of packages. Its hosts are those to which `callAPI` sends the token.
"""

IDTokenAlgorithm = Literal["HS256", "HS384", "HS512"]

ImportFormat = Literal["gtmoauth", "gtmoauth2", "googleoauth", "spark", "json", "refreshToken"]
"""* `gtmoauth`: GTMOAuth's keychain string: `oauth_token=…&oauth_token_secret=…&…`.
* `gtmoauth2`: GTMOAuth2's keychain string: `refresh_token=…&serviceProvider=…&…`.
* `googleoauth`: The texts of GoogleOAuth's files `acctok` and `reftok`.
* `spark`: SparkAPI's keychain keys `sparkAccessToken`, `sparkRefreshToken` and `sparkOpenId`.
* `json`: A token response (RFC 6749, 5.1), or an access token by itself. The files of gcloud (`application_default_credentials.json`),
google-auth, oidc-agent (`oidc-gen -p`) and rclone are read whole: the tokens, their end, the scopes, the client with its secret, and the
provider.
* `refreshToken`: A refresh token by itself.
"""


class InitializeResult(TypedDict):
    protocolVersion: int
    """The version of this protocol."""
    serverInfo: ServerInfo
    """The name and version of this program."""
    capabilities: Capabilities
    """The capabilities of this process."""
    limits: NotRequired[LimitState]
    """The limits that the user who started the process has set. No method changes them."""


class InsufficientScopeData(TypedDict):
    kind: Literal["insufficientScope"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    scopes: NotRequired[list[str]]
    """The missing scopes. The list is empty if the service does not name them."""
    claims: NotRequired[str]
    """The claims that the service demands of the sign-in: a JSON object as text. `stepUp` sends them."""
    httpStatus: NotRequired[int]
    """The HTTP status."""
    headers: NotRequired[Mapping[str, str]]
    """The response's headers, with names in lower case."""
    body: NotRequired[str]
    """The body, unless `json` has it."""
    bodyEncoding: NotRequired[BodyEncoding]
    """The encoding of the body."""
    json: NotRequired[Any]
    """The body as JSON, if the caller wanted it and every client can parse it."""
    jsonOmitted: NotRequired[str]
    """The reason why there is no `json` although the caller wanted it."""
    attempts: NotRequired[int]
    """The number of times that the process sent the request, without redirects and without what libcurl repeats by itself."""
    retryAfter: NotRequired[int]
    """The seconds after which the service accepts calls again."""
    code: NotRequired[Any]
    """The service's own code, or -1 if the place in the provider's description is empty."""
    serviceMessage: NotRequired[str]
    """The service's own message."""
    serviceDetails: NotRequired[Any]
    """The service's own details, as JSON."""


class InsufficientUserAuthenticationData(TypedDict):
    kind: Literal["insufficientUserAuthentication"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    acrValues: NotRequired[list[str]]
    """The ways of signing in that the service accepts. An empty list accepts any."""
    maxAge: NotRequired[int]
    """The greatest age of the sign-in, in seconds."""
    claims: NotRequired[str]
    """The claims that the service demands of the sign-in: a JSON object as text. `stepUp` sends them."""
    httpStatus: NotRequired[int]
    """The HTTP status."""
    headers: NotRequired[Mapping[str, str]]
    """The response's headers, with names in lower case."""
    body: NotRequired[str]
    """The body, unless `json` has it."""
    bodyEncoding: NotRequired[BodyEncoding]
    """The encoding of the body."""
    json: NotRequired[Any]
    """The body as JSON, if the caller wanted it and every client can parse it."""
    jsonOmitted: NotRequired[str]
    """The reason why there is no `json` although the caller wanted it."""
    attempts: NotRequired[int]
    """The number of times that the process sent the request, without redirects and without what libcurl repeats by itself."""
    retryAfter: NotRequired[int]
    """The seconds after which the service accepts calls again."""
    code: NotRequired[Any]
    """The service's own code, or -1 if the place in the provider's description is empty."""
    serviceMessage: NotRequired[str]
    """The service's own message."""
    serviceDetails: NotRequired[Any]
    """The service's own details, as JSON."""


Interaction = Literal["ifNeeded", "never", "always"]
"""* `ifNeeded`: The process asks the user if there is no usable grant.
* `never`: The process never asks the user.
* `always`: The process always asks the user. A different user may sign in.
"""


class IntrospectResult(TypedDict):
    account: str
    """The account's name."""
    active: bool
    """Whether the access token is usable."""
    claims: Any
    """The server's own object, unchanged."""


LimitRule = Literal["accounts", "allow", "read-only", "no-tokens", "allow-call", "files", "known-providers"]
"""* `accounts`: The client may use some accounts only.
* `allow`: The client may call some methods only.
* `read-only`: No sign-in, revocation or import, and API calls with the HTTP methods GET and HEAD only.
* `no-tokens`: No method returns a credential.
* `allow-call`: API calls with some methods to some URLs only.
* `files`: Files below one folder only.
* `known-providers`: Providers of presets, provider files and the configuration only.
"""


class LimitState(TypedDict):
    accounts: NotRequired[list[str]]
    """The client may use some accounts only."""
    allow: NotRequired[list[str]]
    """The client may call some methods only."""
    readOnly: NotRequired[bool]
    """No sign-in, revocation or import, and API calls with the HTTP methods GET and HEAD only."""
    noTokens: NotRequired[bool]
    """No method returns a credential."""
    allowCall: NotRequired[list[list[str]]]
    """The allowed API calls. Each list must have a rule for a call."""
    files: NotRequired[str]
    """Files below one folder only."""
    knownProviders: NotRequired[bool]
    """Providers of presets, provider files and the configuration only."""
    profile: NotRequired[str]
    """The set of limits in the configuration."""


NeededSignInReason = Literal["noGrant", "refreshRefused", "scopesMissing", "expired", "issuerChanged", "clientRejected"]
"""* `noGrant`: The account has no grant.
* `refreshRefused`: The provider rejected the refresh token.
* `scopesMissing`: The grant lacks requested scopes.
* `expired`: The access token has expired and cannot be refreshed.
* `issuerChanged`: The API names another authorization server than that of the grant.
* `clientRejected`: The provider rejected the client that this program registered. The next sign-in registers another.
"""


class NetworkFailureData(TypedDict):
    kind: Literal["networkFailure"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    host: NotRequired[str]
    """The host that could not be reached."""
    cause: NotRequired[str]
    """The cause: `resolve`, `connect`, `proxy`, `tls`, `protocol`, `broken`, `redirects`, `cancelled`, `loopback`, `descriptors`, `libcurl`
    or `clientCertificate`.
    """


class NotAllowedData(TypedDict):
    kind: Literal["notAllowed"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    rule: LimitRule
    """The limit, by the name of its option."""


OpenIDDialect = Literal["standard", "bare"]
"""* `standard`: The request follows the specification.
* `bare`: The request has no namespaces, realm and identity.
"""

OpenRPCDocument = Mapping[str, Any]


class OtherTokenOptions(TypedDict):
    scopes: NotRequired[OtherTokenWay | OtherTokenRefresh | None]
    """The request that brings a token with some of the login's scopes. Without it, a refresh does while the server keeps the refresh token.
    """
    resource: NotRequired[OtherTokenWay | OtherTokenRefresh | None]
    """The request that brings a token for another resource (RFC 8707). Without it, the process asks for none."""
    audience: NotRequired[OtherTokenWay | OtherTokenRefresh | None]
    """The request that brings a token for another audience. Without it, the process asks for none."""


class OtherTokenParameter(TypedDict):
    parameter: str
    """The parameter's name."""
    value: NotRequired[str | None]
    """Its value, in which `{resource}` or `{audience}` is what was asked. Without it, that alone."""


class OtherTokenRefresh(TypedDict):
    refresh: OtherTokenParameter
    """The server's own parameter."""


OtherTokenWay = Literal["refresh", "exchange"]
"""* `refresh`: A refresh (RFC 6749, 6; RFC 8707, 2.2).
* `exchange`: An exchange of the login's access token (RFC 8693).
"""


class Pagination(TypedDict):
    style: PaginationStyle
    """The way to the next page."""
    cursor: NotRequired[str | list[str] | None]
    """The dotted path of the next page's cursor, or of its whole URL. The style `cursor` needs it."""
    parameter: NotRequired[str | None]
    """The query parameter for the cursor, the offset or the page number. The styles `offset` and `page` need it."""
    items: NotRequired[str | list[str] | None]
    """The dotted path of the page's items, whose number moves the offset. Without it, the whole response is the list of items."""
    current: NotRequired[str | list[str] | None]
    """The dotted path of the current page's number. The style `page` needs it."""
    total: NotRequired[str | list[str] | None]
    """The dotted path of the number of pages. The style `page` needs it."""


PaginationStyle = Literal["link", "cursor", "offset", "page"]
"""* `link`: A `Link` header names the next page (RFC 8288).
* `cursor`: The response has a cursor or the URL of the next page.
* `offset`: The request names the number of items read so far.
* `page`: The request names the page number, and the response has the number of pages.
"""

ParameterFormat = Literal["form", "json"]

PathJoin = Literal["atRoot", "underBase"]
"""* `atRoot`: The path starts at the root of the host (RFC 3986, 5.2.2).
* `underBase`: The path lies under `apiBase`.
"""


class PortInUseData(TypedDict):
    kind: Literal["portInUse"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    port: NotRequired[int]
    """The port that is in use."""


class ProgressWasMade(TypedDict):
    seq: int
    """The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps."""
    account: NotRequired[str]
    """The account's name."""
    request: NotRequired[Any]
    """The ID of the request that caused the event."""
    sent: int
    """The number of sent bytes."""
    received: int
    """The number of received bytes."""
    total: NotRequired[int]
    """The number of expected bytes, if the service tells it."""


ProtocolName = Literal["oauth2", "oauth1", "openid2"]
"""* `oauth2`: OAuth 2.0 (RFC 6749), with OpenID Connect.
* `oauth1`: OAuth 1.0a (RFC 5849).
* `openid2`: OpenID Authentication 2.0.
"""


class Provider(TypedDict):
    name: NotRequired[str | None]
    """The provider's name for users. Without it, the preset's name or the host is used."""
    preset: NotRequired[str | None]
    """The preset that the description starts from. Every other member overrides the preset's. A default applies only if the preset lacks
    the member too.
    """
    protocol: NotRequired[ProtocolName | None]
    """The protocol that the provider uses. Default: `"oauth2"`."""
    issuer: NotRequired[str | None]
    """The issuer's identifier. The `iss` of an ID token and of a redirect must equal it (RFC 9207). In a preset or a provider file,
    `{tenantid}` in its path stands for the ID token's claim `tid`.
    """
    discovery: NotRequired[str | None]
    """An issuer or a protected resource that publishes its endpoints (RFC 8414, RFC 9728). The members of this description override what it
    publishes.
    """
    authorizationEndpoint: NotRequired[str | None]
    """The page where the user signs in (RFC 6749, 3.1). If the URL has a path as its fragment, the parameters follow the fragment."""
    tokenEndpoint: NotRequired[str | None]
    """The URL that exchanges codes and refresh tokens (RFC 6749, 3.2)."""
    introspectionEndpoint: NotRequired[str | None]
    """The URL that returns the state of a token (RFC 7662)."""
    userInfoEndpoint: NotRequired[str | None]
    """The URL that returns claims about the user (OpenID Connect Core, 5.3)."""
    userInfoPath: NotRequired[str | list[str] | None]
    """The dotted path of the object with the claims in the response of `userInfoEndpoint`."""
    deviceAuthorizationEndpoint: NotRequired[str | None]
    """The URL that issues device codes (RFC 8628)."""
    registrationEndpoint: NotRequired[str | None]
    """The URL where a client registers itself (RFC 7591)."""
    pushedAuthorizationRequestEndpoint: NotRequired[str | None]
    """The URL that takes pushed authorization requests (RFC 9126)."""
    mtlsEndpoints: NotRequired[Mapping[str, str] | None]
    """The endpoints for a client with a certificate, by the names of the members that they replace: `{"tokenEndpoint": "https://…"}` (RFC
    8705, 5). Default: `{}`.
    """
    jwksUri: NotRequired[str | None]
    """The URL of the issuer's public keys (RFC 7517)."""
    idTokenAlgorithms: NotRequired[list[IDTokenAlgorithm] | None]
    """Algorithms of ID tokens that the client's secret signs, besides those with the issuer's public keys (OpenID Connect Core, 10.1).
    Default: `[]`.
    """
    registrationPage: NotRequired[str | None]
    """The page where people register a client. Errors name it."""
    scopes: NotRequired[list[str] | None]
    """The scopes that the process requests if the caller names none. Default: `[]`."""
    scopeSeparator: NotRequired[str | None]
    """The text between two scopes. Default: `" "`."""
    scopeParameter: NotRequired[str | None]
    """The parameter that carries the scopes. With `none`, no parameter carries them. Default: `"scope"`."""
    pkce: NotRequired[CodeChallenge | None]
    """Whether the process sends a code challenge (RFC 7636). Default: `"S256"`."""
    authorizationParameters: NotRequired[Mapping[str, str] | None]
    """Extra parameters of the authorization request. Default: `{}`."""
    authorizationFragment: NotRequired[str | None]
    """The fragment that follows the parameters in the URL of the authorization page."""
    redirectErrorNames: NotRequired[Mapping[str, str] | None]
    """The standard names of errors in the redirect (RFC 6749, 4.1.2.1), by the provider's own names. Default: `{}`."""
    parameterNames: NotRequired[Mapping[str, str] | None]
    """The provider's names of standard parameters in authorization, token and refresh requests. An empty name leaves the parameter out.
    Default: `{}`.
    """
    codeParameter: NotRequired[str | None]
    """The redirect's parameter with the code. Default: `"code"`."""
    stateParameter: NotRequired[str | None]
    """The parameter with the process's `state` in the authorization request and in the redirect. It identifies the redirect. Default:
    `"state"`.
    """
    callbackMembers: NotRequired[list[str] | None]
    """Parameters of the redirect that the process stores with the account. Later endpoints and `apiHeaders` may contain them as {name}.
    Default: `[]`.
    """
    redirectIssuer: NotRequired[RedirectIssuer | None]
    """Whether a redirect must have `iss` (RFC 9207, 2.4). Default: `"optional"`."""
    pushedAuthorizationRequests: NotRequired[Switch | None]
    """Whether the process pushes the authorization request to the provider before the page opens (RFC 9126). The page then works for some
    minutes only, as the provider decides. Default: `"off"`.
    """
    registrationParameters: NotRequired[Mapping[str, Any] | None]
    """Members of the client's own registration (RFC 7591, 2), such as `client_name` or `contacts`. Default: `{}`."""
    registrationFormat: NotRequired[RegistrationFormat | None]
    """The format of the client's own registration. Default: `"json"`."""
    resourceIndicator: NotRequired[Switch | None]
    """Whether the process sends a `resource` among the parameters and repeats it at the token endpoint (RFC 8707). Default: `"on"`."""
    signInAgainWithin: NotRequired[int | None]
    """`authorize` signs in again within this many seconds before the end of a token that cannot be refreshed. Default: `0`."""
    scopeAliases: NotRequired[Mapping[str, str] | None]
    """Scopes that the provider grants under a name other than the requested one. They do not count as missing. Default: `{}`."""
    scopeCase: NotRequired[ScopeCase | None]
    """How the process compares requested and granted scopes. Default: `"exact"`."""
    scopePrefix: NotRequired[str | None]
    """A beginning that a scope may have or lack, such as the URL of the provider's own API. Default: `""`."""
    nonce: NotRequired[Switch | None]
    """Whether the process sends a nonce with the scope `openid`. The ID token must then repeat it. Some providers do not repeat it.
    Default: `"on"`.
    """
    consentRetry: NotRequired[Mapping[str, str] | None]
    """Parameters of a second authorization request. The process sends it if it requested a refresh token, received none and has none
    stored. Default: `{}`.
    """
    clientAuthentication: NotRequired[ClientAuthentication | None]
    """The authentication of a client with a secret or a key (RFC 6749, 2.3.1; RFC 7523, 2.2). Default: `"basic"`."""
    bodyFormat: NotRequired[BodyFormat | None]
    """The format of the parameters in token and refresh requests. Default: `"form"`."""
    tokenMethod: NotRequired[HTTPMethod | None]
    """The HTTP method of token requests. Default: `"POST"`."""
    requestSignature: NotRequired[RequestSignature | None]
    """The headers that sign token and refresh requests with the client's secret. They replace `clientAuthentication`."""
    dpop: NotRequired[bool | None]
    """Whether the process binds the tokens to a key of its own, which each use of a token proves (DPoP, RFC 9449). It also does so if the
    server demands it. A change counts at the next sign-in, and without a user at the next refresh. Only `false` in `authorize` or in an
    account ends a binding. Default: `false`.
    """
    tokenHeaders: NotRequired[Mapping[str, str] | None]
    """Extra headers of token, refresh and revocation requests. Default: `{}`."""
    tokenParameters: NotRequired[Mapping[str, str] | None]
    """Extra parameters of the request that exchanges a code or a device code. Default: `{}`."""
    clientGrantType: NotRequired[str | None]
    """The `grant_type` of a token for the client itself (RFC 6749, 4.4). Default: `"client_credentials"`."""
    refreshEndpoint: NotRequired[str | None]
    """The URL that refreshes tokens. Without it, the token endpoint does."""
    refreshMethod: NotRequired[HTTPMethod | None]
    """The HTTP method of refresh requests. Without it, `tokenMethod` applies."""
    refreshAuthentication: NotRequired[ClientAuthentication | None]
    """The client's authentication in refresh requests. Without it, `clientAuthentication` applies."""
    refreshStyle: NotRequired[RefreshStyle | None]
    """The token that a refresh exchanges. Default: `"refreshToken"`."""
    refreshGrantType: NotRequired[str | None]
    """The `grant_type` of refresh requests. Default: `"refresh_token"`."""
    refreshTokenParameter: NotRequired[str | None]
    """The parameter with the token that a refresh exchanges. With `none`, no parameter carries a token, and the client's signature
    identifies the account. Default: `"refresh_token"`.
    """
    refreshParameters: NotRequired[Mapping[str, str] | None]
    """Extra parameters of refresh requests. Default: `{}`."""
    refreshTokenUse: NotRequired[RefreshTokenUse | None]
    """Whether the client may use a refresh token more than once. Default: `"repeated"`."""
    renewWithin: NotRequired[int | None]
    """The process renews an access token within this many seconds before its end, if only a valid token can be renewed. It never renews in
    the first half of the token's life. 0 means just before the end. Default: `0`.
    """
    sendsRedirectUriWithCode: NotRequired[bool | None]
    """Whether the exchange of a code repeats the redirect URI. Default: `true`."""
    sendsRedirectUriOnRefresh: NotRequired[bool | None]
    """Whether a refresh repeats the redirect URI. Default: `false`."""
    sendsScopesOnRefresh: NotRequired[bool | None]
    """Whether a refresh names the granted scopes. Default: `false`."""
    assertionAudience: NotRequired[str | None]
    """The audience of the client's assertions: `issuer`, `tokenEndpoint`, or a URI. `tokenEndpoint` stands for the URL that a request goes
    to: the token endpoint for tokens, and for example the revocation endpoint for a revocation. Default: `"issuer"`.
    """
    assertionType: NotRequired[AssertionType | None]
    """The header `typ` of the client's assertions. Default: `"client-authentication+jwt"`."""
    assertionPlacement: NotRequired[AssertionPlacement | None]
    """The place of the assertion in a token request with the flow `jwtBearer`. Default: `"body"`."""
    otherTokens: NotRequired[OtherTokenOptions | None]
    """How the process gets another token of a login: with some of its scopes, or for another resource or audience of the same server."""
    longLivedEndpoint: NotRequired[str | None]
    """The URL that exchanges the access token of a sign-in for a long-lived one. Without it, the token endpoint does."""
    longLivedMethod: NotRequired[HTTPMethod | None]
    """The HTTP method of the exchange. Without it, `tokenMethod` applies."""
    longLivedGrantType: NotRequired[str | None]
    """The `grant_type` with which the process exchanges the access token of a sign-in for a long-lived one. Without it, there is no such
    exchange.
    """
    longLivedTokenParameter: NotRequired[str | None]
    """The parameter of the exchange with the token. Default: `"access_token"`."""
    tokenPath: NotRequired[str | list[str] | None]
    """The dotted path of the object with the token members, such as `data` or `authed_user`."""
    memberNames: NotRequired[Mapping[str, str | list[str]] | None]
    """The dotted paths of standard members in token responses, from the top of the response. Default: `{}`."""
    tokenType: NotRequired[str | None]
    """The access token's type. It overrides the response's `token_type`."""
    tokenTypeDefault: NotRequired[str | None]
    """The access token's type if the response has no `token_type`. Default: `"Bearer"`."""
    expiresZero: NotRequired[ExpiresZero | None]
    """The meaning of 0 in `expires_in`. If a response has no `expires_in`, the process reads `expires_at`. Default: `"never"`."""
    expiresDefault: NotRequired[int | None]
    """The lifetime of an access token in seconds, if the response does not name it."""
    tokenErrors: NotRequired[ErrorPlaces | None]
    """The places of errors in token responses, including responses with status 200. Without it, RFC 6749, 5.2 applies."""
    tokenMembers: NotRequired[list[str | list[str]] | None]
    """The dotted paths of members of token responses that the process stores with the account. `apiBase` and `apiHeaders` may contain them
    as {name}, by the last part of their path. Default: `[]`.
    """
    afterSignIn: NotRequired[AccountLookup | None]
    """A request after the sign-in. Its response contains values that later URLs and headers need, such as a tenant."""
    apiBase: NotRequired[str | None]
    """The base of relative URLs in `callAPI` (RFC 3986, 5.2). Without a slash at its end, a relative URL replaces its last part. It may
    contain {names}.
    """
    apiPathJoin: NotRequired[PathJoin | None]
    """The meaning of a `url` of `callAPI` that starts with a slash. Default: `"atRoot"`."""
    apiHosts: NotRequired[list[str] | None]
    """The hosts that receive the token. Without this list, they are the hosts of `apiBase` and of the endpoints."""
    apiHeaders: NotRequired[Mapping[str, str] | None]
    """Headers of every API call. They may contain {names}. The caller's headers override them. Default: `{}`."""
    endpointHosts: NotRequired[list[str] | None]
    """The hosts that an endpoint or `apiBase` may have if a {name} in it comes from the redirect or from the token response. Default: `[]`.
    """
    gitHosts: NotRequired[list[str] | None]
    """The hosts whose Git repositories accept the access token as a password. Default: `[]`."""
    gitUserName: NotRequired[str | None]
    """The user name to send with the token. Default: `"oauth2"`."""
    registryHosts: NotRequired[list[str] | None]
    """The hosts of container registries that accept the access token as a password. Default: `[]`."""
    registryUserName: NotRequired[str | None]
    """The user name to send with the token. Default: `"oauth2"`."""
    apiCredential: NotRequired[CredentialPlace | None]
    """The place of the access token in API calls. Without it, the token is in the `Authorization` header with its type."""
    apiErrors: NotRequired[EnvelopePlaces | None]
    """The places of success, error and results in the API's JSON."""
    expired: NotRequired[ExpiredSign | None]
    """The signs of an expired access token."""
    parameterFormat: NotRequired[ParameterFormat | None]
    """The format of `parameters` of `callAPI` with POST, PUT and PATCH. Default: `"form"`."""
    rateLimit: NotRequired[RateLimitHeaders | None]
    """The headers that report rate limits. `Retry-After` is always read."""
    pagination: NotRequired[Pagination | None]
    """The way in which the API points to the next page."""
    redirectHost: NotRequired[str | None]
    """The loopback host of redirects: `127.0.0.1`, `[::1]` or `localhost`. Without it, the process uses `127.0.0.1`."""
    redirectPath: NotRequired[str | None]
    """The path of loopback redirects. Without it, the process uses `/callback`."""
    redirectPorts: NotRequired[list[int] | None]
    """The ports of loopback redirects, in the order in which the process tries them. Without them, it uses any free port. Default: `[]`."""
    redirectPolicy: NotRequired[RedirectPolicy | None]
    """The redirect URIs that the provider accepts. Default: `"anyPort"`."""
    revocationEndpoint: NotRequired[str | None]
    """The URL that revokes tokens (RFC 7009). It may contain {clientId}. With the styles `get` and `query`, its path or query may contain
    {accessToken}.
    """
    revocationStyle: NotRequired[RevocationStyle | None]
    """The form of a revocation request. Without it, an endpoint uses `rfc7009`."""
    revocationToken: NotRequired[RevocationTokens | None]
    """The tokens that the process sends for revocation. Default: `"both"`."""
    revocationTokenParameter: NotRequired[str | None]
    """The parameter or JSON member with the token. Without it, the name is `token`, or `access_token` with the style `deleteWithBasic`."""
    revocationParameters: NotRequired[Mapping[str, str] | None]
    """Extra parameters of revocation requests with the style `rfc7009`. They may contain {accessToken}, the token to revoke. Default: `{}`.
    """
    endSessionEndpoint: NotRequired[str | None]
    """The page that ends the provider's session in the browser (OpenID Connect RP-Initiated Logout 1.0). `signOut` and `revoke` return it
    for the client to open.
    """
    endSessionParameters: NotRequired[Mapping[str, str] | None]
    """The parameters of the logout page. They may contain {clientId}, {email} and {subject}. The process leaves out a parameter whose value
    is unknown. Default: `{"client_id": "{clientId}", "logout_hint": "{email}"}`.
    """
    deviceParameters: NotRequired[Mapping[str, str] | None]
    """Extra parameters of the device authorization request. Default: `{}`."""
    deviceParameterNames: NotRequired[Mapping[str, str] | None]
    """The provider's names of standard parameters in the device authorization request, such as `scope`. Default: `{}`."""
    deviceMemberNames: NotRequired[Mapping[str, str | list[str]] | None]
    """The dotted paths of standard members in the device authorization response. Default: `{}`."""
    deviceClientIdIn: NotRequired[ClientIdPlace | None]
    """The place of the client's ID in the device authorization request. Default: `"body"`."""
    deviceGrantType: NotRequired[str | None]
    """The `grant_type` of a device code (RFC 8628, 3.4). Default: `"urn:ietf:params:oauth:grant-type:device_code"`."""
    sendsUserCode: NotRequired[bool | None]
    """Whether the process sends the user's code to the token endpoint. Default: `false`."""
    deviceErrorNames: NotRequired[Mapping[str, str] | None]
    """The standard names of errors (RFC 8628, 3.5), by the provider's own names. Default: `{}`."""
    requestTokenEndpoint: NotRequired[str | None]
    """OAuth 1.0a: the URL of temporary credentials (RFC 5849, 2.1)."""
    accessTokenEndpoint: NotRequired[str | None]
    """OAuth 1.0a: the URL of token credentials (RFC 5849, 2.3)."""
    signatureMethod: NotRequired[SignatureMethod | None]
    """OAuth 1.0a: the method that signs requests (RFC 5849, 3.4). Default: `"HMAC-SHA1"`."""
    privateKey: NotRequired[str | None]
    """OAuth 1.0a: the client's RSA key in PEM."""
    signaturePlacement: NotRequired[SignaturePlacement | None]
    """OAuth 1.0a: the place of the protocol's parameters (RFC 5849, 3.5). Default: `"header"`."""
    realm: NotRequired[str | None]
    """OAuth 1.0a: the realm in the `Authorization` header (RFC 5849, 3.5.1)."""
    tokenRequestMethod: NotRequired[HTTPMethod | None]
    """OAuth 1.0a: the HTTP method of both token requests. Default: `"POST"`."""
    requestTokenParameters: NotRequired[Mapping[str, str] | None]
    """OAuth 1.0a: extra parameters of the request for temporary credentials. Default: `{}`."""
    scopeStep: NotRequired[ScopeStep | None]
    """OAuth 1.0a: the step that sends the scopes, as `scopeParameter`. Default: `"requestToken"`."""
    oauthCallbackConfirmed: NotRequired[CallbackConfirmation | None]
    """OAuth 1.0a: whether the response with temporary credentials must confirm the callback (RFC 5849, 2.1). Default: `"required"`."""
    openidEndpoint: NotRequired[str | None]
    """OpenID 2.0: the provider's endpoint. The process discovers none."""
    openidClaimedIds: NotRequired[str | None]
    """OpenID 2.0: the start of the provider's own claimed identifiers, which one plain segment must follow. The dialect `standard` needs
    it, because the process looks up no identifier (11.2).
    """
    openidAttributes: NotRequired[AttributeExchange | None]
    """OpenID Attribute Exchange 1.0: the requested attributes."""
    openidParameters: NotRequired[Mapping[str, str] | None]
    """OpenID 2.0: extra parameters of the request. Default: `{}`."""
    openidClientParameter: NotRequired[str | None]
    """OpenID with OAuth: the parameter with the client's ID. Its name starts with `openid.`."""
    openidStateParameter: NotRequired[str | None]
    """OpenID with OAuth: the parameter with the process's `state` in the request and in the response. Without it, `return_to` carries the
    state.
    """
    openidCodeParameter: NotRequired[str | None]
    """OpenID with OAuth: the response's parameter with a code to exchange."""
    openidDialect: NotRequired[OpenIDDialect | None]
    """OpenID 2.0: the form of the request. Default: `"standard"`."""
    variables: NotRequired[Mapping[str, str] | None]
    """Values for {names} in the endpoints, such as a tenant or a host. Default: `{}`."""
    variablesByHost: NotRequired[Mapping[str, Mapping[str, str]] | None]
    """Further values for {names}, by the value of `host`: a host, `*.` and a domain, or `*` for any other. The first that fits counts."""
    reasons: NotRequired[Mapping[str, str] | None]
    """The reason for each deviation, by member name. Default: `{}`."""
    unconfirmed: NotRequired[list[str] | None]
    """Members whose facts no source confirms. Default: `[]`."""
    sources: NotRequired[Mapping[str, list[str]] | None]
    """Where facts come from: a document or a list, with its date, and the members whose facts it states. `*` stands for all members that
    neither another source nor `unconfirmed` has. Default: `{}`.
    """


class ProviderResult(TypedDict):
    name: str
    """The provider's name for users."""
    preset: NotRequired[str]
    """The preset that the description starts from."""
    protocol: ProtocolName
    """The provider's protocol."""
    issuer: NotRequired[str]
    """The issuer's identifier."""
    endpoints: Mapping[str, str]
    """The URLs of the endpoints, by name."""
    apiBase: NotRequired[str]
    """The base of relative URLs."""
    apiHosts: NotRequired[list[str]]
    """The hosts that receive the token."""
    redirectUri: NotRequired[str]
    """The loopback URI to register. With `anyPort`, PORT stands for any free port. With `pinnedPort`, the user chooses the port, and
    `authorize` needs the URI.
    """
    redirectPolicy: RedirectPolicy
    """The redirect URIs that the provider accepts."""
    registrationPage: NotRequired[str]
    """The page where people register a client."""
    scopes: list[str]
    """The scopes that the process requests if the caller names none."""
    deviations: list[Deviation]
    """The members in which the provider deviates from the specification."""
    unconfirmed: list[str]
    """Members whose facts no source confirms."""
    sources: NotRequired[Mapping[str, list[str]]]
    """Where facts come from, each with the members whose facts it states. `*` stands for all other confirmed members."""


class ProvidersResult(TypedDict):
    providers: list[str]
    """The names, which `authorize` and `provider` accept."""


class RateLimitHeaders(TypedDict):
    reset: NotRequired[str | None]
    """The header with the Unix second at which the API accepts calls again."""
    remaining: NotRequired[str | None]
    """The header with the number of remaining calls."""


RedirectIssuer = Literal["optional", "required"]
"""* `optional`: The process accepts a redirect without `iss`.
* `required`: The process rejects a redirect without `iss`.
"""

RedirectPolicy = Literal["anyPort", "pinnedPort", "https"]
"""* `anyPort`: The provider accepts any port of the loopback address.
* `pinnedPort`: The provider accepts a registered port of the loopback address.
* `https`: The provider accepts https only, so the client receives the redirect itself.
"""

RefreshStyle = Literal["refreshToken", "accessToken"]
"""* `refreshToken`: The refresh token.
* `accessToken`: The access token itself, while it is valid.
"""

RefreshTokenUse = Literal["repeated", "once"]
"""* `repeated`: A used refresh token stays valid.
* `once`: A used refresh token is invalid, even if the response has no new one.
"""

RegistrationFormat = Literal["json", "form"]
"""* `json`: JSON, as in RFC 7591.
* `form`: A form with `scopes` in the place of `scope`, as Mastodon's servers want it.
"""

RemoteRevocation = Literal["revoked", "partial", "refused", "unsupported"]
"""* `revoked`: The provider revoked all tokens that it received.
* `partial`: The provider revoked one token and rejected the other.
* `refused`: The provider revoked nothing and may still accept the tokens.
* `unsupported`: The provider has no revocation, or none for this client.
"""


class RequestSignature(TypedDict):
    signature: str
    """The header with the HMAC-SHA256 of body and timestamp, in hexadecimal."""
    timestamp: str
    """The header with the time of the request, in milliseconds since 1970."""
    clientId: str
    """The header with the client's ID."""


ResponseForm = Literal["text", "json", "base64", "results"]
"""* `text`: The body as text, or as base64 if it is not UTF-8.
* `json`: The body as JSON.
* `base64`: The body as base64.
* `results`: The JSON at `apiErrors.results` of the provider's description, without its envelope.
"""


class ResponseFromServiceWasReceived(TypedDict):
    seq: int
    """The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps."""
    account: NotRequired[str]
    """The account's name."""
    request: NotRequired[Any]
    """The ID of the request that caused the event."""
    status: int
    """The HTTP status."""
    headers: Mapping[str, str]
    """The response's headers, with names in lower case."""
    bytes: int
    """The size of the response's body in bytes."""
    body: NotRequired[str]
    """The body."""
    bodyEncoding: NotRequired[BodyEncoding]
    """The encoding of the body."""
    json: NotRequired[Any]
    """The body as JSON, if the caller wanted it and every client can parse it."""
    jsonOmitted: NotRequired[str]
    """The reason why there is no `json` although the caller wanted it."""
    savedTo: NotRequired[str]
    """The file with the body."""
    next: NotRequired[str]
    """The URL of the next page, if there is one."""
    nextProblem: NotRequired[str]
    """Why the next page that the service names is not used."""


class ResponseTooLargeData(TypedDict):
    kind: Literal["responseTooLarge"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    maxBytes: NotRequired[int]
    """The size limit in bytes."""


class ResponseUntrustedData(TypedDict):
    kind: Literal["responseUntrusted"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    baseString: NotRequired[str]
    """OAuth 1.0a: the text that the request signed, with masked secrets (RFC 5849, 3.4.1)."""
    issuer: NotRequired[str]
    """The issuer that the redirect names (RFC 9207)."""
    wantedIssuer: NotRequired[str]
    """The issuer that the redirect must name."""


RevocableToken = Literal["accessToken", "refreshToken"]

RevocationStyle = Literal["rfc7009", "get", "query", "json", "bearer", "deleteWithBasic", "delete", "signed", "none"]
"""* `rfc7009`: A form with the token and a hint (RFC 7009).
* `get`: GET with the token in the query.
* `query`: POST with the token in the query and the client's authentication.
* `json`: POST with the token as JSON and the client's Basic credentials.
* `bearer`: POST without a body, with the token in the `Authorization` header.
* `deleteWithBasic`: DELETE with the token as JSON and the client's Basic credentials.
* `delete`: DELETE without a body, with the token in the `Authorization` header.
* `signed`: OAuth 1.0a: POST that the token signs.
* `none`: The provider revokes no tokens.
"""

RevocationTokens = Literal["both", "access", "refresh"]
"""* `both`: The refresh token, then the access token.
* `access`: The access token.
* `refresh`: The refresh token.
"""


class RevokeResult(TypedDict):
    account: str
    """The account's name."""
    revoked: bool
    """Whether the provider revoked all tokens that it received."""
    remote: RemoteRevocation
    """The provider's reaction."""
    remaining: NotRequired[list[RevocableToken]]
    """The tokens that the provider rejected while it revoked another. They may have ended with that one."""
    expiresAt: NotRequired[int]
    """When a remaining access token expires, in Unix seconds."""
    logoutUrl: NotRequired[str]
    """The page that ends the provider's session in the browser. The process does not open it."""


ScopeCase = Literal["exact", "ignore"]
"""* `exact`: Capital and small letters differ (RFC 6749, 3.3).
* `ignore`: Capital and small letters are equal.
"""

ScopeStep = Literal["requestToken", "authorization", "both"]
"""* `requestToken`: The request for temporary credentials sends the scopes.
* `authorization`: The URL of the authorization page has the scopes.
* `both`: Both steps send the scopes.
"""


class ServerInfo(TypedDict):
    name: str
    """The program's name."""
    version: str
    """The program's version."""


class ServiceErrorData(TypedDict):
    kind: Literal["serviceError"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    httpStatus: NotRequired[int]
    """The HTTP status."""
    headers: NotRequired[Mapping[str, str]]
    """The response's headers, with names in lower case."""
    body: NotRequired[str]
    """The body, unless `json` has it."""
    bodyEncoding: NotRequired[BodyEncoding]
    """The encoding of the body."""
    json: NotRequired[Any]
    """The body as JSON, if the caller wanted it and every client can parse it."""
    jsonOmitted: NotRequired[str]
    """The reason why there is no `json` although the caller wanted it."""
    attempts: NotRequired[int]
    """The number of times that the process sent the request, without redirects and without what libcurl repeats by itself."""
    retryAfter: NotRequired[int]
    """The seconds after which the service accepts calls again."""
    code: NotRequired[Any]
    """The service's own code, or -1 if the place in the provider's description is empty."""
    serviceMessage: NotRequired[str]
    """The service's own message."""
    serviceDetails: NotRequired[Any]
    """The service's own details, as JSON."""


class SignIn(TypedDict):
    id: str
    """The sign-in's ID for `awaitSignIn`."""
    url: str
    """The page that the user opens."""
    userCode: NotRequired[str]
    """The code that the user types on the page."""
    verificationUri: NotRequired[str]
    """The page without the code. The user may type the code there."""
    expiresAt: int
    """When the sign-in or its page expires, in Unix seconds."""
    previousIssuer: NotRequired[str]
    """The issuer of the account's grant, if the API names another one now."""
    issuer: NotRequired[str]
    """The issuer that the API names now."""


class SignInInProgressData(TypedDict):
    kind: Literal["signInInProgress"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    signIn: str
    """The ID of the open sign-in, for `awaitSignIn`."""


SignInReason = Literal["refreshTokenMissing"]
"""* `refreshTokenMissing`: The provider issued no refresh token although the process requested one."""


class SignInRequiredData(TypedDict):
    kind: Literal["signInRequired"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    reason: NotRequired[NeededSignInReason]
    """The reason why the user must sign in."""
    previousIssuer: NotRequired[str]
    """The issuer of the grant, if the API names another one now."""
    issuer: NotRequired[str]
    """The issuer that the API names now."""
    scopes: NotRequired[list[str]]
    """The scopes that another token of the login lacks."""
    error: NotRequired[str]
    """The authorization server's own code."""
    errorDescription: NotRequired[str]
    """The authorization server's own description."""
    errorUri: NotRequired[str]
    """An https page about the error."""
    errorCodes: NotRequired[Any]
    """Microsoft's numbers of the error."""
    suberror: NotRequired[Any]
    """Microsoft's word for the cause."""
    code: NotRequired[Any]
    """Facebook's number of the error."""
    errorSubcode: NotRequired[Any]
    """Facebook's number of the cause."""
    claims: NotRequired[str]
    """The claims that the next sign-in has to bring: a JSON object as text. `authorize` sends them."""
    interval: NotRequired[Any]
    """With `slow_down`: the seconds between two requests that the server wants."""
    httpStatus: NotRequired[int]
    """The HTTP status."""
    location: NotRequired[str]
    """The target of a redirect that the process does not follow, with masked secrets."""
    retryAfter: NotRequired[int]
    """The seconds until the process sends the server another request."""
    body: NotRequired[str]
    """The start of a body that is not a standard error (RFC 6749), with masked secrets. It has at most 4 KB."""
    baseString: NotRequired[str]
    """OAuth 1.0a: the text that the rejected request signed, with masked secrets (RFC 5849, 3.4.1)."""


class SignInWasAbandoned(TypedDict):
    seq: int
    """The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps."""
    account: NotRequired[str]
    """The account's name."""
    request: NotRequired[Any]
    """The ID of the request that caused the event."""
    signIn: str
    """The sign-in's ID."""
    reason: str
    """The reason: `cancelled`, `timedOut` or `ended`. A sign-in is `ended` when the process exits."""


class SignInWasRequested(TypedDict):
    seq: int
    """The event's number. It counts all events from 1, also those that are not sent, so a chosen subset has gaps."""
    account: NotRequired[str]
    """The account's name."""
    request: NotRequired[Any]
    """The ID of the request that caused the event."""
    signIn: str
    """The sign-in's ID."""
    url: str
    """The page that the user opens."""
    userCode: NotRequired[str]
    """The code that the user types on the page."""
    verificationUri: NotRequired[str]
    """The page without the code. The user may type the code there."""
    expiresAt: int
    """When the sign-in or its page expires, in Unix seconds."""
    previousIssuer: NotRequired[str]
    """The issuer of the account's grant, if the API names another one now."""
    issuer: NotRequired[str]
    """The issuer that the API names now."""
    opened: NotRequired[bool]
    """`false` if no browser could be started. The client then shows the URL to the user."""
    reason: NotRequired[SignInReason]
    """The reason why the same sign-in asks again."""


class SignOutResult(TypedDict):
    account: str
    """The account's name."""
    wasSignedIn: bool
    """Whether the account had a grant."""
    logoutUrl: NotRequired[str]
    """The page that ends the provider's session in the browser. The process does not open it."""


SignatureMethod = Literal["HMAC-SHA1", "HMAC-SHA256", "HMAC-SHA512", "RSA-SHA1", "RSA-SHA256", "RSA-SHA512", "PLAINTEXT"]

SignaturePlacement = Literal["header", "query", "body"]
"""* `header`: The `Authorization` header.
* `query`: The query of the URL.
* `body`: The form in the body.
"""

SigningAlgorithm = Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "HS256", "HS384",
    "HS512"]

Source = Literal["stored", "refreshed", "signedIn"]
"""* `stored`: The stored grant was valid.
* `refreshed`: The process refreshed the grant.
* `signedIn`: The user signed in, or the client got the grant for itself.
"""


class StorageFailureData(TypedDict):
    kind: Literal["storageFailure"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    path: NotRequired[str]
    """The file or folder."""
    key: NotRequired[str]
    """The place of the key that is not usable: `keyring` or `command`."""
    setAside: NotRequired[str]
    """The new place of an unreadable grant."""
    pid: NotRequired[int]
    """The ID of the process that holds the account's lock."""
    since: NotRequired[int]
    """The time when it took the lock, in Unix seconds."""


Switch = Literal["on", "off"]


class TimedOutData(TypedDict):
    kind: Literal["timedOut"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    host: NotRequired[str]
    """The host that did not answer in time."""
    pid: NotRequired[int]
    """The ID of the process that holds the account's lock."""
    since: NotRequired[int]
    """The time when it took the lock, in Unix seconds."""


class UnsupportedByProviderData(TypedDict):
    kind: Literal["unsupportedByProvider"]
    """The error's kind."""
    retryable: bool
    """Whether the same request may succeed later."""
    account: NotRequired[str]
    """The account's name."""
    location: NotRequired[str]
    """The target of a redirect that the process does not follow, with masked secrets."""


class UserInfoResult(TypedDict):
    account: str
    """The account's name."""
    subject: NotRequired[str]
    """The user's identifier at the provider: the claim `sub`."""
    claims: Any
    """The provider's own object, or what `userInfoPath` of its description finds there."""


class SignInRequired(OAuthError):
    """Code 1000: the user must sign in first."""

    data: SignInRequiredData


class AccessDenied(OAuthError):
    """Code 1001: the user or the provider denied the request, or a different user signed in."""

    data: AccessDeniedData


class AuthorizationServerError(OAuthError):
    """Code 1002: the authorization server answered with an error."""

    data: AuthorizationServerErrorData


class ServiceError(OAuthError):
    """Code 1003: the service answered with an error."""

    data: ServiceErrorData


class NetworkFailure(OAuthError):
    """Code 1004: a network operation failed."""

    data: NetworkFailureData


class TimedOut(OAuthError):
    """Code 1005: the time limit was reached."""

    data: TimedOutData


class StorageFailure(OAuthError):
    """Code 1006: a grant or a file could not be read or written."""

    data: StorageFailureData


class ConfigurationInvalid(OAuthError):
    """Code 1007: the configuration is invalid."""

    data: ConfigurationInvalidData


class HostNotAllowed(OAuthError):
    """Code 1008: a request to this host is not allowed."""

    data: HostNotAllowedData


class ResponseUntrusted(OAuthError):
    """Code 1009: a response failed a security check."""

    data: ResponseUntrustedData


class PortInUse(OAuthError):
    """Code 1010: the port of the redirect URI is in use."""

    data: PortInUseData


class UnsupportedByProvider(OAuthError):
    """Code 1011: the provider does not support this."""

    data: UnsupportedByProviderData


class ResponseTooLarge(OAuthError):
    """Code 1012: the response is larger than the limit."""

    data: ResponseTooLargeData


class InsufficientScope(OAuthError):
    """Code 1013: the service requires a scope that the token does not have."""

    data: InsufficientScopeData


class InsufficientUserAuthentication(OAuthError):
    """Code 1014: the service requires a stronger or a more recent sign-in."""

    data: InsufficientUserAuthenticationData


class SignInInProgress(OAuthError):
    """Code 1015: another sign-in of the account is open."""

    data: SignInInProgressData


class NotAllowed(OAuthError):
    """Code 1016: a limit that was set at the start does not allow this."""

    data: NotAllowedData


class Client(Transport):
    """Each method sends one request and returns its result, or raises a subclass of `OAuthError`."""

    _errors: ClassVar[Mapping[str, type[OAuthError]]] = {
        "signInRequired": SignInRequired,
        "accessDenied": AccessDenied,
        "authorizationServerError": AuthorizationServerError,
        "serviceError": ServiceError,
        "networkFailure": NetworkFailure,
        "timedOut": TimedOut,
        "storageFailure": StorageFailure,
        "configurationInvalid": ConfigurationInvalid,
        "hostNotAllowed": HostNotAllowed,
        "responseUntrusted": ResponseUntrusted,
        "portInUse": PortInUse,
        "unsupportedByProvider": UnsupportedByProvider,
        "responseTooLarge": ResponseTooLarge,
        "insufficientScope": InsufficientScope,
        "insufficientUserAuthentication": InsufficientUserAuthentication,
        "signInInProgress": SignInInProgress,
        "notAllowed": NotAllowed,
    }

    async def initialize(
        self,
        *,
        client_info: Any | None = None,
        capabilities: Any | None = None,
        events: Literal["all", "none"] | list[EventName] | None = None,
        process_id: int | None = None,
    ) -> InitializeResult:
        """Opens a session, as in the Language Server Protocol. No other method needs it.

        client_info: The client's name and version, and further members of editors. The process ignores them.
        capabilities: The client's capabilities. `{"openUrl": true}` means that the client opens pages itself.
        events: The names of the events that the process sends, or `all` or `none`. Without it, the option `--events` decides.
        process_id: The ID of a process. When that process exits, this one exits too.
        """
        result: InitializeResult = await self._request("initialize", {
            "clientInfo": client_info,
            "capabilities": capabilities,
            "events": events,
            "processId": process_id,
        })
        return result

    async def rpc_discover(self) -> OpenRPCDocument:
        """Returns the OpenRPC document, as `--schema` prints it."""
        result: OpenRPCDocument = await self._request("rpc.discover", {})
        return result

    async def authorize(
        self,
        *,
        account: str | None = None,
        provider: str | Provider | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        private_key: str | None = None,
        key_id: str | None = None,
        signing_algorithm: SigningAlgorithm | None = None,
        client_certificate: ClientCertificate | None = None,
        scopes: list[str] | None = None,
        flow: Flow | None = None,
        redirect_uri: str | None = None,
        open_browser: bool | None = None,
        interaction: Interaction | None = None,
        wait: bool | None = None,
        timeout: int | None = None,
        parameters: Mapping[str, str] | None = None,
        variables: Mapping[str, str] | None = None,
        client_metadata: str | None = None,
        dpop: bool | None = None,
        subject_token: str | None = None,
        actor_token: str | None = None,
        client_assertion: str | None = None,
        subject_token_type: str | None = None,
        actor_token_type: str | None = None,
        requested_token_type: str | None = None,
        client_assertion_type: ClientAssertionType | None = None,
        audience: str | int | bool | list[str | int | bool] | None = None,
        assertion_claims: Any | None = None,
        dry_run: bool | None = None,
    ) -> AuthorizationResult:
        """Makes the account usable. It takes the stored grant, or refreshes it, or asks the user to sign in.

        account: The account's name. Without it, the preset's name or the provider's host names the account.
        provider: The provider: a preset's name, an https URL, or a description.
        client_id: The ID of the client as the provider registered it. It is unnecessary if clients register themselves.
        client_secret: The client's secret.
        private_key: The client's private key: PEM (PKCS#8, PKCS#1 or SEC1), or a JWK as a string. It authenticates the client (RFC
        7523).
        key_id: The ID of that key at the server. It becomes the header `kid` of the client's assertions.
        signing_algorithm: The algorithm of that key. Without it, RS256, ES256, ES384, ES512 or EdDSA applies, as the key's type wants.
        With HS256, HS384 or HS512, the key is a secret: `privateKey`, or else `clientSecret`.
        client_certificate: The certificate with which the client authenticates in TLS (RFC 8705). Calls of the account show it, too.
        scopes: The scopes to request. They replace the provider's usual ones.
        flow: The way of signing in. Without it, the account's configuration decides, or `auto` applies.
        redirect_uri: The redirect URI: a loopback address, or a URI that the client receives itself.
        open_browser: Whether the process opens the page. Without it, the account's configuration decides, or the capability `openUrl` of
        `initialize`.
        interaction: Whether the process may ask the user. Default: `"ifNeeded"`.
        wait: Whether the answer waits for the end of the sign-in. Default: `true`.
        timeout: The seconds after which a sign-in ends. Without it, the account's configuration decides, or 300 applies.
        parameters: Extra parameters of the authorization request, or of the token request in a flow without a user.
        variables: Values for {names} in the provider's description, such as a tenant or a host.
        client_metadata: The https URL of a document that describes the client. Authorization servers that read such documents take it as
        the client's ID.
        dpop: Whether the process binds the tokens to a key of its own, which each use of a token proves (DPoP, RFC 9449). It also does
        so if the server demands it. A change counts at the next sign-in, and without a user at the next refresh. Only `false` in
        `authorize` or in an account ends a binding.
        subject_token: The assertion of `jwtBearer`, or the token that `tokenExchange` exchanges. It is stored with the grant, and each
        refresh sends it again.
        actor_token: The token of the acting party (RFC 8693, 2.1). It is stored with the grant, and each refresh sends it again.
        client_assertion: The client's assertion (RFC 7523, 2.2) as another program makes it. It is stored with the grant, and each
        refresh sends it again.
        subject_token_type: The subject token's type (RFC 8693, 3): a URI or its last word, such as `id_token`. Without it, `jwt`, or
        `access_token` for a token of another account.
        actor_token_type: The type of the actor token. Without it, `jwt` applies, or `access_token` for a token of another account.
        requested_token_type: The type of the wanted token. Without it, the server chooses.
        client_assertion_type: The type of `clientAssertion`. Without it, `jwt-bearer` applies.
        audience: The service that the exchanged token is for, or several of them (RFC 8693, 2.1).
        assertion_claims: With `jwtBearer`: the claims of an assertion that `privateKey` signs (RFC 7523, 3), such as `sub`. `exp` is its
        life in seconds. Without `iss`, the client's ID applies.
        dry_run: Whether the process returns what a sign-in would send, with masked secrets, and sends nothing. Default: `false`.

        Raises SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
        ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, PortInUse, UnsupportedByProvider, ResponseTooLarge, SignInInProgress,
        NotAllowed.
        """
        result: AuthorizationResult = await self._request("authorize", {
            "account": account,
            "provider": provider,
            "clientId": client_id,
            "clientSecret": client_secret,
            "privateKey": private_key,
            "keyId": key_id,
            "signingAlgorithm": signing_algorithm,
            "clientCertificate": client_certificate,
            "scopes": scopes,
            "flow": flow,
            "redirectUri": redirect_uri,
            "openBrowser": open_browser,
            "interaction": interaction,
            "wait": wait,
            "timeout": timeout,
            "parameters": parameters,
            "variables": variables,
            "clientMetadata": client_metadata,
            "dpop": dpop,
            "subjectToken": subject_token,
            "actorToken": actor_token,
            "clientAssertion": client_assertion,
            "subjectTokenType": subject_token_type,
            "actorTokenType": actor_token_type,
            "requestedTokenType": requested_token_type,
            "clientAssertionType": client_assertion_type,
            "audience": audience,
            "assertionClaims": assertion_claims,
            "dryRun": dry_run,
        })
        return result

    async def await_sign_in(self, *, id: str, timeout: int | None = None) -> AuthorizationResult:
        """Waits for an open sign-in and answers like `authorize`. Its timeout ends only the wait.

        id: The sign-in's ID.
        timeout: The seconds to wait. Without it, the wait lasts as long as the sign-in.

        Raises SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
        ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, PortInUse, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
        """
        result: AuthorizationResult = await self._request("awaitSignIn", {"id": id, "timeout": timeout})
        return result

    async def handle_redirect(
        self,
        *,
        url: str | None = None,
        verifier: str | None = None,
        sign_in: str | None = None,
    ) -> HandleRedirectResult:
        """Finishes a sign-in with the URL of the redirect, or with the code that the provider showed to the user.

        url: The whole URL with its parameters.
        verifier: The verifier or code that the user types, in place of `url`. It needs `signIn`.
        sign_in: The ID of the verifier's sign-in.

        Raises NotAllowed.
        """
        result: HandleRedirectResult = await self._request("handleRedirect", {"url": url, "verifier": verifier, "signIn": sign_in})
        return result

    async def refresh(
        self,
        *,
        account: str,
        minimum_validity: int | None = None,
        force: bool | None = None,
        timeout: int | None = None,
    ) -> AuthorizationResult:
        """Replaces the access token unless it stays valid for long enough. It never asks the user.

        account: The account's name, of at most 200 bytes in UTF-8.
        minimum_validity: The seconds for which the token must stay valid; more than half of its lifetime counts as half. The default is
        60, or a quarter of the lifetime if that is shorter.
        force: Whether the process replaces a token that is still valid. Default: `false`.
        timeout: The seconds after which the call fails with `timedOut`. A refresh continues without the call. Default: `60`.

        Raises SignInRequired, AccessDenied, AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid,
        HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
        """
        result: AuthorizationResult = await self._request("refresh", {
            "account": account,
            "minimumValidity": minimum_validity,
            "force": force,
            "timeout": timeout,
        })
        return result

    async def call_api(
        self,
        *,
        account: str,
        url: str,
        method: str | None = None,
        query: Mapping[str, str | int | bool | list[str | int | bool]] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Body | None = None,
        as_: ResponseForm | None = None,
        save_to: str | None = None,
        overwrite: bool | None = None,
        resume: bool | None = None,
        stream: bool | None = None,
        timeout: int | None = None,
        max_bytes: int | None = None,
        retry: bool | None = None,
        parameters: Mapping[str, Any] | None = None,
        scopes: list[str] | None = None,
        resource: str | None = None,
        audience: str | None = None,
        step_up: bool | None = None,
    ) -> CallAPIResult:
        """Calls the service's API with the account's token. The process replaces an expired token, and sends the token to the account's
        hosts only.

        account: The account's name, of at most 200 bytes in UTF-8.
        url: The absolute URL, or one relative to the provider's `apiBase`.
        method: The HTTP method as it is sent, such as `POST`. Default: `"GET"`.
        query: Parameters of the URL's query. An array repeats its name. Default: `{}`.
        headers: The headers of the request. The credential replaces an `Authorization` header. Default: `{}`.
        body: The body. It has exactly one of these members.
        as_: The form of the response's body in the answer. Default: `"text"`.
        save_to: The path of a file for the body of a success.
        overwrite: Whether `saveTo` replaces an existing file. It never replaces a file of another user. Default: `false`.
        resume: Whether `saveTo` continues a download that broke off. The received part is kept in a file with the suffix `.oauth-stdio-
        part` if the service names the version. Default: `false`.
        stream: Whether `bodyChunkWasReceived` events carry the body of a success. It excludes `saveTo`. Default: `false`.
        timeout: The seconds for the whole call. Without it, they are 60, or 3600 for files and streams.
        max_bytes: The largest body in bytes. Without it, a body in the answer has at most 8 MiB.
        retry: Whether the process repeats a failed request. Without it, the process repeats idempotent methods only.
        parameters: Names and values. The process sends them in the query, or in the body of POST, PUT and PATCH in the provider's
        format.
        scopes: The only scopes that the token has. They are among those of the login.
        resource: The resource that the token is for (RFC 8707).
        audience: The audience that the token is for, as the server calls it.
        step_up: Whether the process asks the user for what a 403 `insufficient_scope`, a 401 `insufficient_user_authentication` or a
        challenge's `claims` demand. It then repeats the call, at most twice. Default: `false`.

        Raises SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
        ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, PortInUse, UnsupportedByProvider, ResponseTooLarge, InsufficientScope,
        InsufficientUserAuthentication, SignInInProgress, NotAllowed.
        """
        result: CallAPIResult = await self._request("callAPI", {
            "account": account,
            "url": url,
            "method": method,
            "query": query,
            "headers": headers,
            "body": body,
            "as": as_,
            "saveTo": save_to,
            "overwrite": overwrite,
            "resume": resume,
            "stream": stream,
            "timeout": timeout,
            "maxBytes": max_bytes,
            "retry": retry,
            "parameters": parameters,
            "scopes": scopes,
            "resource": resource,
            "audience": audience,
            "stepUp": step_up,
        })
        return result

    async def revoke(self, *, account: str, timeout: int | None = None) -> RevokeResult:
        """Asks the provider to revoke the tokens, then deletes the grant.

        account: The account's name, of at most 200 bytes in UTF-8.
        timeout: The seconds after which the call fails with `timedOut`. Default: `60`.

        Raises SignInRequired, AccessDenied, AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid,
        HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
        """
        result: RevokeResult = await self._request("revoke", {"account": account, "timeout": timeout})
        return result

    async def sign_out(self, *, account: str) -> SignOutResult:
        """Deletes the grant on this machine. The process tells the provider nothing.

        account: The account's name, of at most 200 bytes in UTF-8.

        Raises TimedOut, StorageFailure, ConfigurationInvalid, NotAllowed.
        """
        result: SignOutResult = await self._request("signOut", {"account": account})
        return result

    async def access_token(
        self,
        *,
        account: str,
        minimum_validity: int | None = None,
        id_token: bool | None = None,
        scopes: list[str] | None = None,
        resource: str | None = None,
        audience: str | None = None,
        timeout: int | None = None,
    ) -> AccessTokenResult:
        """Returns the account's access token. The process refreshes it first if necessary.

        account: The account's name, of at most 200 bytes in UTF-8.
        minimum_validity: The seconds for which the token must stay valid; more than half of its lifetime counts as half. The default is
        300, or a quarter of the lifetime if that is shorter.
        id_token: Whether the client needs an ID token that is valid. The process refreshes it once if necessary. Default: `false`.
        scopes: The only scopes that the token has. They are among those of the login.
        resource: The resource that the token is for (RFC 8707).
        audience: The audience that the token is for, as the server calls it.
        timeout: The seconds after which the call fails with `timedOut`. A refresh continues without the call. Default: `60`.

        Raises SignInRequired, AccessDenied, AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid,
        HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
        """
        result: AccessTokenResult = await self._request("accessToken", {
            "account": account,
            "minimumValidity": minimum_validity,
            "idToken": id_token,
            "scopes": scopes,
            "resource": resource,
            "audience": audience,
            "timeout": timeout,
        })
        return result

    async def authorize_request(
        self,
        *,
        account: str,
        url: str,
        method: str | None = None,
        headers: Mapping[str, str] | None = None,
        body: str | None = None,
        scopes: list[str] | None = None,
        resource: str | None = None,
        audience: str | None = None,
        timeout: int | None = None,
        dpop_nonce: str | None = None,
    ) -> AuthorizeRequestResult:
        """Adds the account's credential to a request that the client sends itself, once. The request must go to one of the account's hosts.

        account: The account's name, of at most 200 bytes in UTF-8.
        url: The absolute URL of the request, or one relative to the provider's `apiBase`.
        method: The request's HTTP method. Default: `"GET"`.
        headers: The headers that the request already has. Default: `{}`.
        body: The request's body, if the credential covers it.
        scopes: The only scopes that the token has. They are among those of the login.
        resource: The resource that the token is for (RFC 8707).
        audience: The audience that the token is for, as the server calls it.
        timeout: The seconds after which the call fails with `timedOut`. A refresh continues without the call. Default: `60`.
        dpop_nonce: The last header `DPoP-Nonce` of the service, for a token that is bound to a key (RFC 9449, 9).

        Raises SignInRequired, AccessDenied, AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid,
        HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
        """
        result: AuthorizeRequestResult = await self._request("authorizeRequest", {
            "account": account,
            "url": url,
            "method": method,
            "headers": headers,
            "body": body,
            "scopes": scopes,
            "resource": resource,
            "audience": audience,
            "timeout": timeout,
            "dpopNonce": dpop_nonce,
        })
        return result

    async def host_credential(
        self,
        *,
        host: str,
        protocol: str | None = None,
        use: HostUse | None = None,
        username: str | None = None,
        rejected: str | None = None,
        interaction: HostCredentialInteraction | None = None,
        minimum_validity: int | None = None,
        timeout: int | None = None,
    ) -> HostCredentialResult:
        """Returns the user name and the password for a host of Git repositories, of a container registry or of an API: the access token of
        the account whose provider names the host. The user signs in first if necessary.

        host: The server's host, with its port if it has one.
        protocol: The protocol. Without TLS, the token goes to this machine only. Default: `"https"`.
        use: The program that sends the credential. Default: `"git"`.
        username: The account to use, if several use the host: its name, or the user's e-mail address or name at the provider. The user
        name that the host wants beside the token chooses none: then `hosts` of the configuration chooses, or the log warns.
        rejected: A password that the host has rejected. The process replaces the access token if it is the rejected one.
        interaction: Whether the process may ask the user. Default: `"ifNeeded"`.
        minimum_validity: The seconds for which the token must stay valid; more than half of its lifetime counts as half. The default is
        300, or a quarter of the lifetime if that is shorter.
        timeout: The seconds after which the call fails with `timedOut`. Without it, a new token may take 60 seconds, and a sign-in as
        long as that of `authorize`. A refresh continues without the call.

        Raises SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
        ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, PortInUse, UnsupportedByProvider, ResponseTooLarge, SignInInProgress,
        NotAllowed.
        """
        result: HostCredentialResult = await self._request("hostCredential", {
            "host": host,
            "protocol": protocol,
            "use": use,
            "username": username,
            "rejected": rejected,
            "interaction": interaction,
            "minimumValidity": minimum_validity,
            "timeout": timeout,
        })
        return result

    async def account(self, *, account: str) -> AccountState:
        """Returns the account's state without its secrets. It needs no network.

        account: The account's name, of at most 200 bytes in UTF-8.

        Raises TimedOut, StorageFailure, ConfigurationInvalid, NotAllowed.
        """
        result: AccountState = await self._request("account", {"account": account})
        return result

    async def accounts(self) -> AccountsResult:
        """Returns the states of all accounts that have a grant or are configured.

        Raises TimedOut, StorageFailure, ConfigurationInvalid, NotAllowed.
        """
        result: AccountsResult = await self._request("accounts", {})
        return result

    async def provider(
        self,
        *,
        provider: str | Provider,
        variables: Mapping[str, str] | None = None,
        timeout: int | None = None,
    ) -> ProviderResult:
        """Describes a provider: its endpoints, and each deviation with its reason.

        provider: The provider: a preset's name, an https URL, or a description.
        variables: Values for {names} in the provider's description, such as a tenant or a host. Default: `{}`.
        timeout: The seconds after which the call fails with `timedOut`. Default: `60`.

        Raises AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid, HostNotAllowed,
        ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
        """
        result: ProviderResult = await self._request("provider", {"provider": provider, "variables": variables, "timeout": timeout})
        return result

    async def providers(self) -> ProvidersResult:
        """Returns the names of the presets and of the providers in the user's own files.

        Raises NotAllowed.
        """
        result: ProvidersResult = await self._request("providers", {})
        return result

    async def import_grant(
        self,
        *,
        account: str,
        format: ImportFormat,
        data: Any,
        provider: str | Provider | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        scopes: list[str] | None = None,
        redirect_uri: str | None = None,
        variables: Mapping[str, str] | None = None,
        issued_at: int | None = None,
        replace: bool | None = None,
    ) -> AccountState:
        """Stores a grant from another program, so the user need not sign in again. The process does not check the tokens with the provider.

        account: The account's name, of at most 200 bytes in UTF-8.
        format: The format of the exported data.
        data: The exported data: a string, or an object with the names of its parts. In the format `json`, a string may also be an access
        token.
        provider: The provider that issued the grant. Without it, the account's configuration names the provider, or the data names a
        preset.
        client_id: The ID of the client with the grant, or the consumer key.
        client_secret: The client's secret.
        scopes: The granted scopes, if the data does not name them. Without them, the account's entry counts, or a refresh tells them.
        redirect_uri: The redirect URI of the sign-in. Some providers need it for a refresh.
        variables: Values for {names} in the provider's description, such as a tenant or a host.
        issued_at: The time when the program received the tokens, in Unix seconds. Without it, `expires_in` counts from now.
        replace: Whether the grant replaces an existing one. Default: `false`.

        Raises AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid, HostNotAllowed,
        ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
        """
        result: AccountState = await self._request("importGrant", {
            "account": account,
            "format": format,
            "data": data,
            "provider": provider,
            "clientId": client_id,
            "clientSecret": client_secret,
            "scopes": scopes,
            "redirectUri": redirect_uri,
            "variables": variables,
            "issuedAt": issued_at,
            "replace": replace,
        })
        return result

    async def export_grant(self, *, account: str) -> ExportGrantResult:
        """Returns the account's tokens as a token response that `importGrant` accepts. The process must have the option `--allow-export`.

        account: The account's name, of at most 200 bytes in UTF-8.

        Raises SignInRequired, TimedOut, StorageFailure, ConfigurationInvalid, UnsupportedByProvider, NotAllowed.
        """
        result: ExportGrantResult = await self._request("exportGrant", {"account": account})
        return result

    async def add_scopes(
        self,
        *,
        account: str,
        scopes: list[str],
        redirect_uri: str | None = None,
        open_browser: bool | None = None,
        wait: bool | None = None,
        timeout: int | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> AuthorizationResult:
        """Requests scopes in addition to the granted ones. It succeeds at once if none is missing. Only the account's own user may grant
        them.

        account: The account's name, of at most 200 bytes in UTF-8.
        scopes: The scopes to request in addition to the granted ones.
        redirect_uri: The redirect URI: a loopback address, or a URI that the client receives itself.
        open_browser: Whether the process opens the page. Without it, the account's configuration decides, or the capability `openUrl` of
        `initialize`.
        wait: Whether the answer waits for the end of the sign-in. Default: `true`.
        timeout: The seconds after which a sign-in ends. Without it, the account's configuration decides, or 300 applies.
        parameters: Extra parameters of the authorization request. The process adds `login_hint` itself.

        Raises SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
        ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, PortInUse, UnsupportedByProvider, ResponseTooLarge, SignInInProgress,
        NotAllowed.
        """
        result: AuthorizationResult = await self._request("addScopes", {
            "account": account,
            "scopes": scopes,
            "redirectUri": redirect_uri,
            "openBrowser": open_browser,
            "wait": wait,
            "timeout": timeout,
            "parameters": parameters,
        })
        return result

    async def user_info(self, *, account: str, timeout: int | None = None) -> UserInfoResult:
        """Returns the provider's claims about the user who signed in.

        account: The account's name, of at most 200 bytes in UTF-8.
        timeout: The seconds after which the call fails with `timedOut`. A refresh continues without the call. Default: `60`.

        Raises SignInRequired, AccessDenied, AuthorizationServerError, ServiceError, NetworkFailure, TimedOut, StorageFailure,
        ConfigurationInvalid, HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
        """
        result: UserInfoResult = await self._request("userInfo", {"account": account, "timeout": timeout})
        return result

    async def introspect(self, *, account: str, timeout: int | None = None) -> IntrospectResult:
        """Asks the authorization server about the account's access token (RFC 7662).

        account: The account's name, of at most 200 bytes in UTF-8.
        timeout: The seconds after which the call fails with `timedOut`. Default: `60`.

        Raises SignInRequired, AccessDenied, AuthorizationServerError, NetworkFailure, TimedOut, StorageFailure, ConfigurationInvalid,
        HostNotAllowed, ResponseUntrusted, UnsupportedByProvider, ResponseTooLarge, NotAllowed.
        """
        result: IntrospectResult = await self._request("introspect", {"account": account, "timeout": timeout})
        return result

    async def diagnose(self, *, account: str | None = None, timeout: int | None = None) -> DiagnoseResult:
        """Finds the reason why a sign-in fails: configuration, store, key, browser and proxy, and for an account its client, redirect URI,
        scopes, network, TLS, clock, latest rejection and last failed sign-in. The answer contains no secret.

        account: The account's name, or the URL of an API. The process then runs its sign-in up to the authorization page, and tests its
        client with a made-up code.
        timeout: The time limit for all checks, in seconds. A check without a response is a finding. Default: `20`.

        Raises NotAllowed.
        """
        result: DiagnoseResult = await self._request("diagnose", {"account": account, "timeout": timeout})
        return result

    def on_authorization_was_successful(self, callback: Callable[[AuthorizationWasSuccessful], object]) -> Callable[[], None]:
        """The account is usable. A stored grant causes this event too.

        Calls the callback for each such event, until the returned function is called.
        """
        return self._on("authorizationWasSuccessful", callback)

    def on_access_token_was_revoked(self, callback: Callable[[AccessTokenWasRevoked], object]) -> Callable[[], None]:
        """The process deleted the grant. `remote` says what the provider did.

        Calls the callback for each such event, until the returned function is called.
        """
        return self._on("accessTokenWasRevoked", callback)

    def on_response_from_service_was_received(self, callback: Callable[[ResponseFromServiceWasReceived], object]) -> Callable[[], None]:
        """The service answered a call. The event has the body if the call had no ID.

        Calls the callback for each such event, until the returned function is called.
        """
        return self._on("responseFromServiceWasReceived", callback)

    def on_error_occured_with_short_description(self, callback: Callable[[ErrorOccuredWithShortDescription], object]) -> Callable[[], None]:
        """A notification was rejected, or a request failed with a positive code. `errorInResponseWithBody` reports an error of the service
        instead. The name has the spelling of the Objective-C delegate method.

        Calls the callback for each such event, until the returned function is called.
        """
        return self._on("errorOccuredWithShortDescription", callback)

    def on_error_in_response_with_body(self, callback: Callable[[ErrorInResponseWithBody], object]) -> Callable[[], None]:
        """The service answered a call with a status of 400 or above, or with an error in a success. The event has the body if the call had
        no ID.

        Calls the callback for each such event, until the returned function is called.
        """
        return self._on("errorInResponseWithBody", callback)

    def on_sign_in_was_requested(self, callback: Callable[[SignInWasRequested], object]) -> Callable[[], None]:
        """The user must open a page.

        Calls the callback for each such event, until the returned function is called.
        """
        return self._on("signInWasRequested", callback)

    def on_sign_in_was_abandoned(self, callback: Callable[[SignInWasAbandoned], object]) -> Callable[[], None]:
        """A sign-in ended without a grant.

        Calls the callback for each such event, until the returned function is called.
        """
        return self._on("signInWasAbandoned", callback)

    def on_access_token_was_refreshed(self, callback: Callable[[AccessTokenWasRefreshed], object]) -> Callable[[], None]:
        """The process stored a new access token.

        Calls the callback for each such event, until the returned function is called.
        """
        return self._on("accessTokenWasRefreshed", callback)

    def on_progress_was_made(self, callback: Callable[[ProgressWasMade], object]) -> Callable[[], None]:
        """A long transfer continues. There are at most 10 such events in a second.

        Calls the callback for each such event, until the returned function is called.
        """
        return self._on("progressWasMade", callback)

    def on_body_chunk_was_received(self, callback: Callable[[BodyChunkWasReceived], object]) -> Callable[[], None]:
        """A piece of a streamed body arrived.

        Calls the callback for each such event, until the returned function is called.
        """
        return self._on("bodyChunkWasReceived", callback)

    def on_account_was_changed(self, callback: Callable[[AccountWasChanged], object]) -> Callable[[], None]:
        """An account's grant changed, by a request of this process or by another process with the same store. A change that `account` or
        `accounts` has already shown causes no event.

        Calls the callback for each such event, until the returned function is called.
        """
        return self._on("accountWasChanged", callback)

"""The hand-written parts of schemas/README.md, which no schema contains, for Tests/reference.py."""

HEAD = """
# Reference of oauth-stdio

This page lists every method, event, error, option, configuration member and provider member. [README.md](../README.md) introduces them.

`Tests/regenerate.sh` writes this page from `openrpc.json`, `config.json`, `provider.json` and `oauth-stdio help options`. Do not edit it by hand.

[Compatibility](#compatibility) · [Changes](#changes) · [Notation](#notation) · [Methods](#methods) · [Events](#events) · [Errors](#errors) ·
[Options](#options) · [Configuration](#configuration) · [Provider members](#provider-members)

## Compatibility

Until version 1.0, a release may change:

* the wording of messages, descriptions and log lines,
* the order of members in an object and of lines in the log,
* the positions of params, because a new param may come before others: clients send params by name,
* the contents of presets, because providers change.

A release may add methods, params, events, members, options and error kinds. Clients ignore members, events and kinds that they do not know.
A client that validates answers uses the schema that the same binary prints.

A release keeps:

* the names of methods, events and error kinds,
* the codes of errors,
* stored grants: each release reads the grants that releases from 0.3.0 on have stored.

If a release before 1.0 has to break one of these promises, or renames a param, member or option, its list of changes says so first.
"""

NOTATION = """
Requests carry params by name, or by position in the order given here. `?` marks an optional param or member. An optional param that is `null` counts as
absent. A dotted path, such as `error.code`, names a member inside a JSON object. Times are in Unix seconds.

Generators for OpenAPI make one class of each schema in `components.schemas`. This command wraps these schemas for them:
`jq '{openapi: "3.1.0", info, paths: {}, components: {schemas: .components.schemas}}' schemas/openrpc.json`
"""

PROTOCOL_ERRORS = """
Errors of JSON-RPC and of the session have negative codes:

* -32700: The input is not JSON. `data.position` is the byte at which reading failed.
* -32600: The message is not a valid request. `data.position` is there if one byte is at fault.
* -32601: No method has this name.
* -32602: The params are wrong. `data.path` is the JSON pointer of the wrong param.
* -32603: The process failed in an unforeseen way.
* -32800: The client cancelled the request.
* -32000: The process ended before the request was done. `data.kind` is `ending`.

All other errors have a positive code and these members of `data`:

* `kind` (string): The error's kind. Clients decide by it.
* `retryable` (boolean): Whether the same request may succeed later.
* `account?` (string): The account's name.
"""

GROUPS = {
    "The description itself": [
        "$schema", "name", "preset", "protocol", "variables", "variablesByHost", "reasons", "unconfirmed", "sources", "registrationPage",
    ],
    "Discovery and endpoints": [
        "issuer", "discovery", "authorizationEndpoint", "tokenEndpoint", "introspectionEndpoint", "userInfoEndpoint", "userInfoPath",
        "deviceAuthorizationEndpoint", "registrationEndpoint", "pushedAuthorizationRequestEndpoint", "mtlsEndpoints", "jwksUri", "idTokenAlgorithms",
    ],
    "The authorization request": [
        "scopes", "scopeSeparator", "scopeParameter", "scopeAliases", "scopeCase", "scopePrefix", "pkce", "nonce", "authorizationParameters",
        "authorizationFragment", "parameterNames", "pushedAuthorizationRequests", "resourceIndicator", "registrationParameters",
        "registrationFormat", "consentRetry", "signInAgainWithin",
    ],
    "The redirect": [
        "redirectHost", "redirectPath", "redirectPorts", "redirectPolicy", "redirectIssuer", "codeParameter", "stateParameter", "callbackMembers",
        "redirectErrorNames",
    ],
    "Token requests": [
        "clientAuthentication", "bodyFormat", "tokenMethod", "tokenHeaders", "requestSignature", "dpop", "sendsRedirectUriWithCode", "tokenParameters",
        "clientGrantType", "assertionAudience", "assertionType", "assertionPlacement",
    ],
    "Token responses": [
        "tokenPath", "memberNames", "tokenType", "tokenTypeDefault", "expiresZero", "expiresDefault", "tokenErrors",
        "tokenMembers", "afterSignIn",
    ],
    "Refresh requests": [
        "refreshEndpoint", "refreshMethod", "refreshAuthentication", "refreshStyle", "refreshGrantType", "refreshTokenParameter", "refreshParameters",
        "refreshTokenUse", "renewWithin", "sendsRedirectUriOnRefresh", "sendsScopesOnRefresh",
    ],
    "Other tokens of a login": ["otherTokens"],
    "Long-lived tokens": [
        "longLivedGrantType", "longLivedEndpoint", "longLivedMethod", "longLivedTokenParameter",
    ],
    "API calls": [
        "apiBase", "apiPathJoin", "apiHosts", "endpointHosts", "gitHosts", "gitUserName", "registryHosts", "registryUserName", "apiHeaders", "apiCredential", "apiErrors", "expired", "parameterFormat", "rateLimit",
        "pagination",
    ],
    "Revocation and logout": [
        "revocationEndpoint", "revocationStyle", "revocationToken", "revocationTokenParameter", "revocationParameters",
        "endSessionEndpoint", "endSessionParameters",
    ],
    "The device flow": [
        "deviceParameterNames", "deviceParameters", "deviceMemberNames", "deviceClientIdIn", "deviceGrantType", "sendsUserCode", "deviceErrorNames",
    ],
    "OAuth 1.0a": [
        "requestTokenEndpoint", "accessTokenEndpoint", "signatureMethod", "privateKey", "signaturePlacement", "realm", "tokenRequestMethod",
        "requestTokenParameters", "scopeStep", "oauthCallbackConfirmed",
    ],
    "OpenID 2.0": [
        "openidEndpoint", "openidClaimedIds", "openidAttributes",
        "openidParameters", "openidClientParameter", "openidStateParameter", "openidCodeParameter", "openidDialect",
    ],
}

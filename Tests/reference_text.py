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
* stored grants: each release reads the grants that earlier releases stored.

If a release before 1.0 has to break one of these promises, or renames a param, member or option, its list of changes says so first.
"""

CHANGES = """
### 0.2.0

#### What breaks clients of version 0.1.0

* `rekey` and `copy` are commands of the shell only. A client that calls them gets -32601, and `--allow` that names them causes a warning.
* `authorizeRequest` no longer has `explain`: a dry run, `diagnose` and the errors of OAuth 1.0a have the `baseString`.
* `openrpc.json` has the schema of an error's `data` under `x-errorData`. Version 0.1.0 had the members as `x-dataMembers` of each error.
* `openrpc.json` has named schemas under `components.schemas`, and the errors and an example of each method. Defaults are data, not text.
* Provider descriptions no longer have `openidAssociation` and `openidSession`: each answer of OpenID 2.0 is verified by a request to the provider.
* Provider descriptions no longer have `openidIdentifier`: the process looks up no OpenID identifiers, neither by XRDS nor by HTML, and speaks only
  version 2.0. A description with the dialect `standard` must have `openidEndpoint` and `openidClaimedIds`.
* Provider descriptions no longer have these members, which no provider needs: `openidRealm`, `openidRegistration`, `answerFormat`, `expiresUnit`,
  `longLivedAuthentication`, `longLivedParameters`, `accessTokenParameters`, `bodyHash`.
* `openidAttributes` no longer has `optional` and `counts`: the process requests one value of each type.
* OpenID 2.0 asks for no request token of OAuth 1.0a with the sign-in (OpenID OAuth Extension).
* A chain of provider files, each with the next as its `preset`, has at most 16.
* Presets whose redirect policy was a guess have the policy `pinnedPort` now. The user registers a port for them.
* `saveTo` of `callAPI` replaces an existing file only with the new param `overwrite`, whose position is before `stream`.
* `accessToken` returns no ID token that has ended.
* The data of `portInUse` has no `signIn`.
* The process rejects a second sign-in of another user unless `interaction` is `always`. The result then has `subjectChanged`.
* A request that differs from the account's open sign-in fails at once with the new kind `signInInProgress` (1015), also without `wait`. In version 0.1.0
  it waited for the end of that sign-in, or failed with `signInRequired` and `signIn` in `data`. Only an equal request joins.
* The process sends a configured client secret only to the provider that the configuration names, or to a preset that the request names.
* An account of the configuration accepts grants only from its configured provider and client.
* The process checks `iss` of each redirect that has it, and requires an ID token if the sign-in requested `openid`.
* Metadata and redirects of a public server cannot lead to this machine or to a private network.
* The process rejects a store, key, configuration or provider file of another user. The option `--trust-owner` accepts one more user.
* The process no longer changes the mode of files that it finds. A key or grant that other users can read causes a warning with the command to run.
  A grant, lock or note of a use that is a link is rejected. The key may be a link.
* Only the own user and root get an answer at the address of a sign-in: the process closes connections of other users unread.
* No redirect leads from https to http, and `http_proxy` has no effect.
* A redirect to another host drops `Cookie` and each header with `auth`, `key`, `token` or `secret` in its name, for the rest of the chain.
* A client that does not read stops the process at 64 MiB of output: it takes no input, and its API calls wait.
* `importGrant` reads property lists as Foundation writes them: no comments, no CDATA, no references to characters by number.
* `examples/python` and `examples/typescript` are typed clients. They replace `python_client.py` and `node_client.mjs`.

#### Version 0.1.0 with the same store and configuration

* It leaves the grants of the flows `jwtBearer`, `tokenExchange` and `identityAssertion`, grants of a client with a certificate or a `clientAssertion`, and
  grants that are bound to a key (DPoP) alone. Each method about such an account fails there with `storageFailure`, "written by a newer version". It
  cannot sign the account out either: `logout` of this version does.
* It uses the access token of a client with a key until the token ends. It has no key for a refresh, so the server rejects that. If the provider's
  description has `"clientAuthentication": "privateKeyJwt"`, it does not use the grant.
* It uses the grants of presets whose description has new members. A refresh by that version drops what it doesn't know: that scopes were refused, and
  that a service has rejected the token without a reason.
* It doesn't use other grants whose provider is described with new members, and leaves them unchanged.
* In the configuration, an account with a new member or a new source of a secret fails there with `configurationInvalid`. The other accounts work. With a
  new member beside `accounts`, all of them fail.
* It counts as another program if it holds a registered redirect port.

#### Other changes

* Flows without a user: `jwtBearer` exchanges an assertion (RFC 7523), `tokenExchange` a token of another service (RFC 8693), and `identityAssertion` the
  ID token of another account. `subjectToken`, `actorToken`, `audience` and the types of the tokens are params and members of an account. In the
  configuration, a token may come from a file, a variable, a command, the keyring, a job of GitHub Actions (`{"githubActions": AUDIENCE}`) or another
  account (`{"account": NAME}`), and each exchange reads it.
* `assertionClaims` are the claims of an assertion that the client's key signs. `clientAssertion` authenticates the client by an assertion that another
  program makes. `serviceAccount` is the source of Google's file for a service account or a workload of another platform, with `subject`, `impersonate` and
  `executable`.
  The preset `github-app` has the tokens of an app's installation. `assertionPlacement` puts an assertion into the header. Such a provider needs no `flow`,
  and `serviceAccount` no `provider`.
  The variable `ACTIONS_ID_TOKEN_REQUEST_TOKEN` is in no child process's environment.
* `mcp URL` joins an MCP host on standard input and output with an MCP server, in every version of MCP. `mcp URL --list` and `--call` serve a shell.
  `login URL` names the account by host, port, path and a hash of the query instead of the host, and `logout`, `token` and `status` take that URL, too.
* A client may have a key in the place of a secret: `privateKey`, `keyId` and `signingAlgorithm` of `authorize` and of an account, PEM or a JWK.
  A variable of one line may have a key with `\\n` for its line ends, or in base64.
  `clientAuthentication` has `privateKeyJwt` and `clientSecretJwt`, with `assertionAudience` and `assertionType`. In the configuration, `{"sign": [COMMAND…]}`
  signs in the place of a key. The command `key new` makes a key. A client with a key and no secret needs no `clientAuthentication`.
* `clientCertificate` of `authorize` and of an account is a certificate with its key, with which the client authenticates in TLS (RFC 8705), also in calls.
  A command takes a file in PEM with both: `--clientCertificate @FILE`.
  In the configuration, each part may have a source, and PKCS#12 is possible. `clientAuthentication` has `tlsClientAuth` and `selfSignedTlsClientAuth`.
  `mtlsEndpoints` of a description, or the server's metadata, name the endpoints for such clients.
* `authorize` with another client secret, key or certificate stores that, also while the account's token is valid. A `keyId` without its `privateKey` is
  an error.
* `--log FILE` appends the log to a file.
* The packages have a Python wheel, which carries the program.
* Each OAuth error of a refused refresh with status 400, 401 or 403 ends the login, except errors about the server or a configured client. No command
  or method hands out a token of an ended login. The command `login` opens a page after every refusal. `account` has `inDoubt`: a service has rejected
  the token without saying that it has ended. `expired` of a description has `certain`.
* The `claims` that a service's challenge or a rejected refresh demands are in the error's data. `stepUp`, or the next `authorize`, sends them.
* `doctor` reports each error that keeps a client from a token of its own. The command `handleRedirect` takes the address as a word. A missing client of
  an imported login is no longer a reason to register one.
* `logout --all` signs out every account. `setup git --remove` and `setup docker --remove` remove all hosts. `examples/install.sh --uninstall` removes
  what it installed. Lock and use files of an account go 30 days after its last use, if it has no grant.
* `mcp` takes the options of the process after it, too. Its tools have titles and structured results, and none signs in unless `--allow-writes` is given.
* One registered port serves every sign-in, of one process and of all processes of the user on the machine. `portInUse` means that another program
  uses the port.
* `diagnose` names a registered redirect port that another program holds (`port`), and the file of certificates in force (`certificates`). It tests
  the browser only for a sign-in that needs one.
* With a configured `redirectUri`, `flow: "auto"` still takes the device flow where no browser is. A `redirectUri` of the request keeps the code flow.
* `authorize` fails on a full disk before it opens a page.
* With any limit, `saveTo` and a body's `file` need `--files DIR`. That folder must not contain, or lie in, the folder of the store, its key, the
  configuration, its secrets, the provider files or the audit file: the process does not start. Without limits, a request may name any file.
* A process that is killed during a download leaves a hidden file, `.oauth-stdio-….part`, in the folder of `saveTo`.
* A command that prints the key runs only if the process's own user owns the file that names it. Completion runs none.
* The log leaves out a warning that is the last one of the same second again, and counts none.
* `login` shows no QR code of a device code's page.
* `accounts` reads each grant, and no file `oauth-stdio.listing` is written.
* A provider that is named by an API's URL is asked by POST as well, as clients of the Model Context Protocol do. The challenge's scopes win over the
  metadata's. `offline_access` is requested beside them where the authorization server lists it. Without any metadata, a challenged URL has the default
  endpoints of MCP 2025-03-26. An MCP server's authorization server has to list S256, unless the description says `pkce` or a preset has its issuer. What
  such a preset says about `resource`, scopes at a refresh and the redirect's host counts, too (Entra).
* A 401 of an API by whose URL the provider was found decides about the next sign-in. If the API names another authorization server, the error is
  `signInRequired` with the reason `issuerChanged`, and the next `authorize` signs in there with a client of its own.
* `clientMetadata` in the configuration or in `authorize` is the client's ID where the server reads such documents. The command `client-metadata` prints
  the document to publish, with `redirectPorts`. `resource` of an account sets its resource or leaves it out. `doctor` takes the URL of an API.
* A grant file whose first line is damaged is reported as one of a newer version or of another key, and stays where it is.
* Dates of HTTP headers are read in the form that servers send. Its two obsolete forms are ignored.
* `rekey file` needs no `--key file`.
* A listing reads at most 64 MiB of grants from a database.
* A failing disk may stop `rekey` halfway. Both keys stay in use, and the next `rekey` finishes the move.
* `callAPI` has the param `stepUp`: the user grants what the service demands, and the process repeats the call.
  It asks for all scopes that were requested before, too, and for a refused scope no more until the next sign-in. It repeats a call twice at most.
* `callAPI` has the value `results` of the param `as`: the answer has the provider's results without their envelope.
* `hostCredential` serves Git at the hosts of a provider's new member `gitHosts`, and container registries at `registryHosts`.
  `gitUserName` and `registryUserName` are the user names that they want.
* `diagnose` says why a sign-in fails. `callAPI` has the param `resume`, which continues a download that broke off.
* Variables with a host take a path below it (`example.com/gitea`), and `github` takes the variable `host`. `variablesByHost` gives a description
  the values that depend on the host.
* A configured account with `flow: "clientCredentials"` needs no `authorize` and no `login`: every method and command that needs a token requests it,
  as the configuration describes it by then. That counts as a refresh. `canAuthorize` and `canRefresh` of such an account are true.
* Each use of a client secret reads it from the configuration, so a replaced secret needs no new sign-in. A command or the keyring is asked once a
  process, and again after `invalid_client`. Sign-ins store no copy of such a secret; a copy in a stored grant is used where the configuration has none.
* A request's `timeout`, and its cancellation, end its wait for a secret's or key's command, a keyring or a database. What it waited for goes on, serves
  the next request, and ends with the process.
* The words of `login` and `authorize` take sources, too, also PKCS#12 and `--serviceAccount`, `--subject`, `--impersonate` and `--executable`. They
  count for that command as members of the account's entry, so the grant stores no secret. `login --account NAME` needs no other name.
* The command of Google's file gets the variables of AIP 4117, which say what its token is for.
* `--help` fits on one screen. `help`, `help COMMAND` and `help options` print the rest.
* `accessToken` has the param `idToken` for a client that needs a valid ID token, and returns `idTokenExpiresAt`.
* A configured secret may come from the keyring (`{"keyring": NAME}`) or from a file (`{"file": PATH}`).
* Each method is also a command of the shell. `login`, `logout`, `status`, `token`, `call`, `header`, `sasl` and `git-credential` are
  commands for everyday work. `openrpc.json` has the options of the process under `x-options`.
* `revoke`, `introspect` and `provider` have the param `timeout`.
* `importGrant` accepts an access token by itself.
* `importGrant` takes the client, its secret, the issuer and the scopes from files of gcloud, oidc-agent, rclone and mcp-remote, and knows the
  format `refreshToken`. An access token that is not refreshed needs no client. The command `import` reads the files, and mcp-remote's folder.
* `account` and `status` say of an imported grant that it was not tried yet (`untried`).
* `account` and `accounts` return `signedIn`, `refreshedAt`, `usedAt`, and `problem` if the account is not usable without the user.
* The event `accountWasChanged` reports every change of an account, also by other processes. A sign-in in one process ends the waiting in all others.
* `provider` returns `registrationPage`. `handleRedirect` returns the `reason` why it ignored a redirect.
* `signInWasRequested` has `verificationUri`, and `opened: false` if no browser could be started.
* A rejected notification causes the event `errorOccuredWithShortDescription`.
* Errors have the new kinds `insufficientScope` (1013) and `insufficientUserAuthentication` (1014).
* Errors of the authorization server have `retryAfter`, `body` and `baseString`. `timedOut` and `storageFailure` have `pid` and `since` of the lock's holder.
* Provider descriptions have `registrationPage`, `afterSignIn`, `deviceParameterNames` and the pagination style `page`.
* `provider` knows the new presets `xero` and `spark-openid-plain`.
* There are 20 more presets: `battlenet`, `cognito`, `coinbase`, `eventbrite`, `huggingface`, `kakao`, `line`, `naver`, `okta-org`, `openstreetmap`, `orcid`,
  `paypal`, `pinterest`, `pipedrive`, `slack-user-pkce`, `tiktok-desktop`, `uber`, `yandex`, `zendesk` and `zoom-public`.
* The preset `hubspot` uses the endpoints of March 2026, `zoom` any port, and `linear` each refresh token once. `atlassian` revokes no tokens: no document
  has the endpoint.
* Presets name their `sources`, which `provider` returns. Provider descriptions have `revocationParameters`, and `userInfoPath`, whose object `userInfo`
  returns.
* An access token counts as expired a minute before its end, or a quarter of its lifetime if that is shorter.
* The process obeys `Retry-After` of a token endpoint.
* The process uses a registered client again for the same redirect URI.
* A token refresh takes up to 50 seconds. A caller gets `timedOut` after 30, and the answer is stored all the same.
* A database on another machine must have a trusted certificate (`verify-full`) unless `sslmode` says otherwise.
* A database's table with triggers, rules or row security, or of a foreign owner, is rejected. A grant above 16 MiB and more than 100,000 grants are, too.
* Errors of a database connection with a password name host, port and kind of failure, and quote no text of libpq.
* `setup` takes a database's URI unless libpq finds a password in it. Advice shows the URI as `postgresql://…`.
* `--no-tokens` searches no answer any more, and headers such as `Range` are allowed. Errors are still cleaned of the exchange's secrets: as they
  stand, form-encoded, with JSON's `\\/`, and as the Basic credential. The bodies and headers of a service's errors are cleaned without limits, too.
* An error says nothing of a token endpoint's response with status 2xx but the status, a known name of an error, and a known media type.
* `--allow-call`: a path must match as written and decoded once. `%25`, `%2E`, `%5C`, `;` and `%3B` are rejected; other escapes are not normalised.
* `--read-only` and `--allow-call` reject four more headers that replace the method or the path.
* -32601 suggests no other method.
* A terminal gets no control characters of servers, databases and files. A word of a command after `--` names no file.
* The process asks for `gzip` only. A compressed body that ends early is an error, and so are two lengths or another compression.
* A header of `apiHeaders` whose {name} has no value is not sent. A form with two members of one name is rejected like JSON.
* If several accounts serve a host for `hostCredential`, the new member `hosts` of the configuration chooses. Otherwise a warning names them.
* `diagnose` reports how the page and the token endpoint answer. It no longer guesses from a status or from where a redirect leads.
* The demo provider is `examples/demo-provider`, a program in Python that needs no build. It issues no ID tokens and ignores unknown scopes.
* `Sources/packaging/release.sh` builds the program as it is shipped. A plain `swift build -c release` links the Swift runtime dynamically.
* `--audit FILE` has two lines with the same `id` for each request with a credential: before it is sent, and after its response. A method that returns
  a credential writes its line before it answers. If the first line cannot be written, the call fails with `storageFailure` and nothing is sent.
* `setup docker` prints what to add if it cannot keep the content of `config.json`, for example a number that is no integer of 64 bits.
* An empty member of metadata, a registration, a key set, or a token or device response counts as a missing one, except `scope` in a token response.
* Descriptions have `scopeCase` and `scopePrefix`, for scopes that the provider spells in its own way. `offline_access` is granted beside a refresh token.
* Discovery finds metadata behind an issuer's path, Mastodon's registration (`registrationFormat`), and Entra's tenants for an API.
* The process verifies ID tokens with the client's secret (`idTokenAlgorithms`) and signed userinfo responses. A token with several audiences may lack `azp`.
* Descriptions have `redirectErrorNames`, `authorizationFragment`, `oauthCallbackConfirmed` and the value `S256-hex` of `pkce`.
* Errors of OAuth 1.0a have the `body` of the response, and errors of a redirect have its `location`.
* A pasted address may be `CODE#STATE`, a link in Markdown or HTML's `&amp;`, and may end with a full stop or a bracket.
* `httpHosts` in the configuration names hosts on this machine or in a private network that http may reach, each with its port.
* `--config` takes a pipe, which is read once. `login` saves nothing in it, and `setup` rejects it.
* Tokens can be bound to a key (DPoP, RFC 9449): `dpop: true` in `authorize`, in an account of the configuration and in a provider's description. The
  process also does it where the server demands it, and sends proofs by itself. `accessToken` and the commands with a token refuse such an account;
  `authorizeRequest` returns a proof, and has the param `dpopNonce`.

### 0.1.0

* The first version.
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

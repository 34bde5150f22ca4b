import { FEATURE_STATEMENTS } from '../../lambdas/features/index.ts';

/** A family of security statements: what it is about, and one sentence for each id, in the order of the ids. */
export interface StatementFamily {
  readonly title: string;
  readonly statements: Readonly<Record<string, string>>;
}

/** Everything the gateway claims about its security. Ids are never renumbered or used again for something else. */
export const STATEMENT_FAMILIES: readonly StatementFamily[] = [
  {
    title: 'Authorization flow',
    statements: {
      'OA-1': 'Every authorization request asks for a code and uses PKCE (S256) with a fresh verifier.',
      'OA-2': 'PKCE method `plain` is never sent; a provider that supports nothing better is refused.',
      'OA-3':
        'A state has at least 128 random bits, is valid for ten minutes, is stored as a hash and can be used once.',
      'OA-4': 'The callback takes account, integration, connection and return URL only from the stored flow.',
      'OA-5': 'The redirect URI depends only on the deployment, never on a request header.',
      'OA-6': 'A callback uses the issuer, client and token endpoint that were fixed when the flow began.',
      'OA-7':
        'An `iss` that is not a known spelling of the expected issuer ends the flow, and the code is sent nowhere.',
      'OA-8': 'Endpoints belong to the deployment: no account can point an integration at a host of its choice.',
      'OA-9': 'A callback in which `code`, `state`, `iss` or `error` occurs twice is refused.',
      'OA-10': 'An error from the provider uses up the state, ends the session and is shown as escaped text.',
      'OA-11':
        'The callback page loads nothing from other origins, is not cached and removes the code from the address bar.',
      'OA-12': 'The browser returns only to an allowed URL; look-alikes are refused.',
      'OA-13': 'A redirect that answers a POST is a 303, so the browser never sends the form again.',
      'OA-14':
        'Token requests are form POSTs with exactly one method of client authentication; no URL contains a secret.',
      'OA-15': 'No endpoint is taken from metadata whose issuer is not the configured one.',
      'OA-16': 'A token response is accepted only if it is complete, small and well-formed; nothing partial is stored.',
      'OA-17': 'Granted scopes are stored and compared with the requested ones; missing scopes are named.',
      'OA-18': 'Identity is the subject of a verified ID token, never an e-mail address.',
      'OA-19': 'A flow that yields no refresh token ends with an error and leaves no connection.',
      'OA-20': 'A repeated callback makes no token call and changes nothing.',
      'OA-21': 'No setting enables an implicit, hybrid or password grant.',
    },
  },
  {
    title: 'Connect sessions and browsers',
    statements: {
      'CS-1':
        'Only a secret key can create a connect session; it is short-lived, bound to its end user and yields one connection.',
      'CS-2': 'The session token is in the fragment of the URL, so no Referer and no log contains it.',
      'CS-3': 'A flow can finish only in the browser that started it.',
      'CS-4': 'Another site cannot start a flow in a visitor’s browser without a click on the gateway’s own page.',
      'CS-5': 'Flows in two tabs of one browser both finish and are never mixed up.',
      'CS-6':
        'Reconnecting with another provider account is refused unless the session allows it; either way it is recorded.',
      'CS-7': 'A connection id sent by a browser is ignored.',
      'CS-8': 'A cookie set by a sibling domain cannot bind a flow.',
      'CS-9': 'Messages between windows are sent to one listed origin and contain neither a token nor a code.',
      'CS-10': 'The popup reports to its opener if it still has one, and otherwise shows the result itself.',
      'CS-11': 'The start and callback pages cannot be framed; the connect page can be framed only by listed origins.',
      'CS-12': 'An operator’s sign-in can finish only in the browser that began it.',
      'CS-13': 'If the client or the scopes change while a flow is open, the flow ends; credentials are never mixed.',
      'CS-14':
        'The connect page names the user and the app that get access, and warns people who received the link from somebody else.',
      'CS-15':
        'A session that asks for confirmation yields a connection that cannot be used until the backend confirms it.',
      'CS-16': 'Refused starts of one session do not prevent any other session from starting.',
      'CS-17': 'A session or browser can narrow the scopes of an integration but never widen them.',
      'CS-18':
        'A link opened in the tab of an ended session loads the new session, and no token stays in the address bar.',
      'CS-19': 'The defaults of a session, and the reads that one request can cause, are bounded.',
      'CS-20':
        'A limited key withdraws exactly the reconnect links it can see, and no link reads as withdrawn that still opens.',
      'CS-21':
        'A reconnect of a connection whose account was unknown is recorded as such, and no link that lives longer than a session offers it.',
      'CS-22':
        'Erasing a person erases that person’s connect sessions at once, in every state: their links stop working, no grant waits, and the audit trail keeps only the id.',
    },
  },
  {
    title: 'Picked files',
    statements: {
      'PK-3': 'A picker is shown by an ordinary authorization request, with code, PKCE, state and browser binding.',
      'PK-5': 'A pick asks only for the picker’s scope and includes none that was granted before.',
      'PK-6': 'A pick for a connection leaves its tokens unchanged and cannot revive a connection that has ended.',
      'PK-10': 'No page and no answer of a pick contains an access token.',
      'PK-11': 'Ids of picked files are accepted only on the callback of a flow that was started for picking.',
      'PK-12':
        'Ids of picked files are limited in form and number; for each, the answer says whether the connection could open it.',
      'PK-13': 'A pick by another account is refused; its token is neither kept nor revoked.',
      'PK-14': 'A cancelled pick changes nothing; file ids appear in no log, event or Referer.',
      'PK-15': 'A hint says that a missing file may not have been picked; the answer remains the provider’s.',
    },
  },
  {
    title: 'Tokens',
    statements: {
      'TK-1': 'Any number of calls on a connection with an expired token cause one token call.',
      'TK-2':
        'A refresh that returns no new refresh token keeps the stored one; a new one replaces both tokens in one write.',
      'TK-3':
        'Only an answer that says the grant is dead marks a connection, and only after a strongly consistent read.',
      'TK-4': 'A fault of the OAuth client marks the integration and leaves every connection unchanged.',
      'TK-5': 'Refresh starts before expiry; while the old token is valid, a failed refresh makes no call fail.',
      'TK-6': 'An upstream 401 causes at most one refresh and one retry; a 403 causes none.',
      'TK-7':
        'Each way in which a grant can end has a documented status and cause; facts and likely causes are kept apart.',
      'TK-8': 'A deletion takes effect at once; a requested revocation is retried until it succeeds.',
      'TK-9': 'A grant is revoked only on request and only when no other connection shares it.',
      'TK-10':
        'Access tokens are sent only to API hosts; refresh tokens and client secrets only to token and revocation hosts.',
      'TK-11': 'Access tokens are sent only in the Authorization header.',
      'TK-12': 'No route shows tokens or client secrets without a right that is off by default; each read is recorded.',
      'TK-13': 'All grants of an account or integration can be revoked in bulk, and an interrupted run can be resumed.',
      'TK-14': 'A connection whose provider account is unknown is revoked only with `force`.',
      'TK-15': 'Imported times must be plausible, and no imported value prevents a later revocation.',
    },
  },
  {
    title: 'Proxy, requests',
    statements: {
      'PX-1': 'No header, query or path changes the scheme, host or port of an upstream call.',
      'PX-2': 'An upstream path starts with an allowed prefix and contains no dot segment, however it is encoded.',
      'PX-3': 'Known and generated hostile paths cause no upstream call.',
      'PX-4': 'A valid path is passed on byte for byte; a query keeps its meaning.',
      'PX-5': 'Hop-by-hop headers, and the headers they name, are not forwarded.',
      'PX-6': 'A Connection header cannot remove what the gateway adds.',
      'PX-7': 'The caller’s secret key, gateway headers, cookies and addresses are never sent upstream.',
      'PX-8': 'One rule covers every spelling of a header name.',
      'PX-9': 'Exactly one Authorization header is sent upstream, and it is the gateway’s.',
      'PX-10': 'A request with a missing or repeated identity header is refused.',
      'PX-11': 'Control characters in header values are refused; the number and size of headers are limited.',
      'PX-12': 'A request that has already passed through the gateway is refused as a loop.',
      'PX-13': 'Unknown methods are refused; a method override is accepted only where it keeps its meaning.',
      'PX-14': 'Ambiguous framing is refused or replaced; no byte ends up in another request.',
      'PX-15': 'The gateway follows no redirect.',
      'PX-16': 'Upstream addresses are public, whatever a name resolves to.',
      'PX-17': 'TLS verification cannot be switched off.',
      'PX-18': 'Bodies are sent upstream byte for byte.',
      'PX-19': 'A connection is looked up by account, integration and connection id together.',
      'PX-20': 'Unknown and deleted connections, and those of other accounts, get the same answer.',
      'PX-21': 'The limits of a key apply to the canonical request.',
      'PX-22': 'The same rules apply to each part of a batch; one bad part refuses the whole batch.',
      'PX-23': 'Query keys that carry an identity of their own, or that turn data into script, are refused.',
      'PX-24': 'The gateway’s control headers are not passed on, and none relaxes another rule.',
      'PX-25': 'Google’s other names for a key or an override are refused like the common ones.',
    },
  },
  {
    title: 'Proxy, responses',
    statements: {
      'PR-1': 'Hop-by-hop headers of a response are removed.',
      'PR-2': 'Headers with which a provider could affect the gateway’s origin are removed.',
      'PR-3': 'Every proxied response is sandboxed, protected from MIME sniffing and not stored by shared caches.',
      'PR-4': 'Proxied HTML, SVG, XML, scripts and PDF execute nothing in a browser.',
      'PR-5': 'A browser’s navigation to the proxy gets 401; cookies never authenticate a call.',
      'PR-6': 'The proxy sends no CORS headers; the management API sends them only for the dashboard’s origin.',
      'PR-7': 'The provider’s authentication challenges are not passed on.',
      'PR-8': 'The gateway’s own errors are marked, so that none can be mistaken for the provider’s.',
      'PR-9': 'Bodies are passed on without decoding, with the length that the provider gave.',
      'PR-10': 'Ranges and conditional requests are passed on; the gateway caches no content.',
      'PR-11': 'Answers that the gateway decodes itself are limited in size and compression ratio.',
      'PR-12': 'A malformed header from the provider becomes a 502.',
      'PR-13': 'Interim responses and trailers from the provider are not passed on.',
      'PR-14': 'If a provider’s error repeats a token, the token reaches no log.',
      'PR-15': 'Cacheable answers vary by caller; response headers are an allow-list; upload addresses are normalised.',
      'PR-16':
        'Names that are shown or mailed hold no control characters and no marks that turn the direction of writing, and cells of exported tables are no formulas.',
    },
  },
  {
    title: 'Keys, operators, accounts',
    statements: {
      'AK-1':
        'Secret keys contain 256 random bits and are stored only as a digest; the answer that shows a new one is kept for 24 hours, encrypted, where its request had an Idempotency-Key.',
      'AK-2': 'A key is looked up by the digest of the whole key; the account in it must match the stored one.',
      'AK-3': 'Every unusable key gets the same 401, without an upstream call or a write.',
      'AK-4': 'An account can have several keys; a revoked key stops working everywhere within 60 seconds.',
      'AK-5': 'Every route is tested with every kind of wrong identity.',
      'AK-6': 'Ids never collide in the keys of caches, leases and items, or in encryption contexts.',
      'AK-7': 'Requests of two accounts in one process never see each other’s state.',
      'AK-8': 'Bodies are parsed strictly: unknown members are refused, and only listed members are returned.',
      'AK-9': 'Prototype keys, duplicate keys, huge numbers and deep nesting are refused.',
      'AK-10': 'List cursors are authenticated and bound to their account.',
      'AK-11': 'No id becomes part of a DynamoDB expression.',
      'AK-12': 'The operator’s test credentials work only for test integrations.',
      'AK-13': 'Operators’ tokens are checked for algorithm, issuer, type, client, times and key.',
      'AK-14': 'Only someone who has a right can grant it, and every key record names its creator.',
      'AK-15': 'Wrong keys from an address never cause a valid key from the same address to be refused.',
      'AK-16':
        'Names from outside that every object inherits, such as `constructor` or `__proto__`, are ordinary names: refused or ignored, never an error of the gateway.',
      'AK-17':
        'Operators need a second factor unless the deployer says otherwise, and can grant the right to read tokens only with it and a sign-in of the last five minutes.',
      'AK-18':
        'The row of a revoked key leaves 90 days after the revocation, except that of the first key, which could otherwise be created again.',
    },
  },
  {
    title: 'IAM roles as callers',
    statements: {
      'IA-3': 'Roles of other AWS accounts come in only where the deployment names their account.',
      'IA-4':
        'A signature counts for its method, path, query, body, service, region and five minutes; payloads that are not signed are refused.',
      'IA-10':
        'Below `/iam` a caller is who signed, as the front door says it; no header, key or cookie stands in for a signature, and nowhere else does a signature count.',
      'IA-11':
        'A role is matched by partition, AWS account and name as a whole, and by its unique id where one is registered; users, root users, federated users and wildcards never match.',
      'IA-12': 'No part of a signature goes to the provider or into a log, and a signature in an address is refused.',
      'IA-13': 'Rights, limits, revocation within a minute and the audit trail hold for roles as for keys.',
      'IA-14': 'Paths and queries of every kind that the provider’s methods have can be signed.',
    },
  },
  {
    title: 'Assistants',
    statements: {
      'MC-2': 'A message whose headers and body name different versions, methods or tools is refused.',
      'MC-3': 'Lists of tools are kept by the client that asked for them alone.',
      'MC-4': 'There are no sessions and no streams but those of calls, and pages of other origins cannot call.',
      'MC-20':
        'An agent key is bound to one end user and at most one connection of each provider, works at `/mcp` alone, and no other credential works there.',
      'MC-21': 'Tools that limits, scopes or the key’s list do not leave are not listed and cannot be called.',
      'MC-22':
        'Every tool is a fixed set of proxied requests; no argument reaches a path, a header or a query but in its place.',
      'MC-23': 'A key that says nothing else reads, for a month, within limits of a minute and a day.',
      'MC-24': 'What a person is to approve cannot be approved by the assistant that asks for it.',
      'MC-25':
        'What a user or others wrote is in results alone, marked as untrusted, and in no description or instruction.',
      'MC-26': 'Calls of tools are logged and counted by key, and no argument or content is logged.',
      'MC-30':
        'An access token counts by signature, algorithm, issuer, audience and times, gives its user’s own connections alone, and is never passed on; ID tokens, opaque tokens and operators’ tokens do not count.',
      'MC-31': 'An access token allows what its scopes and the deployment’s limits say, and never sharing or deleting.',
      'MC-32':
        'Who calls is judged before anything is answered; a message without credentials is refused before its body is read, and says where to sign in and no more.',
      'MC-33': 'Results are bounded, end by whole items or characters, and lose nothing.',
      'MC-34': 'No write is repeated, and a write applies only to what was read.',
      'MC-40':
        'A tool removes nothing that it did not show: guests, their answers, letters of a text, unread content, media types and zones stay.',
      'MC-41':
        'A link that an assistant gets connects nothing by itself: it takes the account that the connection has, or the app’s backend confirms who came back.',
    },
  },
  {
    title: 'Connections without a person',
    statements: {
      'SA-20':
        'A service account acts only for users that its integration allows, matched as a whole: other domains, subdomains, look-alikes and plus-forms are refused before anything is signed.',
      'SA-21': 'Calls on such connections have no administrator’s rights, in batches neither.',
      'SA-22':
        'A token is asked for the user whose row it is sealed in, and no other; callers name no share of the quota.',
      'SA-23':
        'Each refusal of Google’s has a cause and says whose move it is; a domain is lost and comes back as a whole.',
      'SA-24':
        'A key is at fault only where Google refuses the request without a user, too; then the previous key is tried.',
      'SA-25':
        'Connections without a person are never due, share no grant, and cause no call once nobody has called for a week.',
      'SA-26': 'An uploaded key is in the integration’s secret alone.',
      'SA-27': 'Only so many users an hour are new.',
    },
  },
  {
    title: 'Limits of keys',
    statements: {
      'LK-10':
        'A key can be limited to connections, end users, integrations, addresses and a time, and keys without limits are as they were.',
      'LK-11': 'Each of Google’s methods is in exactly one set that a limit can name.',
      'LK-12':
        'A request is judged by every method that a reader of its path, query, form or headers may take it for, and refused where it hides which one it means.',
      'LK-13':
        'Denied beats allowed; a batch passes only if each part does; what fits no method is refused where methods are named.',
      'LK-14': 'Budgets are judged in memory, exactly in one process and within a stated error across processes.',
      'LK-15': 'A key that only observes refuses nothing.',
      'LK-16': 'A refusal names the limit, what is left and when it is free again, and spends nothing.',
      'LK-17':
        'No spelling, part or override gets past a limit, and limits of an unknown form close the key, also to versions that know none.',
      'LK-18': 'A key that is limited to the background makes no other calls, whatever its headers say.',
      'LK-20':
        'A search in contents needs the right to read them, and only keys with the right `proxy` are created and listed with limits.',
    },
  },
  {
    title: 'Client libraries',
    statements: {
      'LB-1':
        'No object, error, log or traceback with local variables shows the secret key, and it goes over `http://` to loopback names only unless an option says otherwise.',
    },
  },
  {
    title: 'Encryption and storage',
    statements: {
      'CR-1': 'Tokens are encrypted with AES-256-GCM under data keys that KMS wraps and that change weekly.',
      'CR-2':
        'A ciphertext moved to another row, field or account cannot be decrypted, and does not end the connection.',
      'CR-3': 'Restoring an older ciphertext cannot lower an epoch and leads to an explicit cause.',
      'CR-4': 'No export of the table, stream, events or settings contains a secret in plain text.',
      'CR-5': 'Data keys can be rotated without losing a row, and a retired key fails closed.',
      'CR-6': 'Unwrapped keys are cached within limits; without KMS, nothing is ever stored in plain text.',
      'CR-7': 'Each function has its own role, with exact actions on exact resources.',
      'CR-8': 'The table can be restored to any point in the last 35 days; expired items are treated as absent.',
      'CR-9': 'Everything that cannot be decrypted gives the same opaque error.',
      'CR-10':
        'Values from a provider are checked for type and length before they are stored; an unreadable row can be deleted.',
      'CR-11':
        'Every member of a connection’s record is declared once, with who writes it and what deletion does with it; a deleted row keeps only what stays.',
    },
  },
  {
    title: 'Logs, audit, errors',
    statements: {
      'LG-1': 'No log, metric, event or error body contains a secret or a part of one.',
      'LG-2': 'A log entry contains only the name, code, status and request id of an error.',
      'LG-3': 'URLs are logged without query and fragment; ids in paths are hashed.',
      'LG-4': 'No input can forge a log line.',
      'LG-5': 'Every audited change has exactly one event, written in the same transaction.',
      'LG-6': 'An unexpected error shows only a request id.',
      'LG-7': 'API Gateway’s access logs contain no header, query or body.',
    },
  },
  {
    title: 'Limits and abuse',
    statements: {
      'DS-1': 'Sizes are limited as documented, and a request above a limit reaches no provider.',
      'DS-2': 'A flood on one account does not change the answers to other accounts.',
      'DS-3': 'Flows and sessions are limited in rate and number.',
      'DS-4': 'No input makes a regular expression slow.',
      'DS-5': 'Endless or very slow answers are cut off at their limit, and memory use stays constant.',
      'DS-6': 'Huge or deeply nested JSON is refused in bounded time.',
      'DS-7': 'Every page of a list stays below the platform’s size limit and says how to get the next one.',
      'DS-8': 'Slow calls of one connection or key do not block any other.',
      'DS-9': 'Pages and documents that need no key are built once and can be cached, and error answers stay small.',
      'DS-10': 'No recurrence rule and no search stops the simulator.',
      'DS-11':
        'Reading what a caller sends takes linear time: 256 KB of any body, header, query, path or file name costs at most 50 ms of processor time.',
      'DS-12': 'An id that is too long is refused with a clear text, wherever a request names it.',
    },
  },
  {
    title: 'Approvals',
    statements: {
      'AP-10':
        'Each of the 53 methods that change data is in the classes that limits can have a person approve, judged by query and body; a body that cannot be read counts as every class of its method.',
      'AP-11': 'Deny beats approve, which beats allow; what cannot wait is refused, and nothing is sent before.',
      'AP-12':
        'A key and the link that its holder sees approve nothing: it takes the end user’s own sign-in, an operator’s, or a link of the customer’s backend, and no other site’s form.',
      'AP-13': 'The page says what will happen to what, and shows hidden characters of names.',
      'AP-14': 'What was approved runs once, and not if what it changes has changed since.',
      'AP-15':
        'A waiting call is stored encrypted and deleted with its key or connection. Only the key that sent it gets its result. At most twenty calls wait.',
      'AP-16': 'A call that has to be approved is refused with where to decide, and nothing of it is sent.',
      'AP-30':
        'A call can be approved only if a table of its method describes every parameter, member and part of it; any other call is refused with the name of the part.',
      'AP-31':
        'A request whose parts contradict each other, or that two readers could read differently, cannot be approved.',
      'AP-32':
        'The page shows the whole effect: guests and people by address, old and new values, times with their zone, one event or the series, who can open the target, and the recipients of mail from Google.',
      'AP-33':
        'An approval belongs to the Google account that the page was about, and a caller’s own If-Match never replaces the version that the person saw.',
      'AP-34':
        'A link of the backend works in the first browser only, creating one is an event, and the record keeps the sentence, the outcome and who decided.',
      'AP-35': 'Whatever opens access is of class share.',
      'AP-36': 'Characters without a visible shape are shown by their numbers.',
      'AP-37': 'At most twenty calls of a key wait, also when more come at once.',
    },
  },
  ...FEATURE_STATEMENTS,
  {
    title: 'Call log',
    statements: {
      'CL-10':
        'A row of the call log contains no query, header or body, and no name or id of a file, event or calendar.',
      'CL-11': 'Instead of a path, the call log keeps the pattern of the API method, or the fact that none matches.',
      'CL-12': 'A row is written once, after the last byte, within 300 ms; a failure to write it changes no call.',
      'CL-13':
        'Only failed calls leave rows unless more are requested, and no row is shown after its retention period.',
      'CL-14': 'Usage is counted by day for integration, connection and key; counting never makes a call fail.',
      'CL-15': 'The calls of a deleted connection are no longer shown, and are deleted.',
    },
  },
  {
    title: 'Webhooks',
    statements: {
      'WH-10': 'The published Standard Webhooks libraries accept the messages and reject any with a changed byte.',
      'WH-11': 'A message is sent only to public addresses, whatever a name resolves to between check and connection.',
      'WH-12':
        'An endpoint’s redirects are not followed; its answer is limited in time and size, and so is what is kept of it.',
      'WH-13': 'A dead endpoint delays no other; a delivery is tried ten times over 75 hours.',
      'WH-14': 'An endpoint that answers 410, or does not succeed for five days, is disabled with one event.',
      'WH-15': 'An endpoint receives no event before it has answered a signed test.',
      'WH-16':
        'A webhook’s secret is stored encrypted and shown once; after a rotation the old one is valid for one more day.',
      'WH-17':
        'A replaced secret signs for its day whatever follows; two rotations may overlap. Tests of an endpoint are limited, the gateway’s own hosts are refused in every spelling, and limits of number hold under 40 creations at once.',
      'WH-18':
        'Both client libraries answer every malformed header of a webhook with their own error, and refuse secrets of fewer than 16 bytes.',
    },
  },
  {
    title: 'Dashboard and browsers',
    statements: {
      'UI-1': 'The dashboard runs scripts only from its own files and calls only the gateway and the issuer.',
      'UI-2': 'The dashboard has no session cookie; its token is short-lived and kept in memory.',
      'UI-3': 'The management API ignores cookies, so another site cannot change anything.',
      'UI-4': 'Ids, names and error texts are rendered as text, never as markup.',
      'UI-5': 'Pages carry the security headers; authenticated answers are not cached.',
      'UI-6': 'No page, bundle, web storage or URL contains a secret.',
      'UI-7': 'Operators sign in through the issuer; nobody can register on their own.',
    },
  },
  {
    title: 'Deployment and supply chain',
    statements: {
      'IN-1': 'The AWS Solutions rules report nothing, or the exception states its reason in the code.',
      'IN-2': 'The function checks keys on every route, however its path is written.',
      'IN-3': 'There is no default secret; a missing setting prevents the start and is named.',
      'IN-4': 'Packages are pinned with integrity hashes, come from one registry and run no install script.',
      'IN-5': 'The deployed code is the code that runs locally, and contains no simulator, issuer or test code.',
      'IN-6': 'Bundles contain no third-party HTTP client, and their dependencies stay within a budget.',
      'IN-7': 'The local runtime listens on loopback and keeps its files private.',
      'IN-8': 'The local stand-ins for AWS accept only the credential of the current run, on a loopback host.',
      'IN-9': 'The synthesized policies judge every AWS call that the tests make; a single denial fails the run.',
      'IN-10':
        'On a laptop, an operator signs in, and the simulated Google is steered, only with what the person who ran `npm start` has seen.',
      'IN-11':
        'Each function may write only the families of rows that its own work needs; only management and refresh may write a secret key.',
      'IN-12':
        'With its own credentials each function has only the powers over tokens and keys that the table of powers lists.',
    },
  },
  {
    title: 'Change feeds',
    statements: {
      'CF-20':
        'A channel is replaced after 80 % of its granted lifetime; the new one is open before the old one is stopped.',
      'CF-21': 'The position in the history changes only in the write that stores the batch leading to it.',
      'CF-22': 'A message from Google is accepted only with its channel’s own token; all others get the same 404.',
      'CF-23': 'A burst of messages leads to a few pulls, one at a time, and to no fewer than necessary.',
      'CF-24': 'The batches of a feed are numbered without gaps, and no number is used twice.',
      'CF-25':
        'Changes contain ids, kinds, times and MIME types, and on request a word for what happened; no answer, event or log contains a name, title or content. What the words are made of is asked for, hashed under a key of the feed’s own, and dropped; it is erased with the feed.',
      'CF-26': 'A channel that stays silent while things change is noticed and replaced.',
      'CF-27': 'A position that Google has forgotten gives one batch that says so, at most once an hour.',
      'CF-28':
        'A feed of a connection without a valid grant makes no call to Google, reports this at once, and continues as soon as the grant is back; another account never continues from its position.',
      'CF-29':
        'Deleting a feed or a connection stops its channels before the grant can end; later messages have no effect.',
      'CF-30':
        'Stored batches can be read again for 14 days; a request from an older position is refused, never skipped silently.',
      'CF-31':
        'A position beyond a feed’s last batch is refused with the last sequence, creations at once of a feed that the provider refuses are answered alike, and no key of the table holds an e-mail address of a calendar.',
      'CF-32':
        'A feed’s row is saved only by the process that read it under its own lease, so no turn writes an older position or number back; a feed that stands still is reported within ten minutes.',
    },
  },
  {
    title: 'Isolation of feeds from tokens',
    statements: {
      'SH-2': 'Problems with feeds neither stop nor delay any token refresh.',
      'SH-3': 'Work that a message asks for is in the index before any function is invoked for it.',
      'SH-4':
        'The function that accepts messages from anyone cannot decrypt tokens and has no access to secrets, feeds or connections.',
    },
  },
];

/**
 * Every limit and default of the run time, one sentence of reason each.
 */

/** Secret keys and integrations may be served from memory this long: the bound on how late a revocation is seen. */
export const KEY_CACHE_MS = 60_000;
/** Connections change more often than keys, so they are cached for less time. */
export const CONNECTION_CACHE_MS = 30_000;
/** More entries than one warm process serves; the oldest are evicted first. */
export const CACHE_MAX_ENTRIES = 5_000;

/** An access token closer to its end than this is renewed in the background of a call; less for one that lives less than an hour. */
export const REFRESH_MARGIN_SEC = 300;
/** Spread of that margin per connection, so that tokens issued together are not renewed together. */
export const REFRESH_MARGIN_JITTER_SEC = 120;
/** The schedule renews this long before the end: before any caller enters the margin; less for a token of less than an hour. */
export const SCHEDULED_REFRESH_LEAD_SEC = 720;
/** Spread of the schedule's lead. */
export const SCHEDULED_REFRESH_LEAD_JITTER_SEC = 240;
/** Characters of an id in a stored key, percent-encoded: DynamoDB allows 1,024 bytes in a sort key, and a prefix stands before it. */
export const KEY_PART_MAX = 1_000;

/** Bytes of an id in the path of a request: connection ids and integration ids are the longest. */
export const PATH_ID_MAX_BYTES = 255;

/** A connection used within this time is kept fresh, unless the deployment sets another. */
export const ACTIVE_WINDOW_SEC = 24 * 3600;
/** An idle connection is refreshed this often, far inside Google's six months of disuse; the deployment may say otherwise. */
export const KEEP_ALIVE_SEC = 30 * 24 * 3600;
/** Part of the keep-alive period that is jitter. */
export const KEEP_ALIVE_JITTER = 0.1;

/** A holder that died frees its lease after this. */
export const LEASE_SEC = 30;
/** A lease that ends more than this after a whole lease was written by a wrong clock, and is ignored. */
export const LEASE_CLOCK_TOLERANCE_SEC = 60;
/** One token call; two of them end within two thirds of the lease. */
export const TOKEN_CALL_TIMEOUT_MS = 8_000;
/** A refresh asked for through the management API ends within this, inside its function's 15 seconds. */
export const REQUESTED_REFRESH_BUDGET_MS = 12_000;
/** Pause before a token write that failed is repeated; doubles each time. */
export const TOKEN_WRITE_RETRY_MS = 100;
/** A token write is retried this long when losing it only costs another refresh: the provider sent no new refresh token. */
export const PLAIN_TOKEN_WRITE_BUDGET_MS = 3_000;
/** First pause between reads of a connection that another process refreshes; jittered and growing. */
export const REFRESH_POLL_MS = 60;
/** Token responses are small; a larger one is invalid. */
export const TOKEN_RESPONSE_MAX_BYTES = 1024 * 1024;
/** A token of a reply: far above Google's, and two of them fit a row many times. */
export const TOKEN_MAX_BYTES = 8 * 1024;
/** The scopes of a reply, as sent: more than any consent page could list. */
export const GRANTED_SCOPE_MAX_BYTES = 16 * 1024;
/** An account's `sub` has at most 255 characters (OpenID Connect Core 2). */
export const SUBJECT_MAX_LENGTH = 255;
/** An e-mail address: 64 before the at sign, 255 behind it (RFC 5321 section 4.5.3.1). */
export const EMAIL_MAX_LENGTH = 320;
/** Access tokens may claim to live at most this long. */
export const TOKEN_LIFETIME_MAX_SEC = 24 * 3600;
/** A later announced end of a grant is ignored, because a row cannot store any number. */
export const ANNOUNCED_LIFETIME_MAX_SEC = 100 * 365 * 24 * 3600;
/** Used when the provider does not state one. */
export const TOKEN_LIFETIME_DEFAULT_SEC = 3600;

/** First wait after a transient refresh failure of a connection. */
export const REFRESH_BACKOFF_BASE_SEC = 20;
/** Longest wait after the token endpoint failed: callers are served again within a minute of its recovery. */
export const TOKEN_ENDPOINT_BACKOFF_MAX_SEC = 60;
/** Longest wait after failures of a single row. */
export const REFRESH_BACKOFF_MAX_SEC = 3600;
/** After the provider refused an OAuth client its token calls pause this long, then one is tried. */
export const CLIENT_FAULT_COOL_DOWN_SEC = 60;
/** The number of an integration's connections that must get the same unlisted answer before its OAuth client is suspected. */
export const CLIENT_SUSPICION_CONNECTIONS = 3;
/** They must get it within this: long enough for three connections of a small integration to be due. */
export const CLIENT_SUSPICION_WINDOW_SEC = 600;
/** Before a cached refusal is repeated the row is read, at most this often per connection and process: a repair is effective at once. */
export const REFUSAL_REREAD_MS = 1_000;
/** After a 401 from the API caused a refresh, the next 401 causes none for this long, in any process. */
export const FORCED_REFRESH_COOL_DOWN_SEC = 30;

/**
 * A service account that a domain does not list may only need time to spread (Google Workspace Admin Help, "Control API access with
 * domain-wide delegation").
 */
export const DELEGATION_PENDING_SEC = 24 * 3600;
/** For all connections of an unlisted domain, one asks the provider this often; its success restores all of them. */
export const DELEGATION_PROBE_SEC = 600;
/** A working domain is checked this often, so that a removed listing is noticed without calls. */
export const DELEGATION_LOOK_SEC = 3600;
/** The checks continue for this long after the last call for one of its users; calls are recorded once a day. */
export const DELEGATION_LOOK_FOR_SEC = 7 * 24 * 3600;
export const DELEGATION_USE_NOTED_SEC = 24 * 3600;
/** Domains that one tick asks about, one after the other, of lost and of working ones each: the rest waits for the next tick. */
export const DOMAINS_PER_TICK = 50;
/** Pages of an integration's connections to search for a user of a domain, where the one used last is deleted. */
export const DOMAIN_LOOK_PAGES = 5;
/** A process caches the state of an unlisted domain for this long, so that changes elsewhere are effective within a second. */
export const DELEGATED_DOMAIN_CACHE_MS = 1_000;
/** For a working domain, the next token shows whether it still works. */
export const DELEGATED_DOMAIN_GRANTED_CACHE_MS = 60_000;
/** Default of users that an integration may be connected to for the first time in an hour, so that a stolen key cannot empty a domain. */
export const NEW_SUBJECTS_PER_HOUR = 100;
/** The hour of that. */
export const NEW_SUBJECTS_WINDOW_SEC = 3_600;
/** An older key of a service account causes a warning (Google, "Best practices for managing service account keys"). */
export const SERVICE_ACCOUNT_KEY_OLD_SEC = 90 * 86_400;

/** Use is recorded at most this often per connection, because each record is a table write. */
export const USE_NOTE_INTERVAL_SEC = 600;

/** A pending authorization is used or invalid after this (security of `state`). */
export const AUTHORIZATION_LIFETIME_SEC = 600;
/** The session of a domain's administrator: several people may have to agree, and Google may take a day to apply it. */
export const ADMIN_SESSION_LIFETIME_SEC = 7 * 24 * 3600;
/** Checks of one such session a minute: each asks the provider for each scope. */
export const DELEGATION_CHECKS_PER_MINUTE = 10;
/** A connect session ends after this. */
export const CONNECT_SESSION_LIFETIME_SEC = 1800;
/** Lifetime of a reconnect link that an operator sends: the allowed range, and a day by default. */
export const RECONNECT_LINK_LIFETIME_SEC = { min: 300, default: 24 * 3600, max: 7 * 24 * 3600 } as const;
/** Links made by one request: each is a transaction, and the function answers within its 15 seconds. */
export const RECONNECT_LINKS_MAX = 100;
/** Links made at the same time. */
export const RECONNECT_LINKS_CONCURRENCY = 10;
/** Connect sessions of one end user that one request deletes: each is a transaction, and the function answers within its 15 seconds. */
export const SESSIONS_DELETED_MAX = 500;
/** Text that goes with a link. */
export const RECONNECT_MESSAGE_MAX_LENGTH = 4_000;
/** How long the results of reconnect links are shown. */
export const RECONNECT_BATCH_RETENTION_SEC = 90 * 24 * 3600;
/** A grant that waits for confirmation is ended after this: enough time to return to the app and sign in there. */
export const CONFIRMATION_LIFETIME_SEC = 900;
/** Connections without a grant that a session remembers: more than one person loses, and a bound on the reads of its callback. */
export const REUSABLE_CONNECTIONS_MAX = 10;
/** Integrations that a session names, presets, or shows: more than a person chooses from, and a bound on the reads of one request. */
export const SESSION_INTEGRATIONS_MAX = 100;
/** A session may be started this often: more than a person tries, and each start leaves two rows. */
export const CONNECT_STARTS_MAX = 20;
/** Files of one pick: as many as one JSON response of a session can contain, and more than anyone selects by hand. */
export const PICKED_FILES_MAX = 500;
/** Picked files that are tried at the same time: a page of files within a second, without a burst that Google would throttle. */
export const PICK_CONFIRM_CONCURRENCY = 10;
/** Trying picked files stops after this, because a person waits for the page, whose function has 15 seconds. */
export const PICK_CONFIRM_BUDGET_MS = 4_000;
/** Picks stay on record as long as the events about them. */
export const PICK_RETENTION_SEC = 400 * 24 * 3600;
/** Connect sessions an account may make in one minute: far above any rollout by mail, far below what fills a table. */
export const CONNECT_SESSIONS_PER_MINUTE = 600;
/** Authorizations an account's users may start in one minute: with their ten minutes of life, at most 3,300 are pending. */
export const AUTHORIZATIONS_PER_MINUTE = 300;
/** Uses are counted in windows of this length. */
export const RATE_WINDOW_SEC = 60;
/** Who may ask a person about calls to a provider's MCP server that need approval: the provider, the gateway, or one after the other (GA-24). */
export const ASKERS = ['google', 'gateway', 'both'] as const;
/** Bytes of a body that can wait for approval: with its headers and the page's data the row stays below 400 KB. */
export const HELD_BODY_MAX_BYTES = 256 * 1024;
/** Methods, connections, integrations or addresses in one list of a key's limits: with all of them the row stays below 64 KB. */
export const KEY_LIMIT_NAMES_MAX = 200;
/** Budgets of a day are counted in windows of this length, which begin at midnight UTC. */
export const DAY_WINDOW_SEC = 24 * 3600;
/** Reported shares of a day's budget or quota: half a day to look, little time to act, and nothing left. */
export const DAY_THRESHOLDS_PERCENT = [50, 80, 100] as const;
/** A process reports its calls to the table when they are this part of what is left: fifty processes together stay near the limit. */
export const UNREPORTED_CALLS_MAX_SHARE = 1 / 50;
/** Calls stay unreported no longer than this, so that many processes with few calls see each other's. */
export const UNREPORTED_CALLS_MAX_MS = 10_000;
/** Fewer calls than this are not reported for their age: a quiet key costs no write. */
export const MIN_CALLS_TO_REPORT = 10;
/** Background calls leave the rest of a minute's quota to interactive calls, whose bursts exceed a quarter of it. */
export const BACKGROUND_SHARE = 0.7;
/** A minute's use is cached for this long after a read: ten calls of a job share one read. */
export const BACKGROUND_KNOWN_MS = 1_000;
/** It is also valid for at most this part of what is left: fifty processes that read at the same time stay near the limit together. */
export const BACKGROUND_UNKNOWN_MAX_SHARE = 1 / 200;
/** Refused callers get a retry time spread over this range, so that they do not return at once. */
export const BACKGROUND_SPREAD_SEC = 20;
/** After Google reports a used-up minute, it counts as used up for this long: doubled with each refusal that follows. */
export const BACKGROUND_REST_MIN_MS = 1_000;
/** Google counts by the minute, so nothing is used up for longer. */
export const BACKGROUND_REST_MAX_MS = 60_000;
/** From this share of a project's minute on, processes report their use: below it fifty of them together use 5 %. */
export const PACED_FROM_SHARE = 1 / 1000;
/** And each time they used this share of a user's: few processes call for one user, and three of them fit into the reserved part. */
export const PACED_FROM_SHARE_OF_USER = 1 / 10;
/** Requests of one call to an AWS service, the first included: a cut connection or a throttled table is invisible to callers. */
export const AWS_ATTEMPTS = 4;
/** Services are in the function's own region, a millisecond away. */
export const AWS_CONNECT_TIMEOUT_MS = 1_000;
/** One request to an AWS service with its whole answer: a longer one will not complete. */
export const AWS_ANSWER_TIMEOUT_MS = 5_000;
/** No retry begins later: a hanging service is called twice, and the caller gets the failure after 11 s, within every function's 15. */
export const AWS_LAST_REPEAT_MS = 6_000;
/** Calls to AWS services end this long before their function is stopped, so that it can still answer. */
export const AWS_CALLS_END_BEFORE_MS = 1_000;
/** A request to the proxy by its inner door: Lambda takes 6 MB of an invocation. */
export const DOOR_EVENT_MAX_BYTES = 6 * 1024 * 1024;
/** Its answer, of which the asking function holds all: far above a page of a list. */
export const DOOR_ANSWER_MAX_BYTES = 6 * 1024 * 1024;
/** When the proxy has no free process, and Lambda does not say when it will. */
export const DOOR_RETRY_AFTER_SEC = 1;
/** Starting the work that a message asks for, with one retry: Google waits for the answer, and the next sweep starts the rest. */
export const INBOX_WAKE_TIMEOUT_MS = 2_000;
/** A report to the table ends within this, because a finished call waits for it before its process accepts the next. */
export const CALLS_REPORT_TIMEOUT_MS = 2_000;
/** A call under way is counted once it has run this long: short ones cost no write. */
export const LONG_CALL_MS = 10_000;
/** Spread of reports of calls that continue into the next minute, so that they do not all come at its beginning. */
export const LONG_CALL_MARK_SPREAD_MS = 5_000;
/** A process that met too many long calls of a key or connection refuses its next ones for this long. */
export const LONG_CALLS_SPENT_MS = 10_000;
/** A caller that reads less than this of its answer is cut off: any modem is faster, and it holds a process meanwhile. */
export const READER_MIN_BYTES_PER_SEC = 1024;
/** The pace of a caller is judged over this much waiting: longer than a tunnel interrupts a train passenger. */
export const READER_WINDOW_MS = 60_000;
/** Bytes written at once, so that even the pace of a slow caller shows within one window. */
export const READER_STEP_BYTES = 32 * 1024;
/** TTL deletes rows only this long after they are void, so that late requests get an accurate answer. */
export const TTL_GRACE_SEC = 24 * 3600;
/** A revoked secret key stays in lists and in the audit trail this long: longer than a backup that could restore it. */
export const REVOKED_KEY_RETENTION_SEC = 90 * 24 * 3600;
/** Times that a part of a batch is put on the event bus before Lambda delivers the batch again. */
export const EVENT_PUT_ATTEMPTS = 5;
/** Pauses between them, doubled each time: a throttled bus has room again within seconds. */
export const EVENT_PUT_BACKOFF_BASE_MS = 100;
export const EVENT_PUT_BACKOFF_MAX_MS = 2_000;
/**
 * An event that the bus refuses this long after it was written, while it accepts others, is put into the queue: otherwise those behind
 * it in its shard would be lost with it after an hour.
 */
export const EVENT_GIVE_UP_MS = 10 * 60_000;
/** No call begins this long before the function would be stopped: two take five seconds each at most. */
export const EVENT_PUT_RESERVE_MS = 12_000;

/** Lifecycle events stay in the table this long for replay and audit. */
export const EVENT_RETENTION_SEC = 400 * 24 * 3600;

/** A data key encrypts for this long, then a new one starts: far below 2^32 uses of one key (SP 800-38D 8.3). */
export const DATA_KEY_ROTATION_SEC = 7 * 24 * 3600;
/** An unwrapped data key stays in memory this long. */
export const DATA_KEY_CACHE_MS = 15 * 60_000;
/** Client secrets stay in memory this long; the provider's invalid_client re-reads them at once. */
export const CLIENT_CREDENTIALS_CACHE_MS = 5 * 60_000;

/** Body bytes of a proxied request: the function's 6 MB event less base64 and headers. */
export const REQUEST_BODY_MAX_BYTES = 4_500_000;
/** JSON of one list response: as base64, a third more, it fits into a buffered function's 6 MB. */
export const LIST_ANSWER_MAX_BYTES = 4 * 1024 * 1024;
/** So many connections fit into one list response, whatever their metadata: pages of them can be skipped unread. */
export const CONNECTIONS_THAT_FIT = 100;
/** Default and maximum of connections in one list response. */
export const CONNECTION_LIST_MAX = 2000;
/** Page numbers may skip this many; beyond it the cursor is cheaper. */
export const COUNTED_ITEMS_MAX = 10_000;
/** No grant of an import is older: Google introduced OAuth clients later. */
export const IMPORTED_TIME_MIN_EPOCH_SEC = Date.UTC(2004, 0) / 1000;
/** An importer's clock may be ahead by this. */
export const IMPORTED_TIME_SLACK_SEC = 60;
/** Characters of a connection that a search compares: names, addresses and ids always fit, the end of very long tags does not. */
export const SEARCH_TEXT_MAX_LENGTH = 1_000;
/** Words of a search that count. */
export const SEARCH_WORDS_MAX = 10;
/**
 * Items that the search entries of an account are spread over: few enough to be read by one search, and so many that an entry shares
 * its item with about twenty others at 100,000 connections, and writers seldom conflict.
 */
export const SEARCH_BUCKETS = 4_096;
/** Partitions of the buckets: at 100,000 connections they take 1,300 changes a second, at a million 150 (`npm run bench:scale -- --keys`). */
export const SEARCH_SHARDS = 16;
/** Concurrent calls of one search, each for up to 1 MB of buckets: all partitions are read at the same time. */
export const SEARCH_READS_AT_ONCE = 16;
/**
 * Counters that the changes of an integration's connections are spread over, each written with its change: of 400 deaths per second
 * that take ten milliseconds each, one in eight conflicts with another and is retried. Divides the number of buckets.
 */
export const CHANGE_COUNT_PARTS = 32;
/** Maximum size of a bucket, far below the 400 KB of an item: two million connections of an account. */
export const SEARCH_BUCKET_MAX_LENGTH = 150_000;
/** A search stops after so many connections, of which the best are shown. */
export const SEARCH_FOUND_MAX = 1_000;
/** Characters of a name that order a list by name: a sort key has at most 1,024 bytes, and longer names are never compared by eye. */
export const LISTED_NAME_MAX_LENGTH = 200;
/** Lists of single integrations that are merged into one page; for more, the whole list is searched. */
export const LISTS_MERGED_MAX = 8;
/** Queries of 1 MB for one page or total of such a list, about 5,000 rows each. */
export const LISTED_READS_MAX = 10;
/** Connections that a list with further conditions reads at a time. */
export const LISTED_ROWS_AT_ONCE = 200;
/** Connections that are sorted by their last use, because each has to be read for it. */
export const SORTED_CONNECTIONS_MAX = 2_000;
/** Connections of the list that a tick checks in the search index, and its rest after all of them. */
export const SEARCH_CHECKED_PER_TICK = 2_000;
export const SEARCH_CHECK_REST_SEC = 7 * 24 * 3600;
/** Metadata of a connection, bounded because every list contains it. */
export const METADATA_MAX_BYTES = 32 * 1024;
/** Connections whose metadata one request changes. */
export const METADATA_CONNECTIONS_MAX = 100;
/** Live secret keys of an account: enough for every service and its rotation. */
export const SECRET_KEYS_MAX = 100;
/** The provider call of a connection check, inside the front door's 29 s and alongside a refresh. */
export const CHECK_CALL_TIMEOUT_MS = 5_000;
/** A provider's answer to a check or about an account is small. */
export const CHECK_RESPONSE_MAX_BYTES = 256 * 1024;
/** Deleting an integration's connections stops after this, before its function is stopped; the next call continues. */
export const BULK_DELETE_BUDGET_MS = 9_000;
/** Connections deleted at the same time. */
export const BULK_DELETE_CONCURRENCY = 10;
/** A secret read this recently is not read again even if it names another client. */
export const CLIENT_CREDENTIALS_REREAD_MS = 5_000;

/** An operator who creates a secret key must have signed in this recently: an unattended screen is not enough. */
export const RECENT_SIGN_IN_SEC = 15 * 60;
/** An operator who creates a secret key that reads tokens must have signed in this recently. */
export const CREDENTIAL_KEY_SIGN_IN_SEC = 5 * 60;
/** The issuer's keys are fetched again after this, so that a withdrawn one becomes invalid. */
export const ISSUER_KEYS_MAX_AGE_MS = 60 * 60_000;
/** The issuer's keys are fetched at most this often: tokens with invented key ids cost it one request. */
export const ISSUER_KEYS_COOL_DOWN_MS = 30_000;
/** A tried call with its refreshes ends within this, inside its function's 15 seconds. */
export const TRY_BUDGET_MS = 13_000;
/** Displayed part of the body of a tried call's response. */
export const TRY_RESPONSE_MAX_BYTES = 256 * 1024;

/** JSON of an error response: a request may contain a hundred thousand mistakes, and nobody reads that many. */
export const ERROR_ANSWER_MAX_BYTES = 64 * 1024;
/** Problems an error answer lists. */
export const ERROR_PROBLEMS_MAX = 100;
/** Characters of one text of an error response: some repeat sent values. */
export const ERROR_TEXT_MAX_LENGTH = 1_000;
/** Body of a management request. */
export const JSON_BODY_MAX_BYTES = 256 * 1024;
/** Header values together, below the front door's 10,240 bytes. */
export const REQUEST_HEADERS_MAX_BYTES = 10_000;
/** More header fields than any client sends. */
export const REQUEST_HEADERS_MAX_COUNT = 100;
/** Header lines of one part of a batch, and the length of its target: the maximum of a single request. */
export const BATCH_PART_HEADERS_MAX_COUNT = 100;
export const BATCH_PART_TARGET_MAX_BYTES = 10_240;
/** Largest answer that Lambda streams: 200 MB, read as 200,000,000 bytes (Lambda quotas). */
const RESPONSE_STREAM_MAX_BYTES = 200_000_000;
/** Part of it for the head before the body: up to 16 KiB of the provider's header fields, as JSON, and the gateway's. */
const RESPONSE_HEAD_MAX_BYTES = 128 * 1024;
/** Bytes of a proxied answer's body. */
export const RESPONSE_BODY_MAX_BYTES = RESPONSE_STREAM_MAX_BYTES - RESPONSE_HEAD_MAX_BYTES;

/** TCP and TLS to the provider. */
export const UPSTREAM_CONNECT_TIMEOUT_MS = 5_000;
/** From the last request byte to the provider's status line; exports and large lists take long. */
export const UPSTREAM_FIRST_BYTE_TIMEOUT_MS = 120_000;
/** Longest silence inside a body; the front door gives up at five minutes. */
export const UPSTREAM_IDLE_TIMEOUT_MS = 120_000;
/** One call with all its retries, inside the front door's 15 minutes. */
export const UPSTREAM_TOTAL_TIMEOUT_MS = 14 * 60_000;
/** Retries requested by the caller end within this, because a caller is waiting. */
export const RETRY_BUDGET_MS = 60_000;
/** An unwanted rest of an answer is read for this long, to keep its connection; then the connection is closed. */
export const DISCARD_TIMEOUT_MS = 1_000;
/** Most retries a caller may ask for. */
export const RETRIES_MAX = 5;
/** Long-term share of calls that a process retries, so that callers' retries do not multiply a provider's outage. */
export const RETRY_BUDGET_SHARE = 0.2;
/** Retries of a process beyond that share: two calls with all they may request, so that a single caller gets its own. */
export const RETRY_BUDGET_REPEATS = 2 * RETRIES_MAX;

/** A call's row of the call log is written within this, without a retry, because it holds the process. */
export const CALL_LOG_WRITE_TIMEOUT_MS = 300;
/** Rows of one connection and day; of further calls, one in `CALL_LOG_THINNED_TO` leaves a row that stands for all of them. */
export const CALL_LOG_ROWS_PER_DAY = 10_000;
export const CALL_LOG_THINNED_TO = 10;
/** Each process reports its count after so many calls that were to leave a row: as many in each may exceed the daily maximum. */
export const CALL_LOG_COUNTED_BY = 100;
/** An operator who asks for it gets every call of a connection logged for an hour. */
export const CALL_LOG_RECORDING_SEC = 3600;
/** Rows of one answer, unless fewer are asked for, and at most. */
export const CALL_LIST_DEFAULT = 50;
export const CALL_LIST_MAX = 200;
/** Pages of the table that one response reads: a filter with few matches then ends with a cursor. */
export const CALL_LIST_READS_MAX = 10;
/** Rows of failed calls that one read of an account's list covers: about 250 KB, so that a response costs at most 10 such reads. */
export const FAILURES_READ_AT_ONCE = 500;
/** Newest failed calls of the last hour whose reasons a verdict names: the reads of one response. */
export const VERDICT_SAMPLE = 200;
/** Minutes that a verdict looks back. */
export const VERDICT_MINUTES = 60;
/** Deleted connections whose rows one tick deletes, how many rows at a time, and how many times. */
export const CALL_LOG_CLEARINGS_PER_TICK = 25;
export const CALL_LOG_CLEARED_AT_ONCE = 50;
export const CALL_LOG_CLEARING_ROUNDS = 40;
/** Rows are deleted this long after a connection's deletion, when no process serves it any more and late rows have been written. */
export const CALL_LOG_CLEARING_DELAY_SEC = 20 * 60;

/** Consecutive refusals of a connection's refresh until an event and its health report them: one or two may be a transient error. */
export const REFUSALS_TO_REPORT = 3;
/** The same for transient answers: after a day they count as permanent. */
export const REFUSED_SEC_TO_REPORT = 24 * 3600;
/** Consecutive calls that the provider refuses for the connection's sake until the connection counts as failing. */
export const REFUSALS_TO_FAIL = 3;
/** A grant whose known end is nearer than this ends soon: when its first warning is given. */
export const ENDS_SOON_SEC = 2 * 24 * 3600;
/** A process reports how its refreshes ended this long after its last report: a process that ends loses seconds of them. */
export const REFRESHES_REPORT_AFTER_MS = 10_000;
/** Calls by day are kept as long as events. */
export const USAGE_RETENTION_SEC = 400 * 24 * 3600;
/** Days of one answer, unless fewer or more are asked for, and at most. */
export const USAGE_DAYS_DEFAULT = 14;
export const USAGE_DAYS_MAX = 92;
/** Events that one answer lists, unless fewer are asked for; and index pages it reads for them. */
export const AUDIT_LIST_DEFAULT = 50;
export const AUDIT_LIST_MAX = 200;
export const AUDIT_READS_MAX = 10;
/** Events of an earlier version that a tick lists: those of the account, and those of so many connections. */
export const AUDIT_EVENTS_PER_TICK = 500;
export const AUDIT_CONNECTIONS_PER_TICK = 500;
export const AUDIT_WRITES_AT_ONCE = 8;
/** Longest stored reason; the rest of an error's text is not stored. */
export const CALL_REASON_MAX_LENGTH = 64;

/** A row that the sweep cannot read is read again after this: another version of the code may understand it. */
export const UNREADABLE_ROW_RETRY_SEC = 3600;
/** The sweep's page and bounded concurrency. */
export const SWEEP_PAGE_SIZE = 100;
export const SWEEP_CONCURRENCY = 50;
/** A run that died holds its slice of the due index for so many leases of a connection: 90 s, and the tick after that continues. */
export const SLICE_LEASE_IN_LEASES = 3;
/** Entries of the due index that a tick reads at once: at most 17 units, while queries of 192 partitions take 96. */
export const DUE_LOOK_MAX_ENTRIES = 1_000;
/** An index with more entries is not read at once again for this long. */
export const DUE_LOOK_REST_SEC = 3_600;
/** The sweep stops starting work this long before its function would be stopped. */
export const SWEEP_RESERVE_MS = 20_000;

/** A process records the end of its sweeps this often: three records fit into the reported silence. */
export const TICK_NOTE_INTERVAL_MS = 240_000;
/** A sweep that has not ended for so long is missing: the longest takes five minutes, and the next one begins within five more. */
export const TICK_SILENCE_SEC = 900;
/** One event every ten minutes keeps the path of events monitored for some cents a month. */
export const HEARTBEAT_INTERVAL_MS = 600_000;
/** A day of heartbeats is enough to see when they ended. */
export const HEARTBEAT_RETENTION_SEC = 86_400;

/** Index pages of 1 MB that a tick reads to count connections: at most 128 read units each, and done within a second. */
export const CENSUS_PAGES_PER_TICK = 5;
/** Rest between two counts of all connections, so that counting a small account costs almost nothing. */
export const CENSUS_REST_SEC = 900;
/** Up to so many connections are counted at the next tick after a change: one index page. */
export const CENSUS_SMALL = 1_000;
/** Ends and crowded accounts that a count names, as many as an overview shows, because each is read for it. */
export const CENSUS_NAMED_ENDS = 20;
export const CENSUS_NAMED_CROWDED = 10;
/** Newest incidents, by hour, that a count keeps: 100 of them add about 15 KB to its row. Older ones are kept by cause only. */
export const CENSUS_INCIDENTS_MAX = 100;
/** Causes of integrations that a count keeps for older incidents: far more than an account has, few enough for one row. */
export const CENSUS_EARLIER_MAX = 200;
/** Connections that stopped working within this time of each other count as one incident. */
export const INCIDENT_SPAN_SEC = 3600;
/** A key unused for so long is probably forgotten (AWS gives the same advice for its access keys). */
export const KEY_UNUSED_SEC = 90 * 24 * 3600;
/** Days before the end of a project's own limits on which it is reported: a review at Google takes weeks (GA-28). */
export const LIMITS_END_DAYS = [90, 30, 7] as const;
/** Days ahead of which ends are counted. */
export const COMING_END_DAYS = 7;

/**
 * Deaths per second that all sweeps together record. Each writes a row of two units into the one partition of the list of dead
 * connections, and one into that of its cause; a partition takes 1,000 units a second, and callers find dead connections, too.
 */
export const RECORDED_DEATHS_PER_SEC = 400;
/** Consecutive deaths after which an integration counts as dying: its remaining connections are refreshed last and at a limited rate. */
export const DYING_AFTER_DEATHS = 5;
/** Longest time that a run records deaths, so that the next minute's tick finds its slice free. */
export const RECORD_DEATHS_TIME_MS = 45_000;
/** Connections of dying integrations that one run keeps for its end: as many as it can record in its time. */
export const DYING_CONNECTIONS_KEPT = RECORDED_DEATHS_PER_SEC * (RECORD_DEATHS_TIME_MS / 1000);
/** After this many consecutive token endpoint failures the sweep rests the provider until the next tick. */
export const SWEEP_BRAKE_AFTER_FAILURES = 20;

/** This many deaths under one integration within the window are one incident of its client, not of its users. */
export const DEATH_INCIDENT_COUNT = 5;
/** The window of an incident. */
export const DEATH_INCIDENT_WINDOW_SEC = 600;

/** Google's cap of live refresh tokens per account and client. */
export const REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT = 100;
/** A warning starts here. */
export const REFRESH_TOKENS_WARN_FROM = 90;
/** Stored consents of an account: twice as many as can matter for the limit. */
export const CONSENTS_KEPT = 2 * REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT;
/** External apps in Testing lose every grant this long after consent. */
export const TESTING_GRANT_LIFETIME_SEC = 7 * 24 * 3600;
/** An announced life of a grant this near to seven days is that of an app in Testing: 604,799 s are seen, and clocks differ. */
export const TESTING_ANNOUNCED_TOLERANCE_SEC = 3600;
/** Google ends refresh tokens unused for six months. */
export const UNUSED_GRANT_LIFETIME_SEC = 180 * 24 * 3600;
/** A known end of a grant is reported two days and one day before it. */
export const EXPIRY_WARNING_LEADS_SEC: readonly number[] = [2 * 24 * 3600, 24 * 3600];
/** A grant is refreshed this long after its known end, to find out whether it ended: clocks differ by less. */
export const LOOK_AFTER_END_SEC = 5 * 60;

/** A process that creates something of a limited number holds its gate for at most this long: longer than the management function may run. */
export const CREATION_GATE_SEC = 30;
/** Longest wait for others' creations, within the management function's 15 seconds. */
export const CREATION_WAIT_MS = 8_000;
/**
 * A request with an `Idempotency-Key` is repeated from its stored response for this long (draft-ietf-httpapi-idempotency-key-header
 * section 2.3 leaves it to the server).
 */
export const IDEMPOTENCY_KEY_LIFETIME_SEC = 24 * 3600;
/** The run of such a request is over by then, whatever happened to its process: the management function's 15 seconds, plus a margin. */
export const IDEMPOTENT_RUN_SEC = 20;
/** Retry time while the first request runs: most take less than a second. */
export const IDEMPOTENT_RETRY_SEC = 1;
/** Largest stored response: encrypted, it has to fit into an item of DynamoDB (400 KB). */
export const IDEMPOTENT_ANSWER_MAX_BYTES = 256 * 1024;
/** An index shows a new row within this, with a margin. */
export const INDEX_LAG_SEC = 60;
/** How often a process compares the noted client ids of test credentials with their secrets: each look reads one secret a provider. */
export const TEST_CLIENT_CHECK_MS = 3_600_000;

/** How long the record of a deletion outlives the deleted row: point-in-time recovery covers 35 days, and a restore must not bring it back. */
export const BACKUP_RETENTION_SEC = 40 * 24 * 3600;
/** The use of a day that is not nearly used up is cached this long: it is minutes old when it is read. */
export const DAY_USE_CACHE_MS = 300_000;
/** From this share on it is cached no longer than integrations are. */
export const DAY_USE_READ_OFTEN_SHARE = 0.8;
/** Body of a message to the inbox. */
export const INBOX_BODY_MAX_BYTES = 64 * 1024;
/** For so long after midnight a provider may still refuse requests of its MCP server by the day before. */
export const TOOL_DAY_SETTLES_MS = 10 * 60_000;

/** A minute is read from the log this long after its end: most lines have arrived by then, and its calls are counted within five minutes. */
export const MINUTE_READ_AFTER_MS = 90_000;
/** It is read again after this: lines may take five to ten minutes (Sending Lambda function logs to CloudWatch Logs). */
export const MINUTE_READ_AGAIN_AFTER_MS = 15 * 60_000;
/** A day is read again this long after its end, for lines that were hours late. */
export const DAY_READ_AGAIN_AFTER_MS = 3 * 3_600_000;
/** An hour is compared with Lambda's count after the longest call that began in it has ended. */
export const HOUR_COMPARED_AFTER_MS = 20 * 60_000;
/** Lines of calls that began in an hour arrive until this long after it: a call takes at most 15 minutes. */
export const LONGEST_CALL_MS = 15 * 60_000;
/** Expected share of invocations with a line: standard output is known to lose about one in a thousand. */
export const FEWEST_LINES_SHARE = 0.998;
/** Without calls, Lambda's count is read once for so many hours: each read costs 0.1 % of a cent. */
export const HOURS_COMPARED_AT_ONCE = 24;
/** Queries of the log that one tick starts: an account may have 30 under way, and operators query, too. */
export const QUERIES_PER_TICK = 16;
/** A query without an answer after this is repeated. */
export const QUERY_PATIENCE_MS = 10 * 60_000;
/** An answer of Logs Insights with 10,000 rows has several megabytes. */
export const QUERY_ANSWER_MAX_BYTES = 32 * 1_048_576;
/** A tick without changes keeps its progress in memory, and stores it this often: the table and its key are much of what an idle tick costs. */
export const PROGRESS_WRITE_INTERVAL_MS = 10 * 60_000;
/** Time for building pages of hours and days in one tick: overlapping ticks would do the same work twice. */
export const FOLD_BUDGET_MS = 40_000;
/** A tick ends this long before its function would be stopped. */
export const ROLL_UP_RESERVE_MS = 10_000;
/**
 * Entries of a page beyond this size are in items of their own: an item of DynamoDB has at most 400 KB, and a reader of one connection
 * reads one item.
 */
export const PAGE_ITEM_BYTES = 40_000;
/** Pages below this size are one item, connections included. */
export const SMALL_PAGE_BYTES = 3_500;
/** Writes of pages per second: a partition takes 1,000; two ticks may overlap, and together use half of that, whole items included. */
export const PAGE_WRITE_UNITS_PER_SEC = 210;
/** Pages of minutes are read until their hour is over. */
export const MINUTE_PAGE_RETENTION_SEC = 2 * 24 * 3600;
/** Pages of hours are needed until their day is read again, and by forecasts, which use the seven days before the current provider day. */
export const HOUR_PAGE_RETENTION_SEC = 9 * 24 * 3600;
/** Calls by connection and day take the most space: three months of them. */
export const CONNECTION_PAGE_RETENTION_SEC = 92 * 24 * 3600;

/** Wait for a provider's list of tools: an assistant that asks for tools waits for it. */
export const SERVER_TOOLS_FETCH_TIMEOUT_MS = 5_000;
/** Age of a pinned list of tools at which the server is asked again: a changed tool may be called for that long. */
export const SERVER_TOOLS_FETCH_INTERVAL_SEC = 15 * 60;

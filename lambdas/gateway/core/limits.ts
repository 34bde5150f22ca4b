/**
 * Every limit and default of the run time, one sentence of reason each.
 */

/** Secret keys and integrations may be served from memory this long: the bound on how late a revocation is seen. */
export const KEY_CACHE_MS = 60_000;
/** Connections change more often than keys, so they are remembered for less. */
export const CONNECTION_CACHE_MS = 30_000;
/** More entries than one warm process serves; the oldest leaves first. */
export const CACHE_MAX_ENTRIES = 5_000;

/** An access token closer to its end than this is renewed alongside the call it serves; less for one that lives less than an hour. */
export const REFRESH_MARGIN_SEC = 300;
/** Spread of that margin per connection, so that tokens minted together are not renewed together. */
export const REFRESH_MARGIN_JITTER_SEC = 120;
/** The schedule renews this long before the end: before any caller enters the margin; less for a token of less than an hour. */
export const SCHEDULED_REFRESH_LEAD_SEC = 720;
/** Spread of the schedule's lead. */
export const SCHEDULED_REFRESH_LEAD_JITTER_SEC = 240;
/** Characters of an id in a stored key, percent-encoded: DynamoDB allows 1,024 bytes in a sort key, and a prefix stands before it. */
export const KEY_PART_MAX = 1_000;

/** Bytes of an id in the path of a request: connection ids and integration ids are the longest. */
export const PATH_ID_MAX_BYTES = 255;

/** A connection used within this time is kept fresh ahead of use, where the deployment does not say otherwise. */
export const ACTIVE_WINDOW_SEC = 24 * 3600;
/** An idle connection is refreshed this often, far inside Google's six months of disuse; the deployment may say otherwise. */
export const KEEP_ALIVE_SEC = 30 * 24 * 3600;
/** Part of the keep-alive period that is jitter. */
export const KEEP_ALIVE_JITTER = 0.1;

/** A holder that died frees its lease after this. */
export const LEASE_SEC = 30;
/** A lease that ends later than this beyond a whole lease was written by a wrong clock, and binds nobody. */
export const LEASE_CLOCK_TOLERANCE_SEC = 60;
/** One token call; two of them end within two thirds of the lease. */
export const TOKEN_CALL_TIMEOUT_MS = 8_000;
/** A refresh asked for through the management API ends within this, inside its function's 15 seconds. */
export const REQUESTED_REFRESH_BUDGET_MS = 12_000;
/** Pause before a token write that failed is repeated; doubles each time. */
export const TOKEN_WRITE_RETRY_MS = 100;
/** A token write is repeated this long when nothing is lost without it: the provider sent no new refresh token. */
export const PLAIN_TOKEN_WRITE_BUDGET_MS = 3_000;
/** First pause between looks at a connection somebody else refreshes; jittered and growing. */
export const REFRESH_POLL_MS = 60;
/** Token replies are small; anything larger is not one. */
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
/** A later announced end of a grant is none: nobody plans for it, and a row could not hold any number. */
export const ANNOUNCED_LIFETIME_MAX_SEC = 100 * 365 * 24 * 3600;
/** Used when the provider does not say. */
export const TOKEN_LIFETIME_DEFAULT_SEC = 3600;

/** First wait after a transient refresh failure of a connection. */
export const REFRESH_BACKOFF_BASE_SEC = 20;
/** Longest wait after the token endpoint failed: callers are served again within a minute of its recovery. */
export const TOKEN_ENDPOINT_BACKOFF_MAX_SEC = 60;
/** Longest wait after failures of one row alone. */
export const REFRESH_BACKOFF_MAX_SEC = 3600;
/** After the provider refused an OAuth client its token calls pause this long, then one is tried. */
export const CLIENT_FAULT_COOL_DOWN_SEC = 60;
/** As many connections of an integration must get the same unlisted answer before it is taken for its OAuth client's. */
export const CLIENT_SUSPICION_CONNECTIONS = 3;
/** They must get it within this: long enough for three connections of a small integration to be due. */
export const CLIENT_SUSPICION_WINDOW_SEC = 600;
/** Before a refusal is repeated from memory the row is read, at most this often per connection and process: a repair shows at once. */
export const REFUSAL_REREAD_MS = 1_000;
/** After a 401 from the API had a connection refreshed, the next 401 does not for this long, in any process. */
export const FORCED_REFRESH_COOL_DOWN_SEC = 30;

/** A service account that a domain does not list may only not have spread yet (Google Workspace Admin Help, "Control API access with domain-wide delegation"). */
export const DELEGATION_PENDING_SEC = 24 * 3600;
/** Of all connections of a domain that is not listed, one asks the provider this often; its success brings all of them back. */
export const DELEGATION_PROBE_SEC = 600;
/** Of a domain that works somebody is asked for this often, so that a listing that is taken back shows though nobody calls. */
export const DELEGATION_LOOK_SEC = 3600;
/** And for so long after the last call for one of its users; that there was one is noted once a day. */
export const DELEGATION_LOOK_FOR_SEC = 7 * 24 * 3600;
export const DELEGATION_USE_NOTED_SEC = 24 * 3600;
/** Domains that one tick asks for, one after the other, of the lost ones and of those that work: the rest waits for the next. */
export const DOMAINS_PER_TICK = 50;
/** Pages of an integration's connections in which a user of a domain is looked for, where the one asked for last is gone. */
export const DOMAIN_LOOK_PAGES = 5;
/** A process takes what it read of a domain that is not listed as it is for so long: what became of it elsewhere shows within a second. */
export const DELEGATED_DOMAIN_CACHE_MS = 1_000;
/** Of a domain that works, the next token shows whether it still does. */
export const DELEGATED_DOMAIN_GRANTED_CACHE_MS = 60_000;
/** Users that an integration may be connected to for the first time in an hour, unless it says more: a stolen key shall not empty a domain. */
export const NEW_SUBJECTS_PER_HOUR = 100;
/** The hour of that. */
export const NEW_SUBJECTS_WINDOW_SEC = 3_600;
/** A key of a service account that is older is warned of (Google, "Best practices for managing service account keys"). */
export const SERVICE_ACCOUNT_KEY_OLD_SEC = 90 * 86_400;

/** Use is noted at most this often per connection, because each note is a table write. */
export const USE_NOTE_INTERVAL_SEC = 600;

/** A pending authorization is used up or gone after this (security of `state`). */
export const AUTHORIZATION_LIFETIME_SEC = 600;
/** The session of a domain's administrator: several may have to agree, and Google may take a day to know of it. */
export const ADMIN_SESSION_LIFETIME_SEC = 7 * 24 * 3600;
/** Checks of one such session a minute: each asks the provider for each scope. */
export const DELEGATION_CHECKS_PER_MINUTE = 10;
/** A connect session ends after this. */
export const CONNECT_SESSION_LIFETIME_SEC = 1800;
/** A reconnect link that an operator sends lives as long as they say: in this range, a day where they say nothing. */
export const RECONNECT_LINK_LIFETIME_SEC = { min: 300, default: 24 * 3600, max: 7 * 24 * 3600 } as const;
/** Links made by one request: each is a transaction, and the function answers within its 15 seconds. */
export const RECONNECT_LINKS_MAX = 100;
/** Links made at the same time. */
export const RECONNECT_LINKS_CONCURRENCY = 10;
/** Connect sessions of one end user that one request deletes: each is a transaction, and the function answers within its 15 seconds. */
export const SESSIONS_DELETED_MAX = 500;
/** Text that goes with a link. */
export const RECONNECT_MESSAGE_MAX_LENGTH = 4_000;
/** Who came back can be seen this long. */
export const RECONNECT_BATCH_RETENTION_SEC = 90 * 24 * 3600;
/** A grant that waits for confirmation is ended after this: time to come back to the app and sign in there, no more. */
export const CONFIRMATION_LIFETIME_SEC = 900;
/** Integrations that a session names, fixes something for, or shows: more than a person chooses from, and the reads one request causes. */
export const SESSION_INTEGRATIONS_MAX = 100;
/** A session may be started this often: more than any person tries, and each start leaves two rows. */
export const CONNECT_STARTS_MAX = 20;
/** Files of one pick: what one JSON answer of a session still carries, and more than anybody ticks by hand. */
export const PICKED_FILES_MAX = 500;
/** Picked files that are tried at the same time: a page of files within a second, and no burst that Google would slow down. */
export const PICK_CONFIRM_CONCURRENCY = 10;
/** Trying picked files stops after this, because a person waits for the page and its function for 15 seconds. */
export const PICK_CONFIRM_BUDGET_MS = 4_000;
/** What was picked stays on record as long as the events that tell of it. */
export const PICK_RETENTION_SEC = 400 * 24 * 3600;
/** Connect sessions an account may make in one minute: far above any rollout by mail, far below what fills a table. */
export const CONNECT_SESSIONS_PER_MINUTE = 600;
/** Authorizations an account's users may start in one minute: with their ten minutes of life, at most 3,300 are pending. */
export const AUTHORIZATIONS_PER_MINUTE = 300;
/** Uses are counted in windows of this length. */
export const RATE_WINDOW_SEC = 60;
/** How long a call waits for a person: a day, so that everybody who has to decide is awake once. */
export const APPROVAL_LIFETIME_SEC = 24 * 3600;
/** Rows of an approval are kept this long after the call would have expired: what became of it is reported until then. */
export const APPROVAL_KEPT_SEC = 24 * 3600;
/** How long a link with which an end user decides works, and a sign-in counts on the page: long enough to read, too short to keep. */
export const APPROVAL_LINK_SEC = 600;
/** Approvals whose time has come that one tick ends, and those of a deleted connection that it deletes at a time. */
export const APPROVALS_AT_ONCE = 25;
/** Calls of one key that wait at the same time: what one person can still look through. */
export const APPROVALS_PENDING_MAX = 20;
/** Calls of one key that may ask for approval in a day: past this nobody reads what they approve. */
export const APPROVALS_PER_DAY_MAX = 200;
/** What is approved runs within seconds; what could not for so long is not to surprise anybody. */
export const APPROVED_RUN_WITHIN_SEC = 3600;
/** An approved call that has not begun after this needs somebody: the bus has tried it several times. */
export const APPROVED_LATE_SEC = 300;
/** How long a run may take: the provider's answer, with a refresh before it and readings around it. */
export const APPROVAL_RUN_MS = 60_000;
/** Bytes of an answer that are kept for the caller: an item of the table has 400 KB, and answers to changes are small. */
export const APPROVAL_RESULT_MAX_BYTES = 64 * 1024;
/** Pieces that a waiting body is encrypted in: each is a third longer twice, and an item has 400 KB. */
export const APPROVAL_PIECE_BYTES = 128 * 1024;
/** Seconds after which a caller may ask again what became of its call. */
export const APPROVAL_RETRY_AFTER_SEC = 10;
/** Bytes of a request's body that can wait for a person: with it, its headers and a page's reading the row stays below 400 KB. */
export const APPROVAL_BODY_MAX_BYTES = 256 * 1024;
/** Methods, connections, integrations or addresses that one list of a key's limits names: with all of them the row stays below 64 KB. */
export const KEY_LIMIT_NAMES_MAX = 200;
/** Budgets of a day are counted in windows of this length, which begin at midnight UTC. */
export const DAY_WINDOW_SEC = 24 * 3600;
/** Shares of a day's budget or quota that are reported once they are used: half a day to look, little time to act, and nothing left. */
export const DAY_THRESHOLDS_PERCENT = [50, 80, 100] as const;
/** A process reports its calls to the table when they are this part of what is left: fifty processes together stay near the limit. */
export const UNREPORTED_CALLS_MAX_SHARE = 1 / 50;
/** Calls stay unreported no longer than this, so that many processes with few calls each learn of one another. */
export const UNREPORTED_CALLS_MAX_MS = 10_000;
/** Fewer calls than this are not reported for their age alone: a quiet key costs no write. */
export const MIN_CALLS_TO_REPORT = 10;
/** Calls in the background leave the rest of a minute's quota to those that somebody waits for: bursts of these are larger than a quarter. */
export const BACKGROUND_SHARE = 0.7;
/** What the table said of a minute's use is believed this long: ten calls of a job share one question. */
export const BACKGROUND_KNOWN_MS = 1_000;
/** And for this part of what is left: fifty processes that have asked at the same time stay near the limit together. */
export const BACKGROUND_UNKNOWN_MAX_SHARE = 1 / 200;
/** Refused callers are sent back over this long, so that they do not come back at once. */
export const BACKGROUND_SPREAD_SEC = 20;
/** After Google says that a minute is used up, it is used up for this long: doubled with each refusal that follows. */
export const BACKGROUND_REST_MIN_MS = 1_000;
/** Google counts by the minute: nothing that is used up stays so for longer. */
export const BACKGROUND_REST_MAX_MS = 60_000;
/** From this share of a project's minute on, processes tell each other what they took: below it fifty of them are a twentieth. */
export const PACED_FROM_SHARE = 1 / 1000;
/** And each time they took this share of a user's: one user is called by few processes, of which three have the part that stays free. */
export const PACED_FROM_SHARE_OF_USER = 1 / 10;
/** Requests of one call to an AWS service, the first included: a cut connection or a full table costs a caller nothing. */
export const AWS_ATTEMPTS = 4;
/** Services are in the function's own region, a millisecond away. */
export const AWS_CONNECT_TIMEOUT_MS = 1_000;
/** One request to an AWS service with its whole answer: what takes this long will not come. */
export const AWS_ANSWER_TIMEOUT_MS = 5_000;
/** No repeat begins later: a service that hangs is asked twice, and who waits hears of it 11 s after the call, inside every function's 15. */
export const AWS_LAST_REPEAT_MS = 6_000;
/** Calls to AWS services end this long before their function is stopped, so that it can still answer. */
export const AWS_CALLS_END_BEFORE_MS = 1_000;
/** The start of a pull that a message asks for, once repeated: Google waits for the answer, and the next sweep does what is not started. */
export const FEED_WAKE_TIMEOUT_MS = 2_000;
/** A report to the table ends within this, because a finished call waits for it before its process takes the next. */
export const CALLS_REPORT_TIMEOUT_MS = 2_000;
/** A call under way is counted once it has run this long: short ones cost no write. */
export const LONG_CALL_MS = 10_000;
/** Calls that continue into the next minute are not all reported at its beginning. */
export const LONG_CALL_MARK_SPREAD_MS = 5_000;
/** A process that met too many long calls of a key or connection refuses its next ones for this long. */
export const LONG_CALLS_SPENT_MS = 10_000;
/** A caller that takes less than this of its answer is cut off: any modem takes more, and it holds a process meanwhile. */
export const READER_MIN_BYTES_PER_SEC = 1024;
/** The pace of a caller is judged over this much waiting for it: a train tunnel is shorter. */
export const READER_WINDOW_MS = 60_000;
/** Bytes handed over at once, so that also the pace of a slow caller shows within one window. */
export const READER_STEP_BYTES = 32 * 1024;
/** Rows TTL may clean up stay this much longer than they count, so that late visitors get a true answer. */
export const TTL_GRACE_SEC = 24 * 3600;
/** A revoked secret key stays listed, and named in the audit trail, this long: longer than a backup that could bring it back. */
export const REVOKED_KEY_RETENTION_SEC = 90 * 24 * 3600;
/** Times that a part of a batch is put on the event bus before Lambda brings the batch again. */
export const EVENT_PUT_ATTEMPTS = 5;
/** Pauses between them, doubled each time: a throttled bus has room again within seconds. */
export const EVENT_PUT_BACKOFF_BASE_MS = 100;
export const EVENT_PUT_BACKOFF_MAX_MS = 2_000;
/**
 * An event that the bus does not take this long after it was written, while it takes others, is put into the queue: those behind it in
 * its shard would be given up with it when an hour is over.
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
/** JSON of one list answer: also as base64, a third more, it fits into the 6 MB that a buffered function may answer. */
export const LIST_ANSWER_MAX_BYTES = 4 * 1024 * 1024;
/** So many connections fit into one list answer, whatever their metadata: pages of them can be passed over unread. */
export const CONNECTIONS_THAT_FIT = 100;
/** Most connections one list answer holds, and the default where none is asked for. */
export const CONNECTION_LIST_MAX = 2000;
/** Counting pages may pass over this many; beyond it the cursor costs less. */
export const COUNTED_ITEMS_MAX = 10_000;
/** No grant of an import is older: OAuth clients of Google came later. */
export const IMPORTED_TIME_MIN_EPOCH_SEC = Date.UTC(2004, 0) / 1000;
/** An importer's clock may be ahead by this. */
export const IMPORTED_TIME_SLACK_SEC = 60;
/** Characters of a connection that a search compares: names, addresses and ids always fit, the last of very long tags do not. */
export const SEARCH_TEXT_MAX_LENGTH = 1_000;
/** Words of a search that count. */
export const SEARCH_WORDS_MAX = 10;
/**
 * Items that the search entries of an account are spread over: few enough to be read by one search, so many that an entry is
 * written with some twenty others at 100,000 connections, and two writers seldom meet.
 */
export const SEARCH_BUCKETS = 4_096;
/** Partitions the buckets lie in: a thousand connections a second can be written. */
export const SEARCH_SHARDS = 16;
/** Calls under way of one search, each for up to 1 MB of buckets: all partitions are read at the same time. */
export const SEARCH_READS_AT_ONCE = 16;
/**
 * Counters that the changes of an integration's connections are spread over, each written with its change: of 400 deaths a second that
 * take ten milliseconds each, one in eight meets another at its counter and is tried again. Divides the number of buckets.
 */
export const CHANGE_COUNT_PARTS = 32;
/** A bucket takes no more, far below the 400 KB of an item: two million connections of an account. */
export const SEARCH_BUCKET_MAX_LENGTH = 150_000;
/** A search stops after so many connections, of which the best are shown. */
export const SEARCH_FOUND_MAX = 1_000;
/** Characters of a name that order a list by name: a sort key has at most 1,024 bytes, and nobody reads further. */
export const LISTED_NAME_MAX_LENGTH = 200;
/** Lists of single integrations that one page is put together from; of more, the whole list is looked through. */
export const LISTS_MERGED_MAX = 8;
/** Queries of 1 MB that one page or total of such a list takes, some five thousand rows each. */
export const LISTED_READS_MAX = 10;
/** Connections that a list with further conditions reads at a time. */
export const LISTED_ROWS_AT_ONCE = 200;
/** Connections that are put into the order of their last use, because each is read for it. */
export const SORTED_CONNECTIONS_MAX = 2_000;
/** Connections of the list that a tick looks for in the search index, and how long it rests once it has seen them all. */
export const SEARCH_CHECKED_PER_TICK = 2_000;
export const SEARCH_CHECK_REST_SEC = 7 * 24 * 3600;
/** Metadata of a connection, because every list carries it. */
export const METADATA_MAX_BYTES = 32 * 1024;
/** Connections whose metadata one call changes. */
export const METADATA_CONNECTIONS_MAX = 100;
/** Live secret keys of an account: enough for every service and its rotation. */
export const SECRET_KEYS_MAX = 100;
/** The provider call of a connection check, inside the front door's 29 s and alongside a refresh. */
export const CHECK_CALL_TIMEOUT_MS = 5_000;
/** A provider's answer to a check or about an account is small. */
export const CHECK_RESPONSE_MAX_BYTES = 256 * 1024;
/** Deleting an integration's connections stops after this, because its function would be stopped; the next call continues. */
export const BULK_DELETE_BUDGET_MS = 9_000;
/** Connections deleted at the same time. */
export const BULK_DELETE_CONCURRENCY = 10;
/** A secret read this recently is not read again because it names another client. */
export const CLIENT_CREDENTIALS_REREAD_MS = 5_000;

/** An operator who makes a secret key proved who they are this recently: a screen left open is not enough. */
export const RECENT_SIGN_IN_SEC = 15 * 60;
/** An operator who makes a secret key that reads tokens proved who they are this recently. */
export const CREDENTIAL_KEY_SIGN_IN_SEC = 5 * 60;
/** The issuer's keys are asked for again after this, so that a withdrawn one stops counting. */
export const ISSUER_KEYS_MAX_AGE_MS = 60 * 60_000;
/** The issuer is asked for its keys at most this often: tokens with invented key ids cost it one question. */
export const ISSUER_KEYS_COOL_DOWN_MS = 30_000;
/** A tried call with its refreshes ends within this, inside its function's 15 seconds. */
export const TRY_BUDGET_MS = 13_000;
/** Body of a tried call's answer as far as it is shown. */
export const TRY_RESPONSE_MAX_BYTES = 256 * 1024;

/** JSON of an error answer: a request may hold a hundred thousand mistakes, and nobody reads that many. */
export const ERROR_ANSWER_MAX_BYTES = 64 * 1024;
/** Problems an error answer lists. */
export const ERROR_PROBLEMS_MAX = 100;
/** Characters of one text of an error answer: some repeat what was sent. */
export const ERROR_TEXT_MAX_LENGTH = 1_000;
/** Body of a management request. */
export const JSON_BODY_MAX_BYTES = 256 * 1024;
/** Header values together, below the front door's 10,240 bytes. */
export const REQUEST_HEADERS_MAX_BYTES = 10_000;
/** More header fields than any client sends. */
export const REQUEST_HEADERS_MAX_COUNT = 100;
/** Header lines of one part of a batch, and the length of its target: what a request of its own may have. */
export const BATCH_PART_HEADERS_MAX_COUNT = 100;
export const BATCH_PART_TARGET_MAX_BYTES = 10_240;
/** What Lambda streams of one answer: 200 MB, taken in the smaller sense of the word (Lambda quotas). */
const RESPONSE_STREAM_MAX_BYTES = 200_000_000;
/** Its share for the head that goes before the body: up to 16 KiB of the provider's header fields, as JSON, and the gateway's. */
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
/** Retries as asked by the caller end within this, because a caller is waiting. */
export const RETRY_BUDGET_MS = 60_000;
/** The rest of an answer nobody wants is waited for this long, to keep its connection; then the connection goes. */
export const DISCARD_TIMEOUT_MS = 1_000;
/** Most retries a caller may ask for. */
export const RETRIES_MAX = 5;
/** Repeats per call that a process makes in the long run, so that callers' retries do not multiply a provider's outage. */
export const RETRY_BUDGET_SHARE = 0.2;
/** Repeats of a process beyond that share: two calls with all they may ask for, so that a single caller gets their own. */
export const RETRY_BUDGET_REPEATS = 2 * RETRIES_MAX;

/** A call's row of the call log is written within this, once: the process is held for no longer. */
export const CALL_LOG_WRITE_TIMEOUT_MS = 300;
/** Rows of one connection and day; of the calls beyond, one in `CALL_LOG_THINNED_TO` leaves a row that stands for all of them. */
export const CALL_LOG_ROWS_PER_DAY = 10_000;
export const CALL_LOG_THINNED_TO = 10;
/** Processes tell each other of every so many calls that were to leave a row: that many in each may come beyond the rows of a day. */
export const CALL_LOG_COUNTED_BY = 100;
/** An operator who asks for it gets every call of a connection logged for an hour. */
export const CALL_LOG_RECORDING_SEC = 3600;
/** Rows of one answer, unless fewer are asked for, and at most. */
export const CALL_LIST_DEFAULT = 50;
export const CALL_LIST_MAX = 200;
/** Pages of the table that one answer reads: a filter that matches little then ends in a cursor. */
export const CALL_LIST_READS_MAX = 10;
/** Rows of failed calls that one read of an account's list looks at: some 250 KB, so that an answer costs at most 10 such reads. */
export const FAILURES_READ_AT_ONCE = 500;
/** Newest failed calls of the last hour that a verdict on them names reasons from: one answer's worth of reads. */
export const VERDICT_SAMPLE = 200;
/** Minutes that a verdict looks back. */
export const VERDICT_MINUTES = 60;
/** Deleted connections whose rows one tick clears away, how many rows at a time, and how many times. */
export const CALL_LOG_CLEARINGS_PER_TICK = 25;
export const CALL_LOG_CLEARED_AT_ONCE = 50;
export const CALL_LOG_CLEARING_ROUNDS = 40;
/** Rows are cleared this long after a deletion, when no process serves the connection any more and a late row has been written. */
export const CALL_LOG_CLEARING_DELAY_SEC = 20 * 60;

/** Refusals of a connection's refresh in a row until an event and its health say so: one or two may be the provider's slip. */
export const REFUSALS_TO_REPORT = 3;
/** The same, of answers that promise to pass: after a day they have not. */
export const REFUSED_SEC_TO_REPORT = 24 * 3600;
/** Calls in a row that the provider refuses for the connection's sake until the connection counts as failing. */
export const REFUSALS_TO_FAIL = 3;
/** A grant whose known end is nearer than this ends soon: when its first warning is given. */
export const ENDS_SOON_SEC = 2 * 24 * 3600;
/** A process shows how its refreshes ended this long after it last did: seconds are lost of one that ends. */
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
/** What a tick lists of the events of an earlier version: those of the account, and those of so many connections. */
export const AUDIT_EVENTS_PER_TICK = 500;
export const AUDIT_CONNECTIONS_PER_TICK = 500;
export const AUDIT_WRITES_AT_ONCE = 8;
/** The gateway keeps one row's reason and no more of an error's text. */
export const CALL_REASON_MAX_LENGTH = 64;

/** A row the sweep cannot read is looked at again after this: another version of the code may understand it. */
export const UNREADABLE_ROW_RETRY_SEC = 3600;
/** The sweep's page and bounded concurrency. */
export const SWEEP_PAGE_SIZE = 100;
export const SWEEP_CONCURRENCY = 50;
/** A run that died keeps its slice of the due index for so many leases of a connection: 90 s, and the tick after that continues. */
export const SLICE_LEASE_IN_LEASES = 3;
/** Entries of the due index that a tick reads at once: 17 units at most, where a question to each of 192 partitions takes 96. */
export const DUE_LOOK_MAX_ENTRIES = 1_000;
/** An index that held more than that is not read at once again for this long. */
export const DUE_LOOK_REST_SEC = 3_600;
/** The sweep stops taking work this long before its function would be stopped. */
export const SWEEP_RESERVE_MS = 20_000;

/** A process notes the end of its sweeps this often: three notes fit into the silence that is told. */
export const TICK_NOTE_INTERVAL_MS = 240_000;
/** A sweep that has not ended for so long is missing: the longest takes five minutes, and the next one begins within another. */
export const TICK_SILENCE_SEC = 900;
/** One event each ten minutes keeps the path of events under watch for some cents a month. */
export const HEARTBEAT_INTERVAL_MS = 600_000;
/** A day of heartbeats is enough to see when they ended. */
export const HEARTBEAT_RETENTION_SEC = 86_400;

/** Index pages of 1 MB that a tick reads to count connections: at most 128 read units each, and done within a second. */
export const CENSUS_PAGES_PER_TICK = 5;
/** Rest between two counts of all connections, so that a small account costs next to nothing to count. */
export const CENSUS_REST_SEC = 900;
/** Up to so many connections are counted with the next tick after a change: one index page. */
export const CENSUS_SMALL = 1_000;
/** Ends and crowded accounts that a count names, as many as an overview shows: each is read for it. */
export const CENSUS_NAMED_ENDS = 20;
export const CENSUS_NAMED_CROWDED = 10;
/** Incidents of an hour that a count keeps, the newest ones: 100 of them make its row some 15 KB longer. Older ones are kept by cause alone. */
export const CENSUS_INCIDENTS_MAX = 100;
/** Causes of integrations that a count keeps for what is older: far more than an account has, few enough for one row. */
export const CENSUS_EARLIER_MAX = 200;
/** Connections that stopped working within so much of each other have one cause: what people call one incident. */
export const INCIDENT_SPAN_SEC = 3600;
/** A key that nobody used for so long is rather forgotten than needed (AWS advises the same of its access keys). */
export const KEY_UNUSED_SEC = 90 * 24 * 3600;
/** A feed that was due so long ago and was not pulled since stands still. Ticks are a minute apart, and it is reported within ten minutes. */
export const FEED_OVERDUE_SEC = 480;
/** Feeds that are read to see which fail: half a second, and 250 read units. */
export const ATTENTION_FEEDS_MAX = 500;
/** Days ahead of which ends are counted. */
export const COMING_END_DAYS = 7;

/**
 * Deaths a second that sweeps record together. Each writes a row of two units into the one partition of the list of the dead, and one
 * into that of its cause; a partition takes 1,000 units a second, and callers find dead connections, too.
 */
export const RECORDED_DEATHS_PER_SEC = 400;
/** Deaths in a row after which the connections of an integration are taken for dying, and wait for the others and for their turn. */
export const DYING_AFTER_DEATHS = 5;
/** A run buries for this long at most, so that the next minute's tick finds its slice free. */
export const RECORD_DEATHS_TIME_MS = 45_000;
/** Connections that one run keeps to bury behind all others: what it can record in its time. */
export const DYING_CONNECTIONS_KEPT = RECORDED_DEATHS_PER_SEC * (RECORD_DEATHS_TIME_MS / 1000);
/** After this many token endpoint failures in a row the sweep gives the provider a rest until the next tick. */
export const SWEEP_BRAKE_AFTER_FAILURES = 20;

/** This many deaths under one integration within the window are one incident of its client, not of its users. */
export const DEATH_INCIDENT_COUNT = 5;
/** The window of an incident. */
export const DEATH_INCIDENT_WINDOW_SEC = 600;

/** Google's cap of live refresh tokens per account and client. */
export const REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT = 100;
/** A warning starts here. */
export const REFRESH_TOKENS_WARN_FROM = 90;
/** Consents of an account that are remembered: twice as many as can matter for the limit. */
export const CONSENTS_KEPT = 2 * REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT;
/** External apps in Testing lose every grant this long after consent. */
export const TESTING_GRANT_LIFETIME_SEC = 7 * 24 * 3600;
/** An announced life of a grant this near to seven days is that of an app in Testing: 604,799 s are seen, and clocks differ. */
export const TESTING_ANNOUNCED_TOLERANCE_SEC = 3600;
/** Google ends refresh tokens unused for six months. */
export const UNUSED_GRANT_LIFETIME_SEC = 180 * 24 * 3600;
/** A known end of a grant is announced two days and one day before it comes. */
export const EXPIRY_WARNING_LEADS_SEC: readonly number[] = [2 * 24 * 3600, 24 * 3600];
/** A grant is refreshed this long after its known end, to learn whether it ended: clocks differ by less. */
export const LOOK_AFTER_END_SEC = 5 * 60;

/** Who creates something of a limited number holds its gate at most this long: longer than the management function may run. */
export const CREATION_GATE_SEC = 30;
/** Waiting for others to have created theirs, inside the management function's 15 seconds. */
export const CREATION_WAIT_MS = 8_000;
/** A request with an `Idempotency-Key` is repeated from its note for this long (draft-ietf-httpapi-idempotency-key-header section 2.3 leaves it to the server). */
export const IDEMPOTENCY_KEY_LIFETIME_SEC = 24 * 3600;
/** The run of such a request is over by then, whatever became of its process: the management function's 15 seconds, and room. */
export const IDEMPOTENT_RUN_SEC = 20;
/** When to ask again while the first request runs: most take a part of a second. */
export const IDEMPOTENT_RETRY_SEC = 1;
/** Answers that are kept: encrypted, an item of DynamoDB holds no more (400 KB). */
export const IDEMPOTENT_ANSWER_MAX_BYTES = 256 * 1024;
/** An index shows a new row within this, with room to spare. */
export const INDEX_LAG_SEC = 60;
/** Endpoints of an account: each event is signed and sent to all of them. */
export const WEBHOOKS_MAX = 20;
/** Random bytes of an endpoint's secret: Standard Webhooks asks for 24 to 64. */
export const WEBHOOK_SECRET_BYTES = 32;
/** After a rotation messages carry the old secret's signature too, this long: time for a deployment on the other side. */
export const WEBHOOK_SECRET_OVERLAP_SEC = 24 * 3600;
/** Tests of one endpoint: enough to try by hand, too few to use the gateway against anyone who is at the address. */
export const WEBHOOK_TESTS_PER_MINUTE = 10;
/** From the connection to the head of an endpoint's answer. */
export const WEBHOOK_HEAD_TIMEOUT_MS = 10_000;
/** One attempt in all, connection and answer included. */
export const WEBHOOK_TOTAL_TIMEOUT_MS = 15_000;
/** An attempt that somebody waits for, inside the management function's 15 seconds. */
export const WEBHOOK_TEST_TIMEOUT_MS = 9_000;
/** Bytes of an endpoint's answer that are read; the rest is nobody's business here. */
export const WEBHOOK_ANSWER_MAX_BYTES = 4 * 1024;
/** Characters of them that the delivery log keeps. */
export const WEBHOOK_EXCERPT_MAX_LENGTH = 500;
/** Body of a message: above the largest event, below what receivers commonly refuse. */
export const WEBHOOK_BODY_MAX_BYTES = 64 * 1024;
/** Seconds to the next attempt after the first, the second and so on: ten attempts over 75 hours (Standard Webhooks, example schedule). */
export const WEBHOOK_RETRY_DELAYS_SEC: readonly number[] = [
  5,
  5 * 60,
  30 * 60,
  2 * 3600,
  5 * 3600,
  10 * 3600,
  14 * 3600,
  20 * 3600,
  24 * 3600,
];
/** Part of a delay that is added or taken away by chance, so that what failed together is not tried again together. */
export const WEBHOOK_RETRY_JITTER = 0.1;
/** A `Retry-After` beyond this counts as this. */
export const WEBHOOK_RETRY_AFTER_MAX_SEC = 24 * 3600;
/** An attempt under way keeps others away from its delivery for this long; a process that died frees it then. */
export const WEBHOOK_CLAIM_SEC = 60;
/** After so many failures in a row an endpoint rests, and its deliveries wait with it. */
export const WEBHOOK_REST_AFTER_FAILURES = 5;
/** The first rest; it doubles with each further failure. */
export const WEBHOOK_REST_BASE_SEC = 30;
/** The longest rest: an endpoint that recovers is heard again within this. */
export const WEBHOOK_REST_MAX_SEC = 3600;
/** An endpoint without a success for this long, and with the failures below, is disabled. */
export const WEBHOOK_DISABLE_AFTER_SEC = 5 * 24 * 3600;
export const WEBHOOK_DISABLE_MIN_FAILURES = 20;
/** Deliveries stay on record, and wait for a disabled endpoint, this long. */
export const DELIVERY_RETENTION_SEC = 14 * 24 * 3600;
/** Attempts of one delivery that the log shows: those of two whole rounds. */
export const DELIVERY_ATTEMPTS_KEPT = 20;
/** Attempts at the same time in one sweep, and those of them that one endpoint may have. */
export const DELIVERY_CONCURRENCY = 50;
export const DELIVERY_CONCURRENCY_PER_ENDPOINT = 5;
/** A success is noted on its endpoint at most this often, because each note is a write. */
export const WEBHOOK_SUCCESS_NOTE_SEC = 60;
/** Events one call of a replay looks at: what its function does in a few seconds. */
export const REPLAY_EVENTS_MAX = 500;

/** A holder of a feed's lease that died frees the feed after this: longer than any single call to Google with its repeat. */
export const FEED_LEASE_MS = 60_000;
/** One call of a feed to Google; two fit into a request of the management API. */
export const FEED_CALL_TIMEOUT_MS = 8_000;
/** A page of a hundred ids is far below; fifty events with 8,192 characters of description and 200 guests each are 3 MB. */
export const FEED_ANSWER_MAX_BYTES = 4 * 1024 * 1024;
/** Changes asked for at once: a page then fits into one batch. */
export const FEED_PAGE_SIZE = 100;
/** The same where changes have meanings: what is remembered of each thing is written in the transaction of the batch, which takes 100 items. */
export const FEED_MEANING_PAGE_SIZE = 50;
/** What is remembered of a thing that has gone: long enough for what comes out of a trash, which lasts 30 days. */
export const FEED_GONE_STATE_RETENTION_SEC = 60 * 24 * 3600;
/** Reminders of one feed, and how many minutes ahead they are at most: what was told is remembered until its event has started. */
export const FEED_REMINDERS_MAX = 5;
export const REMINDER_MAX_MINUTES = 1_440;
/** Beyond the longest reminder a list of what starts looks an hour further than to the next list, which is a day away. */
export const REMINDER_AHEAD_SEC = 25 * 3600;
export const REMINDER_LOOK_SEC = 24 * 3600;
/** A reminder that could not be told in time is told until so long after the start. */
export const REMINDER_LATE_SEC = 15 * 60;
/** Pages of 250 that one list of what starts reads: 5,000 occurrences in two days. */
export const REMINDER_PAGES_MAX = 20;
/** A reminder whose feed is being worked on is tried again after this, so many times, before the next tick. */
export const REMINDER_BUSY_PAUSE_MS = 5_000;
export const REMINDER_BUSY_TRIES = 3;
/** States of a feed that are erased at the same time. */
export const FEED_STATES_ERASED_AT_ONCE = 25;
/** Changes of one batch. */
export const FEED_BATCH_MAX_CHANGES = 100;
/** Changes of one batch as JSON, far inside the 256 KB of an event. */
export const FEED_BATCH_MAX_BYTES = 60_000;
/** How long a note of what was deleted outlives it: point-in-time recovery reaches back 35 days, and a restore must not bring it back. */
export const BACKUP_RETENTION_SEC = 40 * 24 * 3600;
/** Batches can be read again for this long. */
export const FEED_BATCH_RETENTION_SEC = 14 * 24 * 3600;
/** Batches of a feed that are kept: what a feed makes in six hours at most, and in weeks as most do. */
export const FEED_BATCHES_KEPT = 10_000;
/** A consumer whose next batch is this old has stopped, with half of the time left in which the batch can still be read. */
export const FEED_LAG_MAX_SEC = 7 * 24 * 3600;
/** Batches that one answer lists: each has at most 60 KB, and a buffered answer 4 MB. */
export const FEED_BATCHES_PER_ANSWER = 50;
/** Feeds are polled no more often than this once 80 % of the day's quota are used: a twelfth of what they take otherwise. */
export const FEED_SLOW_POLL_SEC = 3600;
/** From this share of the day's units on. */
export const FEED_SLOW_POLL_SHARE = 0.8;
/** How full a day is that is not nearly used up is remembered this long: it is minutes old when it is read. */
export const DAY_USE_CACHE_MS = 300_000;
/** From this share on it is remembered no longer than integrations are. */
export const DAY_USE_READ_OFTEN_SHARE = 0.8;
/** The same feed is not pulled more often than this. */
export const FEED_PULL_INTERVAL_MS = 2_000;
/** A pull that found this many changes lets the feed rest for longer: about a thousand a minute. */
export const FEED_BUSY_CHANGES = 500;
export const FEED_BUSY_INTERVAL_MS = 30_000;
/** Without a message a feed with a channel is pulled this often, because a small share of messages is dropped. */
export const FEED_SAFETY_INTERVAL_SEC = 6 * 3600;
/** A feed without a channel is pulled this often. */
export const FEED_POLL_INTERVAL_SEC = 300;
/** Spread of both intervals, as a share. */
export const FEED_INTERVAL_JITTER = 0.1;
/** A paused feed looks this often whether its connection works again, should the event that says so be lost. */
export const FEED_PAUSED_CHECK_SEC = 300;
/** Life that a channel is asked for: the longest of Drive's changes, and Calendar's own default. */
export const CHANNEL_LIFE_SEC = 7 * 24 * 3600;
/** Share of its life after which a channel is replaced, and the spread to both sides. */
export const CHANNEL_RENEWAL_SHARE = 0.8;
export const CHANNEL_RENEWAL_JITTER = 0.05;
/** A channel that is to be replaced sooner than this is lent to no other feed. */
export const FEED_LEND_MARGIN_SEC = 600;
/** A resource that has no push is not asked again for this long. */
export const PUSH_NOT_SUPPORTED_RETRY_SEC = 7 * 24 * 3600;
/** An address that is refused may be verified at any time. */
export const PUSH_REFUSED_RETRY_SEC = 3600;
/** Any other failure to open a channel is tried again after this. */
export const WATCH_RETRY_SEC = 300;
/** Safety pulls in a row that find unannounced changes before the channel counts as lost. */
export const UNANNOUNCED_MAX = 3;
/** A cursor is fetched again at most this often after Google refused one. */
export const FEED_GAP_INTERVAL_SEC = 3600;
/** A resource that is refused for this long makes its feed failing. */
export const FEED_REFUSED_LIMIT_SEC = 24 * 3600;
/** First and longest wait after a failure of one feed. */
export const FEED_BACKOFF_BASE_SEC = 20;
export const FEED_BACKOFF_MAX_SEC = 3600;
/** Feeds of one connection: every calendar of a busy person, and the lists as well. */
export const FEEDS_PER_CONNECTION_MAX = 50;
/** Feeds of one connection that end at the same time when it is deleted, and how long that begins to stop channels. */
export const FEED_STOPS_AT_ONCE = 10;
export const FEED_STOPS_BUDGET_MS = 3_000;
/** Feeds of one connection that follow its death or return at the same time: each pulls, and Google counts calls by user, too. */
export const FEED_FOLLOWS_AT_ONCE = 10;
/** Pages that one turn reads before it lets others go first. */
export const FEED_PAGES_PER_TURN = 50;
/** Body of a message to the inbox. */
export const INBOX_BODY_MAX_BYTES = 64 * 1024;
/** Statements that one address may send one process in a second: far above what Google sends, and each costs a check of a signature. */
export const SECURITY_EVENTS_PER_SEC = 50;
/** Names and identifiers in a statement: Google's are some tens of characters long. */
export const SECURITY_EVENT_ID_MAX_LENGTH = 512;
/** Events of one statement that are looked at: Google sends one. */
export const SECURITY_EVENTS_PER_STATEMENT_MAX = 5;
/** Clients that one statement may be addressed to. */
export const SECURITY_EVENT_AUDIENCES_MAX = 10;
/** Statements are kept as evidence for as long as somebody is likely to ask why a connection ended. */
export const EVIDENCE_RETENTION_SEC = 30 * 24 * 3600;
/** A statement may come this long after the refresh that the provider refused for the same reason: Google repeats what it cannot deliver. */
export const EVIDENCE_LATE_SEC = 3600;
/** And so long before a refresh that the provider still granted: its services hear of it one after the other. */
export const EVIDENCE_EARLY_SEC = 3600;
/** Connections that are asked for after one statement: what the limit of refresh tokens leaves an account under one client. */
export const STATEMENT_CONNECTIONS_MAX = 200;
/** And how many of them at the same time. */
export const STATEMENT_REFRESHES_AT_ONCE = 10;
/** The work that follows from a statement is tried again for so long; after that the ordinary refresh meets what it said. */
export const STATEMENT_WORK_SEC = 24 * 3600;
/** And a wake-up has this long for it, inside its function's five minutes. */
export const STATEMENT_BUDGET_MS = 60_000;
/** How often a registered project notes that it hears from Google. */
export const STATEMENT_NOTE_INTERVAL_SEC = 60;
/** A stream that was silent for as long as evidence is kept may be off: no death of that time could have been explained. */
export const SECURITY_EVENTS_QUIET_SEC = 30 * 24 * 3600;
/** How long a verification may be on its way before somebody learns that it has not come. */
export const VERIFICATION_AWAITED_SEC = 3600;
/** The discovery document names the issuer and the address of its keys, and both hardly ever change. */
export const RISC_CONFIGURATION_MAX_AGE_MS = 60 * 60_000;
/** Consumers' cursors of a feed. */
export const FEED_CURSORS_MAX = 20;
/** Shared drives that one feed of `drives` follows: each costs a channel and a read when the feed is read as a whole. */
export const FEED_DRIVES_MAX = 200;
/** The place of a shared drive's log is written with each channel, every week at the latest; one that nobody writes belongs to a feed that is gone. */
export const FEED_LOG_RETENTION_SEC = 60 * 24 * 3600;
/** Folders below the folder of one feed: they are read together when something has changed, in one answer of the table. */
export const FEED_FOLDERS_MAX = 5_000;
/** Folders whose contents are asked for in one call: most have few files, and a query takes some hundred terms. */
export const FEED_FOLDERS_AT_ONCE = 20;
/** Files in one answer of what folders contain: a quarter of what an answer may have, at 2 KB each. */
export const FEED_FOLDER_PAGE_SIZE = 500;
/** Rows of a page of what folders contain that one transaction takes, alongside the feed and the folders that were listed. */
export const FEED_FOLDER_ROWS_AT_ONCE = 75;
/** Logs of shared drives that are read for one write of the quota's count: by so many the share of a minute may be passed. */
export const FEED_LOGS_ADMITTED = 20;
/** Logs of shared drives that one write forgets: a transaction takes 100 items, and each log has two channels at most. */
export const FEED_LOGS_AT_ONCE = 30;
/** Work that a request to the management API waits for, inside its function's 15 seconds. */
export const FEED_REQUEST_BUDGET_MS = 12_000;
/** Work on one feed after a wake-up: what is left is taken up by the next sweep. */
export const FEED_WAKE_BUDGET_MS = 120_000;
/** The sweep stays this long with a feed whose messages never end, longer than the rest between two pulls; others wait for its place. */
export const FEED_SWEEP_STAY_MS = 40_000;

/** A minute is read from the log this long after its end: most lines are there by then, and its calls are counted within five minutes. */
export const MINUTE_READ_AFTER_MS = 90_000;
/** And once more: lines may take five to ten minutes (Sending Lambda function logs to CloudWatch Logs). */
export const MINUTE_READ_AGAIN_AFTER_MS = 15 * 60_000;
/** A day is read once more this long after its end, for lines that came hours late. */
export const DAY_READ_AGAIN_AFTER_MS = 3 * 3_600_000;
/** An hour is compared with Lambda's count after the longest call that began in it has ended. */
export const HOUR_COMPARED_AFTER_MS = 20 * 60_000;
/** Lines of calls that began in an hour come until this long after it: a call takes at most 15 minutes. */
export const LONGEST_CALL_MS = 15 * 60_000;
/** Share of invocations that must have a line: standard output is known to lose about one in a thousand. */
export const FEWEST_LINES_SHARE = 0.998;
/** Without calls, Lambda's count is asked once for so many hours: each question costs 0.1 % of a cent. */
export const HOURS_COMPARED_AT_ONCE = 24;
/** Questions to the log that one tick begins: an account may have 30 under way, and people ask, too. */
export const QUERIES_PER_TICK = 16;
/** A question that has no answer after this is asked again. */
export const QUERY_PATIENCE_MS = 10 * 60_000;
/** An answer of Logs Insights of 10,000 rows is some megabytes. */
export const QUERY_ANSWER_MAX_BYTES = 32 * 1_048_576;
/** A tick without news keeps its progress in memory, and writes it down this often: the table and its key are much of what an idle tick costs. */
export const PROGRESS_WRITE_INTERVAL_MS = 10 * 60_000;
/** Pages of hours and days are made for so long in one tick: ticks that overlap would do the same work twice. */
export const FOLD_BUDGET_MS = 40_000;
/** A tick ends so long before its function would be stopped. */
export const ROLL_UP_RESERVE_MS = 10_000;
/** Entries of a page beyond this size are in items of their own: DynamoDB takes 400 KB, and a reader of one connection reads one item. */
export const PAGE_ITEM_BYTES = 40_000;
/** Pages below this size are one item, connections included. */
export const SMALL_PAGE_BYTES = 3_500;
/** Writes of pages a second: a partition takes 1,000; two ticks may run at once, and take half of that together, whole items included. */
export const PAGE_WRITE_UNITS_PER_SEC = 210;
/** Pages of minutes are read until their hour is over. */
export const MINUTE_PAGE_RETENTION_SEC = 2 * 24 * 3600;
/** Pages of hours until their day is read once more, and by forecasts, which look at the seven days before the provider's day that is under way. */
export const HOUR_PAGE_RETENTION_SEC = 9 * 24 * 3600;
/** Calls by connection and day are what takes room: a quarter of a year of them. */
export const CONNECTION_PAGE_RETENTION_SEC = 92 * 24 * 3600;

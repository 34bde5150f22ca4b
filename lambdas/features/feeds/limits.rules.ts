/** A feed that has been due for so long without a pull is overdue. Ticks are a minute apart, and it is reported within ten minutes. */
export const FEED_OVERDUE_SEC = 480;
/** Feeds that are read to find failing ones: half a second, and 250 read units. */
export const ATTENTION_FEEDS_MAX = 500;
/** After this the lease of a holder that died is free: longer than any single call to Google with its retry. */
export const FEED_LEASE_MS = 60_000;
/** One call of a feed to Google; two fit into a request of the management API. */
export const FEED_CALL_TIMEOUT_MS = 8_000;
/** A page of a hundred ids is far smaller; fifty events with 8,192 characters of description and 200 guests each are 3 MB. */
export const FEED_ANSWER_MAX_BYTES = 4 * 1024 * 1024;
/** Calls of feeds that one question to the function `core` contains, and the questions of a process under way: so many more executions. */
export const FEED_CALLS_PER_QUESTION = 25;
export const FEED_QUESTIONS_AT_ONCE = 2;
/** How long the first call of a question waits for others. */
export const FEED_CALLS_GATHER_MS = 10;
/** A refresh, a call, and usually both again. Each call has its deadline, so the last of them gets only the time that is left. */
export const FEED_QUESTION_WITHIN_MS = 28_000;
/** Time for an answer to return. */
export const FEED_ANSWER_RESERVE_MS = 1_000;
/** A request to Google or a refresh that has less time is not started: it would be cut off, and might have had its effect. */
export const FEED_CALL_LEAST_MS = 2_000;
/** How often waiting calls are checked for those whose deadline has passed. */
export const FEED_WAITING_LOOK_MS = 1_000;
/** Answers of one question together; the others are asked for again. The rest of Lambda's 6 MB is for what stands around them. */
export const FEED_ANSWERS_MAX_BYTES = 5 * 1024 * 1024;
/** Changes requested at once: a page then fits into one batch. */
export const FEED_PAGE_SIZE = 100;
/** The same where changes have meanings: the memory of each thing is written in the transaction of the batch, which takes 100 items. */
export const FEED_MEANING_PAGE_SIZE = 50;
/** How long a removed thing is remembered: longer than the 30 days after which a trash is emptied. */
export const FEED_GONE_STATE_RETENTION_SEC = 60 * 24 * 3600;
/** Reminders of one feed, and how many minutes ahead they are at most: reported ones are remembered until their event has started. */
export const FEED_REMINDERS_MAX = 5;
export const REMINDER_MAX_MINUTES = 1_440;
/** A list of starting events covers the longest reminder and an hour more than the day until the next list. */
export const REMINDER_AHEAD_SEC = 25 * 3600;
export const REMINDER_LOOK_SEC = 24 * 3600;
/** A late reminder is still reported until so long after the start. */
export const REMINDER_LATE_SEC = 15 * 60;
/** Pages of 250 that one list of starting events reads: 5,000 occurrences in two days. */
export const REMINDER_PAGES_MAX = 20;
/** A reminder whose feed is being worked on is retried after this, so many times, before the next tick. */
export const REMINDER_BUSY_PAUSE_MS = 5_000;
export const REMINDER_BUSY_TRIES = 3;
/** States of a feed that are erased at the same time. */
export const FEED_STATES_ERASED_AT_ONCE = 25;
/** Changes of one batch. */
export const FEED_BATCH_MAX_CHANGES = 100;
/** Changes of one batch as JSON, far inside the 256 KB of an event. */
export const FEED_BATCH_MAX_BYTES = 60_000;
/** Batches can be read again for this long. */
export const FEED_BATCH_RETENTION_SEC = 14 * 24 * 3600;
/** Stored batches of a feed: what the busiest feed creates in six hours, and most feeds in weeks. */
export const FEED_BATCHES_KEPT = 10_000;
/** A consumer whose next batch is this old has stopped; half of the batch's retention is left then. */
export const FEED_LAG_MAX_SEC = 7 * 24 * 3600;
/** Batches in one response: each has at most 60 KB, and a buffered response 4 MB. */
export const FEED_BATCHES_PER_ANSWER = 50;
/** Poll interval once 80 % of the daily quota is used: 8 % of the calls otherwise. */
export const FEED_SLOW_POLL_SEC = 3600;
/** The share of the daily quota from which feeds poll slowly. */
export const FEED_SLOW_POLL_SHARE = 0.8;
/** The same feed is not pulled more often than this. */
export const FEED_PULL_INTERVAL_MS = 2_000;
/** A pull that found this many changes makes the feed rest longer: about a thousand changes a minute. */
export const FEED_BUSY_CHANGES = 500;
export const FEED_BUSY_INTERVAL_MS = 30_000;
/** Interval of pulls without a message for a feed with a channel, because a small share of messages is lost. */
export const FEED_SAFETY_INTERVAL_SEC = 6 * 3600;
/** A feed without a channel is pulled this often. */
export const FEED_POLL_INTERVAL_SEC = 300;
/** Spread of both intervals, as a share. */
export const FEED_INTERVAL_JITTER = 0.1;
/** A paused feed checks its connection this often, in case the event of its return is lost. */
export const FEED_PAUSED_CHECK_SEC = 300;
/** Requested life of a channel: the longest of Drive's changes, and Calendar's default. */
export const CHANNEL_LIFE_SEC = 7 * 24 * 3600;
/** Share of its life after which a channel is replaced, and the spread to both sides. */
export const CHANNEL_RENEWAL_SHARE = 0.8;
export const CHANNEL_RENEWAL_JITTER = 0.05;
/** A channel that is replaced sooner than this gets no new borrowers. */
export const FEED_LEND_MARGIN_SEC = 600;
/** A resource without push support is not tried again for this long. */
export const PUSH_NOT_SUPPORTED_RETRY_SEC = 7 * 24 * 3600;
/** A refused address may be verified at any time, so it is tried again after this. */
export const PUSH_REFUSED_RETRY_SEC = 3600;
/** Any other failure to open a channel is tried again after this. */
export const WATCH_RETRY_SEC = 300;
/** Consecutive safety pulls with unannounced changes before the channel counts as lost. */
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
/** Feeds of one connection that end at the same time when it is deleted, and how long channels are stopped. */
export const FEED_STOPS_AT_ONCE = 10;
export const FEED_STOPS_BUDGET_MS = 3_000;
/** Feeds of one connection that follow its death or return at the same time: each pulls, and Google counts calls by user, too. */
export const FEED_FOLLOWS_AT_ONCE = 10;
/** Pages that one turn reads before other feeds have their turn. */
export const FEED_PAGES_PER_TURN = 50;
/** Consumers' cursors of a feed. */
export const FEED_CURSORS_MAX = 20;
/** Shared drives that one feed of `drives` follows: each costs a channel and a read when the whole feed is read. */
export const FEED_DRIVES_MAX = 200;
/** The row of a shared drive's log is written with each channel, at least weekly; an unwritten one belongs to a feed that is deleted or paused. */
export const FEED_LOG_RETENTION_SEC = 60 * 24 * 3600;
/** Folders below the folder of one feed: they are read together after a change, in one answer of the table. */
export const FEED_FOLDERS_MAX = 5_000;
/** Folders whose contents are requested in one call: most have few files, and a query takes a few hundred terms. */
export const FEED_FOLDERS_AT_ONCE = 20;
/** Files in one answer about folders' contents: a quarter of the maximum, at 2 KB each. */
export const FEED_FOLDER_PAGE_SIZE = 500;
/** Rows of a page of folders' contents that one transaction takes, with the feed and the listed folders. */
export const FEED_FOLDER_ROWS_AT_ONCE = 75;
/** Logs of shared drives that are read per write of the quota's count: the share of a minute may be exceeded by so many. */
export const FEED_LOGS_ADMITTED = 20;
/** Logs of shared drives that one write removes: a transaction takes 100 items, and each log has at most two channels. */
export const FEED_LOGS_AT_ONCE = 30;
/** Work that a request to the management API waits for, inside its function's 15 seconds. */
export const FEED_REQUEST_BUDGET_MS = 12_000;
/** Work on one feed after a wake-up: the next sweep continues with the rest. */
export const FEED_WAKE_BUDGET_MS = 120_000;
/** Longest time of the sweep for a feed whose messages never end, longer than the rest between two pulls; others wait for its place. */
export const FEED_SWEEP_STAY_MS = 40_000;

/** Events after which feeds check their connection: it has died, is active again, or has another account. */
export const FOLLOWED_EVENT_TYPES = [
  'ConnectionReauthorizationRequired',
  'ConnectionRecovered',
  'ConnectionReauthorized',
  'ConnectionRestored',
] as const;

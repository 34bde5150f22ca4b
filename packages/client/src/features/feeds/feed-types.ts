import type { ConnectionRef } from '../../http/headers.ts';
import type { CallOptions } from '../../management/manage.ts';
import type { ManagedBy } from '../../management/managed-by.ts';

/** A resource under watch. Times are ISO 8601 UTC. */
export interface Feed extends ConnectionRef {
  readonly id: string;
  readonly resource: string;
  /** `starting`, `watching`, `polling`, `waiting`, `paused` or `failing`. */
  readonly state: string;
  /** Why it polls, waits, pauses or fails, or which part is missing. */
  readonly reason: string | undefined;
  readonly explanation: string | undefined;
  readonly remedy: string | undefined;
  /** `bus`: batches are events, too; `pull`: they are only read here. */
  readonly delivery: string;
  readonly safetyIntervalSec: number;
  readonly pollIntervalSec: number;
  /** Whether changes have meanings. */
  readonly meaning: boolean;
  /** Whether file changes with the single meaning `seen` are delivered, too. */
  readonly seen: boolean;
  /** For a calendar: minutes before the start of events at which reminders are delivered. */
  readonly reminders: readonly number[];
  /** Number of the last batch; 0 before the first. */
  readonly lastSequence: number;
  readonly lastChangeAt: string | undefined;
  readonly lastPullAt: string | undefined;
  readonly nextPullAt: string;
  readonly channelEndsAt: string | undefined;
  readonly failedAttempts: number;
  /** Its last pull, while it is behind; undefined while it is not. */
  readonly behindSince: string | undefined;
  readonly createdAt: string;
  /** The CloudFormation stack that declares it. */
  readonly managedBy?: ManagedBy | undefined;
  /** Name, e-mail address or id of the end user; of listed feeds only. */
  readonly connectionName: string | undefined;
  /** When Google last sent a message; of a single feed only. */
  readonly lastMessageAt: string | undefined;
  /** Ids of the shared drives that a feed of `drives` follows; of a single feed only. */
  readonly drives: readonly string[] | undefined;
  /** Places of consumers; of a single feed only. */
  readonly cursors: readonly FeedCursor[];
}

/** A consumer's place in a feed. */
export interface FeedCursor {
  readonly name: string;
  /** The last batch that the consumer is done with. */
  readonly sequence: number;
  /** Batches that wait for it. */
  readonly lag: number;
  readonly movedAt: string;
}

/** How a feed is kept. */
export interface FeedSettings {
  /** @default 'bus' */
  delivery?: 'bus' | 'pull';
  /** Seconds between two pulls without a message, while a channel is open. @default 21600 */
  safetyIntervalSec?: number;
  /** The same without a channel. @default 300 */
  pollIntervalSec?: number;
  /** Changes of files and events have meanings. @default false */
  meaning?: boolean;
  /** With `meaning`: also changes of files without any other meaning, such as when a user opened one. @default false */
  seen?: boolean;
  /**
   * For a calendar: minutes before events at which reminders are delivered in a batch of kind `starts`; five numbers at most, each from
   * 1 to 1440.
   */
  reminders?: readonly number[];
}

/** A resource to watch. */
export interface NewFeed extends ConnectionRef, FeedSettings {
  /** `drive`, `drives`, `drive:<shared drive>`, `folder:<folder>`, `calendar:<id>`, `calendar_list`, `acl:<calendar>` or `settings`. */
  readonly resource: string;
}

/** One changed thing. */
export interface FeedChange {
  readonly id: string;
  /** `file`, `drive`, `event`, `calendar`, `acl` or `setting`. */
  readonly kind: string;
  /** Deleted, or out of the account's reach; in a feed of `drive:<id>` or `folder:<id>` also moved out of that shared drive or folder. */
  readonly removed: boolean;
  readonly time: string | undefined;
  readonly mimeType: string | undefined;
  /**
   * Meanings of the change, in a feed with `meaning`. Files: `created`, `content`, `renamed`, `moved`, `shared`, `trashed`, `restored`,
   * `removed`, `updated`, `seen`; in a feed of `folder:<id>`, with and without `meaning`, `entered`, `left`; events: `created`,
   * `moved`, `responded`, `updated`, `cancelled`; both: `unknown`.
   */
  readonly what: readonly string[] | undefined;
  /** In a feed of `folder:<id>`, of a folder: everything below it has come, moved or gone with it. */
  readonly subtree: boolean;
  /** In a batch of kind `starts`: which reminder it is; `time` is when the event starts. */
  readonly minutesBefore: number | undefined;
}

/** A numbered piece of a feed. */
export interface FeedBatch {
  readonly sequence: number;
  /** `gap`: changes may be missing before it; compare everything you have stored of the resource. `starts`: events that start soon. */
  readonly kind: 'changes' | 'gap' | 'starts';
  /** Of a gap. */
  readonly reason: string | undefined;
  readonly storedAt: string | undefined;
  readonly changes: readonly FeedChange[];
}

/** Whether a feed is read at all: no batches can mean that nothing changed, or that it is paused. */
export type FeedStanding = Pick<Feed, 'state' | 'reason' | 'explanation' | 'remedy'>;

/** Where reading begins, and how it continues. */
export interface ChangesOptions extends CallOptions {
  /** Behind this batch. @default the place of `cursor`, else 0 */
  after?: number;
  /** Keep the place under this name at the gateway, so that a restart continues where this one stopped. */
  cursor?: string;
  /** Wait for more at the end. @default true */
  follow?: boolean;
  /** Milliseconds between two looks for more. @default 1000 */
  intervalMs?: number;
  /**
   * Called with the first answer, and whenever the feed's `state` or `reason` changes, such as to `paused` while its connection needs
   * a new authorization. Versions of the gateway before 0.3.0 do not report it.
   */
  onState?: (feed: FeedStanding) => void;
  /** Called once for each outage of the gateway that is waited out. */
  onOutage?: (error: unknown) => void;
}

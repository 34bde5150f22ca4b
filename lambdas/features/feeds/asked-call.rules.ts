import type { MadeRequest } from '../../gateway/core/http-message.ts';
import type { FeedRef } from './feed.rules.ts';
import type { FeedWish } from './feed-wish.rules.ts';

/** A call of a feed, as the function that works on feeds asks for it. The row of the feed's place at its connection grants it. */
export interface AskedCall extends FeedRef {
  readonly integrationId: string;
  readonly connectionId: string;
  /** Of the account that the turn has read: the call is not made for another one. */
  readonly subject?: string | undefined;
  /** As callers write it. */
  readonly resource: string;
  readonly wish: FeedWish;
  /** Milliseconds from the question until the answer must be there. */
  readonly withinMs: number;
}

/** A request that was made for a call; the asking function counts it. */
export interface ReportedRequest extends MadeRequest {
  readonly endedAtMs: number;
}

/** What became of a call. */
export interface AnsweredCall<Answer> {
  readonly made: readonly ReportedRequest[];
  /** Absent where there was no room for it, or the gateway itself failed. */
  readonly answer?: Answer;
  /** Name of the gateway's own failure. */
  readonly failed?: string;
}

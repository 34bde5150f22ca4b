import type { ConnectionStore } from '../../gateway/connections/ports.ts';
import { type DoorOperation, jsonAnswer } from '../../gateway/core/door.ts';
import type { GatewayResponse } from '../../gateway/core/http-message.ts';
import type { ConnectionRef } from '../../gateway/core/identifiers.ts';
import type { Clock, Logger } from '../../gateway/core/ports.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import type { AnsweredCall, ReportedRequest } from './asked-call.rules.ts';
import { type FeedResource, list, member, parseFeedResource, text } from './feed-resource.rules.ts';
import { type FeedWish, readWish } from './feed-wish.rules.ts';
import {
  FEED_ANSWER_RESERVE_MS,
  FEED_ANSWERS_MAX_BYTES,
  FEED_CALLS_PER_QUESTION,
  FEED_QUESTION_WITHIN_MS,
} from './limits.rules.ts';
import type { CalledFeed, FeedAnswer, FeedCallCount, FeedCaller, FeedPlaces } from './ports.ts';

export interface AnswerCallsDependencies {
  readonly places: FeedPlaces;
  readonly connections: Pick<ConnectionStore, 'read'>;
  readonly integrations: Pick<IntegrationStore, 'get'>;
  /** Opens what makes calls. @param counted receives their requests */
  readonly callerFor: (counted: FeedCallCount) => FeedCaller;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A call that was read, of a feed that is still to be found. */
interface ReadCall {
  readonly connection: ConnectionRef;
  readonly feedId: string;
  readonly subject: string | undefined;
  readonly resource: string;
  readonly parsed: FeedResource;
  readonly wish: FeedWish;
  readonly withinMs: number;
}

/** What the calls of one question have in common, and when each must have ended. */
type OfQuestion = Pick<CalledFeed, 'requestId' | 'endByMs'>;

/** The time of a call whose question gives none, as those of an earlier version. */
const CALL_WITHIN_MS = FEED_QUESTION_WITHIN_MS - FEED_ANSWER_RESERVE_MS;

type Outcome = AnsweredCall<FeedAnswer>;

/**
 * Makes calls of feeds. Each is granted by the row of the feed's place at its connection (TB-3), and made only from its kind and positions.
 * The answers come in the order of the calls; those that find no room say only which requests were made.
 */
export function answerCalls(deps: AnswerCallsDependencies): DoorOperation {
  return async (input, { requestId }) => {
    const askedAtMs = deps.clock.nowMs();
    const calls = list(input, 'calls').map(readCall);
    if (calls.length === 0 || calls.length > FEED_CALLS_PER_QUESTION) throw new Error('A question of another form');
    const outcomes = await Promise.all(
      calls.map((call) => outcomeOf(deps, call, { requestId, endByMs: askedAtMs + call.withinMs })),
    );
    return dated(jsonAnswer(fitting(outcomes)), deps.clock);
  };
}

/** With the time, as the provider's answers have corrected it. */
function dated({ headers, ...answer }: GatewayResponse, clock: Clock): GatewayResponse {
  return { ...answer, headers: [...headers, ['date', new Date(clock.nowMs()).toUTCString()]] };
}

function readCall(value: unknown): ReadCall {
  const [accountId, integrationId, connectionId, feedId, resource] = [
    'accountId',
    'integrationId',
    'connectionId',
    'feedId',
    'resource',
  ].map((name) => text(value, name));
  const parsed = parseFeedResource(resource ?? '');
  const wish = readWish(member(value, 'wish'));
  const subject = text(value, 'subject');
  if (accountId === undefined || integrationId === undefined || connectionId === undefined || feedId === undefined)
    throw new Error('A call of another form');
  if (resource === undefined || parsed === undefined || wish === undefined) throw new Error('A call of another kind');
  const asked = Number(member(value, 'withinMs'));
  const withinMs = asked > 0 ? Math.min(asked, CALL_WITHIN_MS) : CALL_WITHIN_MS;
  return { connection: { accountId, integrationId, connectionId }, feedId, subject, resource, parsed, wish, withinMs };
}

/** A failure of one call fails no other. */
async function outcomeOf(deps: AnswerCallsDependencies, call: ReadCall, of: OfQuestion): Promise<Outcome> {
  const made: ReportedRequest[] = [];
  try {
    return { made, answer: await madeFor(deps, call, of, made) };
  } catch (error) {
    deps.logger.error('a call of a feed could not be made', { requestId: of.requestId }, error);
    return { made, failed: error instanceof Error ? error.name : 'Error' };
  }
}

async function madeFor(
  { places, connections, integrations, callerFor, clock }: AnswerCallsDependencies,
  { connection: ref, feedId, subject, resource, parsed, wish }: ReadCall,
  of: OfQuestion,
  made: ReportedRequest[],
): Promise<FeedAnswer> {
  const { accountId, integrationId } = ref;
  const [isGranted, connection, integration] = await Promise.all([
    places.isOf(ref, resource, feedId),
    connections.read(ref),
    integrations.get({ accountId, integrationId }),
  ]);
  if (!isGranted) return unavailable('feed_gone');
  if (connection === undefined || connection.status === 'deleted' || integration === undefined)
    return unavailable('connection_gone');
  if (connection.status !== 'active') return { kind: 'dead' };
  // The user has connected another account since: a position of the one before would meet its history (CF-28).
  const current = connection.providerAccount?.subject;
  if (subject !== undefined && current !== undefined && current !== subject) return unavailable('account_changed');
  const counted: FeedCallCount = {
    made: ({ connection: _, provider, quota, ...request }) => made.push({ ...request, endedAtMs: clock.nowMs() }),
  };
  const feed = { accountId, feedId, connection: ref, resource: parsed };
  return callerFor(counted).call({ feed, connection, integration, ...of }, wish);
}

function unavailable(reason: string): FeedAnswer {
  return { kind: 'unavailable', reason, retryAfterSec: undefined };
}

/** As many answers as have room together, small ones first: channels that were opened are always among them. */
function fitting(outcomes: readonly Outcome[]): readonly Outcome[] {
  let left = FEED_ANSWERS_MAX_BYTES;
  const sized = outcomes.map((outcome, index) => ({ outcome, index, bytes: sizeOf(outcome) }));
  const answered = [...outcomes];
  for (const { outcome, index, bytes } of sized.toSorted((one, other) => one.bytes - other.bytes)) {
    if (bytes <= left) left -= bytes;
    else if (bytes > FEED_ANSWERS_MAX_BYTES)
      answered[index] = { made: outcome.made, answer: unavailable('answer_too_large') };
    else answered[index] = { made: outcome.made };
  }
  return answered;
}

function sizeOf(outcome: Outcome): number {
  return Buffer.byteLength(JSON.stringify(outcome));
}

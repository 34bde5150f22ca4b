/** Feeds of a Drive with an open channel, and the connections they belong to. */

import { type ChannelRecord, type Feed, newProgress } from '../../../lambdas/features/feeds/feed.rules.ts';
import { cursorContext } from '../../../lambdas/features/feeds/sealed-places.rules.ts';
import { CHANNEL_INBOX_PATH } from '../../../lambdas/features/feeds/take-message.ts';
import type { Connection } from '../../../lambdas/gateway/connections/connection.rules.ts';
import { sha256Hex, ulid } from '../../../lambdas/gateway/core/identifiers.ts';
import { accessTokenContext } from '../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { cipher, INTEGRATION, idleConnection } from '../sweep/fixtures.ts';

const DAY_SEC = 86_400;
const SAFETY_SEC = 6 * 3_600;

/** Feeds that share a connection: a Drive and some calendars of one person. */
export const FEEDS_PER_CONNECTION = 10;

/** The access token of a connection, as long as Google's. */
export function accessTokenOf(connection: number): string {
  return `ya29.${String(connection).padStart(200, '0')}`;
}

/** A connection whose token is good for the whole run. @param project number of its Cloud project */
export async function freshConnection(number: number, nowSec: number, project = 1): Promise<Connection> {
  const row = idleConnection(number, nowSec + DAY_SEC);
  return {
    ...row,
    clientId: `${String(project).padStart(12, '1')}-bench.apps.googleusercontent.com`,
    encryptedAccessToken: await cipher.encrypt(accessTokenContext(row), accessTokenOf(number)),
  };
}

/** A feed at the beginning of its Drive's history. @param pullAtSec when it is due without a message */
export async function watchingFeed(
  number: number,
  connection: Connection,
  nowSec: number,
  pullAtSec: number,
): Promise<Feed> {
  // Ids end in random characters; here they differ in them, so that a run is the same each time.
  const digest = Buffer.from(sha256Hex(`feed ${number}`), 'hex');
  const { accountId, integrationId, connectionId, clientId } = connection;
  const feed: Feed = {
    ...newProgress(nowSec),
    accountId,
    feedId: ulid(nowSec * 1000, digest.subarray(0, 10)),
    connection: { accountId, integrationId, connectionId },
    endUserId: undefined,
    resource: { kind: 'drive', id: '' },
    delivery: 'bus',
    safetyIntervalSec: SAFETY_SEC,
    pollIntervalSec: 300,
    meaning: false,
    seen: false,
    reminders: [],
    epoch: 1,
    lease: undefined,
    createdAt: new Date(nowSec * 1000).toISOString(),
    state: 'watching',
    subject: connection.providerAccount?.subject,
    clientId,
    channels: [
      {
        id: digest.toString('hex').slice(0, 32),
        resourceId: 'resource',
        openedAtEpochSec: nowSec - DAY_SEC,
        endsAtEpochSec: nowSec + 6 * DAY_SEC,
        renewAtEpochSec: nowSec + 4 * DAY_SEC,
      },
    ],
    watchAtEpochSec: 0,
    pullAtEpochSec: pullAtSec,
  };
  const encryptedCursor = await cipher.encrypt(cursorContext(feed), JSON.stringify({ kind: 'at', token: '0' }));
  return { ...feed, encryptedCursor };
}

/** When a feed that is not due will be: spread over the six hours between two pulls without a message. */
export function laterSec(number: number, nowSec: number): number {
  return nowSec + 1_800 + ((number * 7_919) % (SAFETY_SEC - 1_800));
}

/** The token of a feed's channel, which a message must bring. */
function channelTokenOf({ feedId }: Feed): string {
  return `token-of-${feedId}`;
}

/** What the inbox knows of a feed's channel. */
export function channelOf(feed: Feed): ChannelRecord {
  const [channel] = feed.channels;
  if (channel === undefined) throw new Error('A feed without a channel');
  const { accountId, feedId } = feed;
  const { id: channelId, endsAtEpochSec } = channel;
  return { accountId, feedId, channelId, tokenHash: sha256Hex(channelTokenOf(feed)), endsAtEpochSec };
}

/** A message of Google's about a feed, with all that proves it. */
export function messageTo(feed: Feed) {
  return {
    method: 'POST',
    rawPath: CHANNEL_INBOX_PATH,
    query: [],
    headers: [
      ['x-goog-channel-id', feed.channels[0]?.id ?? ''],
      ['x-goog-channel-token', channelTokenOf(feed)],
      ['x-goog-resource-state', 'change'],
    ] as [string, string][],
    body: undefined,
    requestId: 'bench',
    sourceIp: '192.0.2.1',
  };
}

export { INTEGRATION };

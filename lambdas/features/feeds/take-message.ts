import { epochSecNow } from '../../gateway/core/clock.ts';
import { GatewayError, wrongMethod } from '../../gateway/core/errors.ts';
import { type GatewayRequest, type GatewayResponse, headerValues } from '../../gateway/core/http-message.ts';
import { equalDigests, sha256Hex } from '../../gateway/core/identifiers.ts';
import { INBOX_BODY_MAX_BYTES } from '../../gateway/core/limits.ts';
import type { Clock, Logger, Metrics } from '../../gateway/core/ports.ts';
import type { FeedRef } from './feed.rules.ts';
import type { InboxStore } from './ports.ts';

export interface TakeMessageDependencies {
  readonly inbox: InboxStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Starts the pull; where this fails, the next sweep does. */
  readonly wake: (ref: FeedRef) => Promise<void>;
}

/** Path that channels are opened with, below the gateway's address. */
export const CHANNEL_INBOX_PATH = '/inbox/google/channel';

/** Longest value of a header; longer ones belong to none of the gateway's channels. */
const VALUE_MAX_LENGTH = 256;

/**
 * Takes one message from Google. It only announces changes to pull; its token alone proves its origin (CF-22). 204 when the mark is
 * stored; a failure to store it is a 503, which Google repeats.
 *
 * @throws GatewayError `not_found` for every message without a known channel, one answer for all; `method_not_allowed`,
 * `request_too_large`, `service_unavailable`
 */
export async function takeMessage(deps: TakeMessageDependencies, request: GatewayRequest): Promise<GatewayResponse> {
  if (request.rawPath !== CHANNEL_INBOX_PATH) throw unknownChannel();
  if (request.method !== 'POST') throw wrongMethod('Google sends its messages with POST.', ['POST']);
  if ((request.body?.length ?? 0) > INBOX_BODY_MAX_BYTES) {
    throw new GatewayError('request_too_large', 'A message of a channel has no body.');
  }
  const channelId = onlyValue(request, 'x-goog-channel-id');
  const token = onlyValue(request, 'x-goog-channel-token');
  const state = onlyValue(request, 'x-goog-resource-state');
  if (channelId === undefined || token === undefined || state === undefined) {
    deps.metrics.count('FeedMessage', { outcome: 'refused' });
    throw unknownChannel();
  }
  const nowEpochSec = epochSecNow(deps.clock);
  const channel = await deps.inbox.channel(channelId);
  // Compared also without such a channel, so that the response time reveals nothing.
  const proven = equalDigests(sha256Hex(token), channel?.tokenHash ?? sha256Hex(''));
  if (channel === undefined || !proven || channel.endsAtEpochSec <= nowEpochSec) {
    deps.metrics.count('FeedMessage', { outcome: 'refused' });
    throw unknownChannel();
  }
  // A `sync` message confirms the open channel and announces no change.
  if (state === 'sync') return accepted(deps, 'sync', request.requestId);
  const isFirst = await deps.inbox.mark(channel, nowEpochSec);
  if (isFirst) {
    try {
      await deps.wake({ accountId: channel.accountId, feedId: channel.feedId });
    } catch (error) {
      deps.metrics.count('FeedWakeFailed');
      deps.logger.error('a pull could not be started; the next sweep does', { requestId: request.requestId }, error);
    }
  }
  return accepted(deps, isFirst ? 'woke' : 'coalesced', request.requestId);
}

function accepted({ metrics }: TakeMessageDependencies, outcome: string, requestId: string): GatewayResponse {
  metrics.count('FeedMessage', { outcome });
  return { status: 204, headers: [['x-request-id', requestId]], body: undefined };
}

/** One answer for a wrong id, a wrong token and an ended channel, so that senders cannot distinguish them (CF-22). */
function unknownChannel(): GatewayError {
  return new GatewayError('not_found', 'There is no such channel.');
}

function onlyValue({ headers }: GatewayRequest, name: string): string | undefined {
  const [value, ...more] = headerValues(headers, name);
  return value === undefined || more.length > 0 || value === '' || value.length > VALUE_MAX_LENGTH ? undefined : value;
}

import { FEATURE_ALARM_MEANINGS } from '../../lambdas/features/index.ts';

/**
 * The meaning of each alarm, as its description; the name is the heading of its entry in docs/runbook.md. The first are alarms of their
 * own, the others are reported by one of the four alarms of signals (`ALARM_SIGNALS` in contract.ts).
 */
export const ALARM_MEANINGS = {
  silence:
    'For twenty minutes something that works all the time has been silent: one of the four alarms that listen is on.',
  page: 'Something needs somebody now: the saved query “Why” names the entry of the runbook.',
  'page-lasting': 'Something that lasts needs somebody now: the saved query “Why” names the entry of the runbook.',
  ticket:
    'Something should be looked at on the next working day: the saved query “Why” names the entry of the runbook.',
  'ticket-lasting':
    'Something that lasts should be looked at on the next working day: the saved query “Why” names the entry of the runbook.',
  'front-door-errors': 'More than 5 % of requests end in a 5xx, including the provider’s own.',
  'slow-answers': 'One request in a hundred waits longer than 10 s for its answer to begin.',
  'function-errors': 'Functions behind the API crash or time out.',
  'function-throttles':
    'The account uses more than 80 % of its concurrent executions. Lambda refuses calls above that quota.',
  'overdue-refreshes':
    'Due refreshes wait longer than ten minutes: tokens are about to expire before they are renewed.',
  'dropped-ticks': 'Refresh sweeps do not begin or do not end: tokens are no longer refreshed ahead of use.',
  'failing-sweeps': 'Refresh sweeps end in an error or time out: see the log of the refresh function.',
  'braked-sweeps': 'The token endpoint fails refresh after refresh, and sweeps stop early.',
  'failing-items': 'Rows or shards fail in sweeps because of the gateway itself: each is postponed and retried.',
  'client-rejected': 'The provider refuses the OAuth client of an integration: none of its tokens can be refreshed.',
  'refused-callers':
    'More than 100 calls in five minutes exceed a rate limit: the limit is too low, or a caller is out of control.',
  'many-deaths':
    'Several connections of one integration ended within minutes: its OAuth client or a policy is the likely cause.',
  'deaths-by-setup': 'Connections end for a reason that the developer of the integration can fix.',
  'deaths-by-policy': 'Connections end because of a policy of a Workspace administrator.',
  'lost-rotations': 'Connections end because the gateway lost a rotated refresh token.',
  'unstored-tokens': 'New tokens could not be written to the table.',
  'storage-unavailable': 'The table, KMS or Secrets Manager cannot be reached: callers get 503.',
  'data-keys-failing':
    'KMS does not create or unwrap data keys: processes continue with those in memory, for 15 minutes at most.',
  'unreadable-values': 'Stored values cannot be decrypted or understood.',
  'table-throttles': 'Reads or writes of the table or of one of its indexes are throttled.',
  'events-silent':
    'No event, not even the heartbeat of each ten minutes, comes out at the far end: subscribers receive nothing.',
  'failed-deliveries':
    'Lifecycle events do not reach the bus: subscribers receive nothing, and the items stay in the table.',
  'overdue-events': 'Lifecycle events wait longer than 15 minutes for the bus: after an hour they are given up.',
  'webhook-dead-letters':
    'Events were given up on their way to the bus, or before they were queued for their webhooks: receivers get nothing, and the items stay in the table.',
  'book-behind':
    'Calls of the last quarter of an hour are not counted yet: usage and last uses of keys stand still, and limits do not.',
  'missing-calls':
    'More than one in 500 calls of an hour left no line in the log of the proxy: usage is too small by as many.',
  ...FEATURE_ALARM_MEANINGS,
  'key-in-danger': 'The key of all tokens was disabled or scheduled for deletion.',
} as const;

/** Name of an alarm, or of a signal that an alarm of signals reports. */
export type AlarmName = keyof typeof ALARM_MEANINGS;

/** Description of an alarm: what it means, and where to read what to do. */
export function alarmText(name: AlarmName): string {
  return `${ALARM_MEANINGS[name]} What to do: docs/runbook.md#${name}`;
}

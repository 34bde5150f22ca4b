/** What each alarm says when it fires; the name is the heading of its entry in docs/runbook.md. */
export const ALARM_MEANINGS = {
  'front-door-errors': 'More than 5 % of requests end in a 5xx, the provider’s own included.',
  'slow-answers': 'One request in a hundred waits longer than 10 s for its answer to begin.',
  'function-errors': 'Functions behind the API crash or run out of time.',
  'function-throttles': 'Functions are throttled: the account’s concurrency is used up.',
  'overdue-refreshes':
    'Due refreshes wait longer than ten minutes: tokens are about to run out before they are renewed.',
  'dropped-ticks': 'Ticks of the refresh sweep do not reach the function: tokens are no longer refreshed ahead of use.',
  'failing-sweeps': 'Refresh sweeps end in an error or run out of time: see the log of the refresh function.',
  'dropped-feed-ticks':
    'Ticks of the feed sweep do not reach the function: changes come late where a message was lost.',
  'failing-feed-sweeps': 'Feed sweeps end in an error or run out of time: see the log of the feeds function.',
  'overdue-feeds':
    'Due feeds wait longer than ten minutes: changes come late, and channels may end before they are renewed.',
  'failing-feeds': 'Feeds meet failures of the gateway’s own: each is put off and tried again.',
  'feed-gaps':
    'Feeds were started anew because Google refused their place in the history: consumers compare their stores.',
  'braked-sweeps': 'The token endpoint fails refresh after refresh, and sweeps stop early.',
  'failing-items':
    'Sweeps meet rows or shards that fail for a reason of the gateway’s own: each is put off and tried again.',
  'client-rejected': 'The provider refuses the OAuth client of an integration: none of its tokens can be refreshed.',
  'refused-callers':
    'More than 100 calls in five minutes are refused for their number: a limit is too low, or a caller runs away.',
  'many-deaths':
    'Several connections of one integration died within minutes: its client or a policy is the likely cause.',
  'deaths-by-setup': 'Connections die of something the developer of the integration can fix.',
  'deaths-by-policy': 'Connections die of a policy of a Workspace administrator.',
  'lost-rotations': 'Connections die because a rotated refresh token was lost on this side.',
  'unstored-tokens': 'New tokens could not be written to the table.',
  'storage-unavailable': 'Table, key service or secret store cannot be reached: callers get 503.',
  'data-keys-failing':
    'KMS makes or unwraps no data keys: processes go on with those in memory, for 15 minutes at most.',
  'unreadable-values': 'Stored values cannot be decrypted or understood.',
  'table-throttles': 'Reads or writes of the table or of one of its indexes are throttled.',
  'failed-deliveries': 'Lifecycle events do not reach the bus: subscribers hear nothing, the items stay in the table.',
  'webhook-dead-letters':
    'Events were given up before they were queued for their webhooks: receivers hear nothing, the items stay in the table.',
  'dropped-webhook-ticks':
    'Ticks of the sweep of deliveries do not reach the function: webhooks get first attempts and no further ones.',
  'failing-webhook-sweeps': 'The deliver function ends in an error or runs out of time: see its log.',
  'overdue-webhooks': 'Due deliveries of webhooks wait longer than ten minutes for their next attempt.',
  'failing-webhooks': 'Deliveries of webhooks fail for a reason of the gateway’s own: each is tried again.',
  'webhook-disabled': 'A webhook was disabled: it answered 410, or nothing with 2xx for five days.',
  'key-in-danger': 'The key of all tokens was disabled or scheduled for deletion.',
} as const;

/** Name of an alarm. */
export type AlarmName = keyof typeof ALARM_MEANINGS;

/** Description of an alarm: what it means, and where it says what to do. */
export function alarmText(name: AlarmName): string {
  return `${ALARM_MEANINGS[name]} What to do: docs/runbook.md#${name}`;
}

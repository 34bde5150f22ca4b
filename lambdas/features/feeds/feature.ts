import type { Feature } from '../feature.rules.ts';

/** Resources of a connection that are watched for changes ([changes.md](../../../docs/changes.md)). */
export const feature = {
  id: 'feeds',
  title: 'change feeds',
  functions: ['feeds'],
  coreAliases: ['feeds'],
  sweeps: { feeds: 'feeds' },
  paths: ['feeds'],
  messagePaths: ['/inbox/google/channel'],
  grantPaths: ['/feeds', '/feeds/{proxy+}'],
  errors: { cursor_too_old: 410 },
  errorWords: {
    cursor_too_old:
      'The batches after the cursor are no longer stored: compare everything that you store, then continue from last_sequence of the feed.',
  },
  events: ['FeedCreated', 'FeedUpdated', 'FeedDeleted', 'FeedChanged', 'FeedPaused', 'FeedResumed', 'FeedFailing'],
  eventAttributes: { feed_id: 'feedId', resource: 'feedResource', kind: 'batchKind', changes: 'changes' },
  metrics: {
    /** One turn of work on a feed. Dimension: `outcome`. */
    feedTurn: 'FeedTurn',
    /** A message of the provider. Dimension: `outcome`. */
    feedMessage: 'FeedMessage',
    /** A feed's changes were pulled three times in a row without a message about them: its channel counts as lost. */
    feedChannelLost: 'FeedChannelLost',
    /** Changes may have been missed. Dimension: `reason`. */
    feedGap: 'FeedGap',
    /** Age in seconds of the oldest feed in the due index that a sweep met. */
    oldestFeedDueAgeSec: 'OldestFeedDueAgeSec',
    /** A sweep of feeds stopped because the provider failed too often in a row. */
    feedSweepBraked: 'FeedSweepBraked',
    /** A feed or a shard of them could not be worked on. */
    feedSweepFailed: 'FeedSweepFailed',
    /** A sweep met a due feed that the gateway itself could not read or save for eight minutes. */
    feedOverdue: 'FeedOverdue',
    /** A feed whose row was behind its stored batches continues after the last one. */
    feedRenumbered: 'FeedRenumbered',
    /** A message was stored, but its pull could not be started: the next sweep does it. */
    feedWakeFailed: 'FeedWakeFailed',
  },
  alarms: [
    { metric: 'OldestFeedDueAgeSec', entry: 'overdue-feeds', signal: 'TicketLasting', above: 600 },
    { metric: 'FeedSweepFailed', entry: 'failing-feeds', signal: 'TicketLasting' },
    { metric: 'FeedWakeFailed', entry: 'failing-feeds', signal: 'TicketLasting' },
    { metric: 'FeedOverdue', entry: 'failing-feeds', signal: 'Ticket' },
    { metric: 'FeedSweepBraked', entry: 'failing-feeds', signal: 'TicketLasting' },
    // One feed has at most one gap per hour, so ten in five minutes come from many feeds.
    { metric: 'FeedGap', entry: 'feed-gaps', signal: 'Ticket', enough: 10 },
    { metric: 'TickMissing', entry: 'dropped-feed-ticks', signal: 'Page', where: { sweep: ['feeds'] } },
  ],
  alarmMeanings: {
    'dropped-feed-ticks': 'Feed sweeps do not begin or do not end: changes arrive late if a message was lost.',
    'failing-feed-sweeps': 'Feed sweeps end in an error or time out: see the log of the feeds function.',
    'overdue-feeds':
      'Due feeds wait longer than ten minutes: changes arrive late, and channels may end before they are renewed.',
    'failing-feeds': 'Feeds fail because of the gateway itself: each is postponed and retried.',
    'feed-gaps':
      'Feeds were restarted because Google refused their position in the history: consumers must compare everything they store.',
  },
  attention: ['feed'],
  environment: {
    /** Name of the function that works on feeds. Inbox function. */
    feedsFunctionName: 'FEEDS_FUNCTION_NAME',
    /** Share of a Cloud project's calls a minute that feeds may take, in percent. Functions of feeds and of grants. */
    feedSharePercent: 'FEED_SHARE_PERCENT',
  },
  dataKeys: { feeds: ['cursors'] },
  sealedFields: {
    feedCursor: { purpose: 'cursors' },
    feedStatesKey: { purpose: 'cursors' },
    feedListCursor: { purpose: 'cursors' },
  },
  cursors: ['feedListCursor'],
  tags: { Feeds: 'Watched resources and their changes.' },
  families: {
    channel: 'CHANNEL',
    feed: 'FEED',
    feedMark: 'FEEDMARK',
    feedOf: 'FEEDOF',
    feedQuota: 'FEEDQUOTA',
  },
  readsAnyRow: ['feeds'],
  rights: {
    grants: {
      DeleteItem: ['channel', 'feed', 'feedMark', 'feedOf'],
      PutItem: ['channel', 'feed', 'feedMark', 'feedOf'],
      UpdateItem: ['feed', 'feedMark', 'feedQuota'],
    },
    /** Feeds with their batches, marks and channels; data keys, events and counts. No place of a feed, which grants its calls. */
    feeds: {
      // Cursors of consumers, the age of their next batches, and the feeds of a connection.
      Query: ['feed', 'feedOf'],
      DeleteItem: ['channel', 'feed', 'feedMark', 'feedOf'],
      PutItem: ['account', 'channel', 'event', 'feed', 'feedMark'],
      UpdateItem: ['calls', 'feed', 'feedMark', 'feedQuota', 'sweep', 'ticks'],
    },
    /** Places and positions of feeds as 0.2.0 wrote them. */
    core: { Query: ['feed'], DeleteItem: ['feedOf'], PutItem: ['feedOf'], UpdateItem: ['feed'] },
    /** Marks of messages, whose sender has proved nothing (SH-4). */
    inbox: { GetItem: ['channel'], UpdateItem: ['feedMark'] },
  },
  duePartitions: { feeds: 192, reminders: 384 },
} as const satisfies Feature;

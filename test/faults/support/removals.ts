import type { Edit } from './assemblies.ts';

/** One safeguard taken away, and the row that must notice. */
export interface Mutation extends Edit {
  readonly name: string;
  readonly row: string;
  /** Edits in addition to its own. */
  readonly more?: readonly Edit[];
  /** A unit test file instead of a row with real processes. */
  readonly unitTest?: string;
}

const WRITES = 'lambdas/gateway/connections/connection-write.rules.ts';
const STORE = 'lambdas/gateway/connections/connection.store.ts';
const CIPHER = 'lambdas/gateway/platform/kms/token-cipher.ts';
const TOKENS = 'lambdas/gateway/tokens';
const FEEDS = 'lambdas/features/feeds';
const LEAN = 'lambdas/gateway/platform/lean';
const LEAN_TESTS = 'test/unit/platform/lean';
const PAGES = 'lambdas/gateway/calls/page.store.ts';
const ROLL_UP_TESTS = 'test/unit/roll-up/roll-up.test.ts';
const WRITE_STORE = 'lambdas/gateway/connections/connection-write.store.ts';
const HISTORIES = 'test/unit/connections/histories.test.ts';

/** The safeguards of the refresh protocol, of feeds, of webhooks, of the lean AWS client, of the book of calls and of a connection's write. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'fencing',
    row: 'F09',
    file: WRITES,
    find: "['epoch', '=', happened.lease.epoch],\n          ['status'",
    replace: "['epoch', '<>', 0],\n          ['status'",
  },
  {
    name: 'owner-in-release',
    row: 'F10',
    file: STORE,
    find: "'epoch = :epoch AND refreshLease.#owner = :owner'",
    replace: "'epoch >= :epoch AND refreshLease.#owner <> :owner'",
  },
  {
    name: 'own-lease-recognition',
    row: 'F11',
    file: STORE,
    find: 'current?.attemptId === request.attemptId',
    replace: "current?.attemptId === ''",
  },
  {
    name: 'own-write-recognition',
    row: 'F13',
    file: STORE,
    find: "row?.status === 'active' && row.tokenEpoch === lease.epoch",
    replace: 'false',
    more: [
      {
        file: `${TOKENS}/token-write.ts`,
        find: "  if (current?.status === 'active' && current.tokenEpoch === attempt.lease.epoch) {",
        replace:
          "  if (current?.status === 'deleted') throw new Error('deleted');\n  if (current?.tokenEpoch === attempt.lease.epoch) {\n    return { kind: 'gone' };\n  }\n  if (attempt.lease.epoch < 0) {",
      },
    ],
  },
  {
    name: 'entry-clean-up',
    row: 'F12',
    file: `${TOKENS}/refresher.ts`,
    find: '.finally(() => this.#running.delete(key))',
    replace: '',
  },
  {
    name: 're-read-before-marking',
    row: 'F16',
    file: `${TOKENS}/diagnosis.ts`,
    find: 'const settled = await settledMeanwhile(deps, attempt, current);',
    replace: 'const settled = current === undefined ? await settledMeanwhile(deps, attempt, current) : undefined;',
    more: [
      {
        file: `${TOKENS}/diagnosis.ts`,
        find: 'current.epoch !== attempt.lease.epoch',
        replace: 'current.epoch < 0',
      },
      {
        file: WRITES,
        find: "[['epoch', '=', happened.lease.epoch], LIVES, inSequence, sameOne, samePrints]",
        replace: '[LIVES, inSequence, sameOne, samePrints]',
      },
    ],
  },
  {
    name: 'escrow-adoption',
    row: 'F09-strict',
    file: `${TOKENS}/token-write.ts`,
    find: 'escrowed !== undefined && escrowed.epoch > connection.tokenEpoch ? escrowed : undefined',
    replace: 'escrowed !== undefined && escrowed.epoch < 0 ? escrowed : undefined',
  },
  {
    name: 'event-inside-the-transaction',
    row: 'F81',
    file: 'lambdas/gateway/events/event.store.ts',
    find: 'return (await writeTogether(table, [change, eventPut(table.tableName, event), ...others])) === undefined;',
    replace:
      'if ((await writeTogether(table, [change, ...others])) !== undefined) return false;\n  return (await writeTogether(table, [eventPut(table.tableName, event)])) === undefined;',
  },
  {
    name: 'strong-read-behind-the-index',
    row: 'F83',
    file: 'lambdas/refresh/sweep.ts',
    find: 'connection === undefined || dueAt === undefined || dueAt > now',
    replace: 'connection === undefined || dueAt === undefined',
  },
  {
    name: 'refresh-at-moves-on-failure',
    row: 'F87',
    file: 'lambdas/refresh/sweep.ts',
    find: 'await this.#putOff(ref, connection);',
    replace: '',
  },
  {
    name: 'jitter',
    row: 'F02',
    unitTest: 'test/unit/tokens/token-freshness.test.ts',
    file: 'lambdas/gateway/core/identifiers.ts',
    find: 'return fnv1a(connectionRefKey(connection)) / 0x1_0000_0000;',
    replace: 'return fnv1a(connectionRefKey(connection)) * 0;',
  },
  {
    name: 'escrow-of-late-tokens',
    row: '0045',
    unitTest: 'test/unit/refresh/interleavings.test.ts',
    file: `${TOKENS}/token-write.ts`,
    find: 'if (rotated !== undefined && rotated.epoch > current.tokenEpoch) await deps.escrow.put(rotated);',
    replace: '',
  },
  {
    name: 'escrow-check-before-marking',
    row: 'F16-escrow',
    file: `${TOKENS}/diagnosis.ts`,
    find: 'if (escrowed !== undefined && current.epoch === attempt.lease.epoch)',
    replace: 'if (escrowed !== undefined && current.epoch < 0)',
  },
  {
    name: 'aad',
    row: 'CR-2',
    unitTest: 'test/unit/platform/kms/token-cipher.test.ts',
    file: CIPHER,
    find: 'cipher.setAAD(additionalData(context, keyNumber));',
    replace: '',
    more: [{ file: CIPHER, find: 'decipher.setAAD(additionalData({ ...context, purpose }, keyNumber));', replace: '' }],
  },
  {
    name: 'key-cache-age',
    row: 'AK-4',
    unitTest: 'test/unit/management/access.test.ts',
    file: 'lambdas/gateway/keys/authenticate-key.ts',
    find: 'this.#keys.set(keyHash, record, nowMs + KEY_CACHE_MS);',
    replace: 'this.#keys.set(keyHash, record, nowMs + KEY_CACHE_MS * 60);',
  },
  {
    name: 'refusal-of-redirects',
    row: 'PX-15',
    unitTest: 'test/unit/platform/egress/egress.test.ts',
    file: 'lambdas/gateway/platform/egress/egress.ts',
    find: "outgoing.on('response', (incoming) => {",
    replace: `outgoing.on('response', (incoming) => {
    if (incoming.statusCode === 302) {
      const followed = httpRequest(String(incoming.headers.location), (next) => outgoing.emit('response', next));
      followed.on('error', (error) => (settle(), reject(new UpstreamError('unreachable', true, false, error)))).end();
      return;
    }`,
  },
  {
    name: 'event-filter',
    row: 'F78',
    file: 'lib/constructs/event-feed.ts',
    find: 'filterCriteria: { filters: [{ pattern: JSON.stringify(EVENT_ITEM_PATTERN) }] },',
    replace: '',
    more: [
      {
        file: 'lambdas/events/stream-record.rules.ts',
        find: "  if (member(record, 'eventName') !== 'INSERT' || text(image, 'type') !== EVENT_ITEM_TYPE) return undefined;\n",
        replace: '',
      },
    ],
  },
  {
    name: 'cursor-with-its-batch',
    row: 'F96',
    file: `${FEEDS}/work-on-feed.ts`,
    find: '    const numbered = batches.map(',
    replace:
      '    await this.#save({ encryptedCursor: await this.#sealed(cursor) });\n    const numbered = batches.map(',
  },
  {
    name: 'mark-cleaned-behind-the-pull',
    row: 'F96',
    file: `${FEEDS}/work-on-feed.ts`,
    find: '    const turn = await takeTurn(deps, ref, mark,',
    replace:
      '    if (mark.marked) await deps.feeds.clearMark(ref, mark);\n    const turn = await takeTurn(deps, ref, mark,',
  },
  {
    name: 'lease-of-a-feed',
    row: 'F99',
    file: `${FEEDS}/feed.store.ts`,
    find: 'lastPullAtMs = :pulled AND (attribute_not_exists(leaseOwner) OR',
    replace: 'lastPullAtMs = :pulled AND (attribute_exists(pk) OR attribute_not_exists(leaseOwner) OR',
  },
  {
    name: 'row-read-under-its-own-lease',
    row: 'CF-32',
    unitTest: 'test/unit/features/feeds/feed.test.ts',
    file: `${FEEDS}/feed.store.ts`,
    find: 'feedFromItem(taken.Attributes)',
    replace: '{ ...known, epoch: known.epoch + 1, lease }',
  },
  {
    name: 'message-for-the-other-feeds-of-a-log',
    row: 'F197',
    file: `${FEEDS}/work-on-feed.ts`,
    find: 'isNews ? feeds.passOn(one, name, now) : feeds.readMark(one)',
    replace: 'feeds.readMark(one)',
  },
  {
    name: 'token-of-a-channel',
    row: 'CF-22',
    unitTest: 'test/unit/features/feeds/feed.test.ts',
    file: `${FEEDS}/take-message.ts`,
    find: 'channel === undefined || !proven ||',
    replace: "channel === undefined || (!proven && token === '') ||",
  },
  {
    name: 'answer-before-delivered',
    row: 'F111',
    file: 'lambdas/features/webhooks/deliver.ts',
    find: '    const attempt = await attemptDelivery(',
    replace:
      "    await deps.deliveries.settle(claimed, { atEpochSec: 0, durationMs: 0 }, 'delivered', undefined);\n    const attempt = await attemptDelivery(",
  },
  {
    name: 'time-in-the-signature',
    row: 'WH-10',
    unitTest: 'test/unit/features/webhooks/webhook-rules.test.ts',
    file: 'lambdas/features/webhooks/webhook.rules.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a piece of source.
    find: '.${nowEpochSec}.$',
    replace: '.$',
  },
  {
    name: 'address-that-was-judged',
    row: 'WH-11',
    unitTest: 'test/unit/platform/egress/webhook-egress.test.ts',
    file: 'lambdas/gateway/platform/egress/address-guard.ts',
    find: 'if (options.all === true) return callback(null, found);',
    replace: 'if (options.all === true) return resolve(host, options, callback);',
  },
  {
    name: 'message-answered-when-stored',
    row: 'F105',
    file: `${FEEDS}/take-message.ts`,
    find: 'await deps.inbox.mark(channel, nowEpochSec);',
    replace: 'await deps.inbox.mark(channel, nowEpochSec).catch(() => false);',
  },
  {
    name: 'endpoints-side-by-side',
    row: 'F110',
    file: 'lambdas/features/webhooks/deliver/handler.ts',
    find: '.map((webhook) => deliverNow(deps, webhook, invocation.event, requestId)),',
    replace:
      '.reduce((all, webhook) => [...all, Promise.allSettled(all).then(() => deliverNow(deps, webhook, invocation.event, requestId))], []),',
  },
  {
    name: 'key-before-a-message',
    row: 'F114',
    file: 'lambdas/features/webhooks/attempt-delivery.ts',
    find: 'cipher.decrypt(context, encrypted)',
    replace: "cipher.decrypt(context, encrypted).catch(() => 'whsec_AAAA')",
  },
  {
    name: 'pull-that-no-message-asked-for',
    row: 'F98',
    file: `${FEEDS}/work-on-feed.ts`,
    find: 'const due = this.#feed.pullAtEpochSec <= this.#now() ||',
    replace: 'const due = false &&',
  },
  {
    name: 'function-of-feeds',
    row: 'F104',
    file: 'lambdas/refresh/handler.ts',
    find: "import { sweepSlice } from '../gateway/ticks/sweep-run.ts';",
    replace:
      "import { FEED_SHARDS, sweepFeeds } from '../features/feeds/feeds/sweep-feeds.ts';\nimport { makeFeedCaller, makeFeedWork } from '../features/feeds/wiring.ts';\nimport { sweepSlice } from '../gateway/ticks/sweep-run.ts';",
    more: [
      {
        file: 'lambdas/refresh/handler.ts',
        find: '  const report = await sweepSlice(',
        replace:
          '  const work = makeFeedWork(shared, (counted) => makeFeedCaller({ ...shared, refresher: sweepDependencies.refresher }, counted));\n  const all = { shards: FEED_SHARDS, isHeld: () => true };\n  await sweepFeeds({ ...work, index: work.feeds }, all, deadlineMs, context.awsRequestId);\n  const report = await sweepSlice(',
      },
    ],
  },
  {
    name: 'deadline-of-a-pull',
    row: 'F104',
    file: `${FEEDS}/feed-caller.ts`,
    find: 'Math.min(FEED_CALL_TIMEOUT_MS, leftMs)',
    replace: 'leftMs * 60',
  },
  {
    name: 'key-before-a-pull',
    row: 'F106',
    file: `${FEEDS}/work-on-feed.ts`,
    find: 'await this.#deps.cipher.decrypt(cursorContext(this.#feed), ciphertext)',
    replace:
      'await this.#deps.cipher.decrypt(cursorContext(this.#feed), ciphertext).catch(() => \'{"kind":"building"}\')',
    more: [
      {
        file: `${FEEDS}/feed-caller.ts`,
        find: '  const accessToken = await deps.cipher.decrypt(accessTokenContext(connection), connection.encryptedAccessToken);',
        replace:
          "  const accessToken = await deps.cipher.decrypt(accessTokenContext(connection), connection.encryptedAccessToken).catch(() => '');\n  if (accessToken === '') return { kind: 'dead' };",
      },
    ],
  },
  // The lean AWS client, as test/unit/platform/lean/ compares it with the SDK.
  {
    name: 'lean-every-header-signed',
    row: 'LA-21',
    unitTest: `${LEAN_TESTS}/requests.test.ts`,
    file: 'lambdas/gateway/platform/aws-signature.ts',
    find: "const UNSIGNED = new Set(['authorization',",
    replace: "const UNSIGNED = new Set(['x-amz-target', 'authorization',",
  },
  {
    name: 'lean-session-token-signed',
    row: 'LA-21',
    unitTest: `${LEAN_TESTS}/signature.test.ts`,
    file: 'lambdas/gateway/platform/aws-signature.ts',
    find: "...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),",
    replace: '',
  },
  {
    name: 'lean-clock-of-the-service',
    row: 'LA-21',
    unitTest: `${LEAN_TESTS}/repeats.test.ts`,
    file: `${LEAN}/client.ts`,
    find: 'this.#clockOffsetMs = servicesMs - nowMs;',
    replace: '',
  },
  {
    name: 'lean-partitions-of-aws',
    row: 'LA-21',
    unitTest: `${LEAN_TESTS}/endpoints.test.ts`,
    file: `${LEAN}/endpoints.ts`,
    find: "['cn-', 'amazonaws.com.cn',",
    replace: "['cn-', 'amazonaws.com',",
  },
  {
    name: 'lean-delays-of-repeats',
    row: 'LA-22',
    unitTest: `${LEAN_TESTS}/repeats.test.ts`,
    file: `${LEAN}/dynamodb.ts`,
    find: 'delayMs: 25',
    replace: 'delayMs: 100',
  },
  {
    name: 'lean-budget-of-repeats',
    row: 'LA-4',
    unitTest: `${LEAN_TESTS}/repeats.test.ts`,
    file: `${LEAN}/retries.ts`,
    find: 'this.#capacity -= cost;',
    replace: '',
  },
  {
    name: 'lean-repeats-of-refusals',
    row: 'LA-22',
    unitTest: `${LEAN_TESTS}/repeats.test.ts`,
    file: `${LEAN}/retries.ts`,
    find: 'new Set([500, 502, 503, 504])',
    replace: 'new Set([400, 500, 502, 503, 504])',
  },
  {
    name: 'lean-unprocessed-keys',
    row: 'LA-23',
    unitTest: `${LEAN_TESTS}/answers.test.ts`,
    file: `${LEAN}/document.ts`,
    find: "struct('Responses UnprocessedKeys ConsumedCapacity'",
    replace: "struct('Responses ConsumedCapacity'",
  },
  {
    name: 'lean-items-of-errors',
    row: 'LA-2',
    unitTest: `${LEAN_TESTS}/answers.test.ts`,
    file: `${LEAN}/dynamodb.ts`,
    find: "errorShapes: { Item, CancellationReasons: list(struct('Item Code Message', { Item })) },",
    replace: 'errorShapes: {},',
  },
  {
    name: 'lean-signals-of-callers',
    row: 'LA-2',
    unitTest: `${LEAN_TESTS}/bounds.test.ts`,
    file: `${LEAN}/client.ts`,
    find: '{ abortSignal }: SendOptions): Promise<Output> {',
    replace: '{ abortSignal: _ }: SendOptions, abortSignal?: AbortSignal): Promise<Output> {',
  },
  {
    name: 'lean-views-of-bytes',
    row: 'LA-23',
    unitTest: `${LEAN_TESTS}/requests.test.ts`,
    file: `${LEAN}/shapes.ts`,
    find: "Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')",
    replace: "Buffer.from(value.buffer).toString('base64')",
  },
  {
    name: 'lean-token-of-a-transaction',
    row: 'LA-20',
    unitTest: `${LEAN_TESTS}/requests.test.ts`,
    file: `${LEAN}/document.ts`,
    find: '{ ClientRequestToken: randomUUID() }',
    replace: '{}',
  },
  {
    name: 'lean-checksums',
    row: 'LA-23',
    unitTest: `${LEAN_TESTS}/answers.test.ts`,
    file: `${LEAN}/client.ts`,
    find: 'if (checksum !== undefined &&',
    replace: "if (checksum === 'never' &&",
  },
  {
    name: 'lean-connections-that-stay',
    row: 'LA-23',
    unitTest: `${LEAN_TESTS}/bounds.test.ts`,
    file: `${LEAN}/http.ts`,
    find: 'keepAlive: true',
    replace: 'keepAlive: false',
  },
  // The book of calls: what counts each call once, and no more than a partition takes.
  {
    name: 'book-line-of-every-call',
    row: 'BK-23',
    unitTest: 'test/unit/calls/book.test.ts',
    file: 'lambdas/gateway/calls/book.ts',
    find: 'lines.append(strangerLine({ endedAtMs, totalMs }));',
    replace: '',
  },
  {
    name: 'book-page-of-fewer-lines',
    row: 'BK-22',
    unitTest: ROLL_UP_TESTS,
    file: PAGES,
    find: "'attribute_not_exists(#lines) OR #lines <= :lines'",
    replace: "'attribute_not_exists(#lines) OR #lines <> :lines'",
    more: [{ file: PAGES, find: 'if (before >= page.lines) return before;', replace: '' }],
  },
  {
    name: 'book-progress-behind-its-pages',
    row: 'BK-22',
    unitTest: ROLL_UP_TESTS,
    file: 'lambdas/roll-up/roll-up.ts',
    find: 'return fold;',
    replace: 'return undefined;',
  },
  {
    name: 'book-second-reading',
    row: 'BK-23',
    unitTest: ROLL_UP_TESTS,
    file: 'lambdas/roll-up/windows.rules.ts',
    find: "export const READINGS = ['first', 'again', 'nightly', 'begun'] as const;",
    replace: "export const READINGS = ['first', 'begun'] as const;",
  },
  {
    name: 'book-division-of-long-answers',
    row: 'BK-24',
    unitTest: ROLL_UP_TESTS,
    file: 'lambdas/roll-up/roll-up.ts',
    find: 'if (!isTooLong) return [await this.#write(job, folds, touched)];',
    replace: 'if (largest > 0) return [await this.#write(job, folds, touched)];',
  },
  {
    name: 'book-pause-of-writes',
    row: 'BK-24',
    unitTest: 'test/unit/roll-up/write-rate.test.ts',
    file: PAGES,
    find: 'if (isWritten && units > 4) await pause(',
    replace: 'if (isWritten && units > 400) await pause(',
  },
  // The one write of a connection, as its histories compare it with a recount.
  {
    name: 'write-number-of-the-history',
    row: '0045',
    unitTest: HISTORIES,
    file: WRITES,
    find: "const inSequence: RowCondition = ['sequence', '=', known.sequence];",
    replace: "const inSequence: RowCondition = ['sequence', '<>', -1];",
  },
  {
    name: 'write-fault-as-read',
    row: '0045',
    unitTest: HISTORIES,
    file: WRITES,
    find: "[['epoch', '=', known.epoch], inSequence, sameOne, IS_THERE, sameFault, samePrints]",
    replace: "[['epoch', '=', known.epoch], inSequence, sameOne, IS_THERE, samePrints]",
  },
  {
    name: 'write-token-as-read',
    row: 'RI-14',
    unitTest: HISTORIES,
    file: WRITES,
    find: "[['epoch', '=', known.epoch], inSequence, sameOne, sameFault, samePrints]",
    replace: "[['epoch', '=', known.epoch], inSequence, sameOne, sameFault]",
  },
  {
    name: 'write-places-in-lists',
    row: '0045',
    unitTest: HISTORIES,
    file: WRITE_STORE,
    find: '...listRemovals(table, ref, changed.left,',
    replace: '...listRemovals(table, ref, [],',
  },
  {
    name: 'write-counters',
    row: '0045',
    unitTest: HISTORIES,
    file: WRITE_STORE,
    find: '...changeCountUpdate(table.tableName, ref, at, changed.counts),',
    replace: '',
  },
  {
    name: 'write-search-entry',
    row: '0045',
    unitTest: HISTORIES,
    file: WRITE_STORE,
    find: 'if (!changed.isSearchChanged) return',
    replace: 'if (changed.isSearchChanged) return',
  },
];

import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const LAMBDAS = join(import.meta.dirname, '..', '..', '..', '..', 'lambdas');

/** Everything that speaks with DynamoDB. */
const FILES = globSync(['**/*.store.ts', 'gateway/platform/dynamodb/*.ts'], { cwd: LAMBDAS }).filter((file) =>
  /dynamodb/i.test(file + readFileSync(join(LAMBDAS, file), 'utf8')),
);

/**
 * Everything that is put into a text of the stores by `${}`, where it is no key: names of attributes and placeholders, and
 * lists of them. A new one fails the test below until somebody has seen that no id can be in it.
 */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'call-log.store.ts': [
    'CALL_LOG_TABLE.byRequest.partitionKey',
    'CLEARING',
    'connectionRefKey(ref)',
    'encodeURIComponent(accountId)',
    'requestId',
  ],
  'call-totals.store.ts': ['TABLE.timeToLive'],
  'census.store.ts': ['byAccount.partitionKey', "position === undefined ? '' : ` AND ${byAccount.sortKey"],
  'connection-item.store.ts': ['connection.createdAt', 'connection.numericId'],
  'connection-list.store.ts': [
    'attribute',
    'i',
    "placeholders.join(', ')",
    "position === undefined ? '' : ` AND listSortKey ${behind(order)",
  ],
  'connection-search.store.ts': [
    'byAccount.partitionKey',
    'encodeURIComponent(id)',
    'i',
    'item.pk',
    'item.sk',
    'key.pk',
    'key.sk',
    'pk',
    "position === undefined ? '' : ` AND ${byAccount.sortKey",
    'sk',
  ],
  'change-count.store.ts': ['TABLE.timeToLive', 'i', 'named.map((_, i) => `#n${i'],
  'connection.store.ts': [
    `isFirst ? ', #facts = :facts' : ''`,
    'NOT_YET_CONNECTED',
    "isSet ? ', callsRecordedUntilEpochSec = :until' : ''",
  ],
  'consent-log.store.ts': ['TABLE.timeToLive'],
  'death-counter.store.ts': ['TABLE.timeToLive'],
  'delivery.store.ts': [
    'DELIVERY_SK_PREFIX',
    "['#state = :state', 'tries = :tries', 'attempts = :attempts', ...due.sets].join(', ')",
    "['#state = :state', ...due.sets].join(', ')",
    '[...entries.map(([name]) => `#${name',
    'due.removes',
    'name',
    "position ?? '~'",
  ],
  'due.store.ts': [
    'LISTED_HEALTH_ATTRIBUTES.facts',
    'given.condition',
    'given.set',
    "removes.join(', ')",
    "sets.join(', ')",
  ],
  'feed-quota.store.ts': ['TABLE.timeToLive', 'free'],
  'feed.store.ts': [
    'BATCH_SK_PREFIX',
    'TABLE.indexes.byAccount.partitionKey',
    'entries.map(([name]) => `${name',
    'name',
    'ref.accountId',
    'ref.feedId',
    'removal',
    "removes.join(', ')",
    "sets.join(', ')",
    'stored',
  ],
  'item-reader.ts': ['attribute'],
  'lease.store.ts': [
    'LISTED_HEALTH_ATTRIBUTES.facts',
    "change.removes.join(', ')",
    "change.sets.join(', ')",
    "due === undefined ? '' : ', retryAt = :retryAt, refreshAt = :retryAt'",
    "lostHash === undefined ? '' : ', lostHash = :lost'",
    "removed.join(', ')",
    "request.afterRefusal === true ? ', forcedRefreshAtEpochSec = :now' : ''",
    "request.evenIfDead ? ', :dead' : ''",
  ],
  'pick.store.ts': ['NOT_YET_CONNECTED'],
  'rate-counter.store.ts': ['TABLE.timeToLive'],
  'revocation.store.ts': ['connectionRefKey(ref)', 'new Date(revocation.requestedAtEpochSec * 1000).toISOString()'],
  'secret-key.store.ts': ['record.createdAt', 'record.keyHash'],
  'session.store.ts': ['HAS_STARTS_LEFT', 'SAME_BROWSER', 'NOT_YET_CONNECTED'],
  'unconfirmed-grant.store.ts': ['NOT_YET_CONNECTED'],
  'usage.store.ts': [
    'TABLE.timeToLive',
    'name',
    'named.map((name) => `${name',
    "part(of.connectionId ?? '')",
    'part(of.integrationId)',
    'part(subject.connectionId)',
    'part(subject.integrationId)',
    'part(subject.keyId)',
  ],
  'webhook.store.ts': ['name', 'removal', "removes.join(', ')", "sets.join(', ')"],
};

test('AK-11: expressions are put together from names and placeholders the code itself holds, and nothing else', () => {
  const found = FILES.filter((file) => basename(file) !== 'keys.ts')
    .map((file) => {
      const source = readFileSync(join(LAMBDAS, file), 'utf8');
      const parts = [...source.matchAll(/\$\{\s*([^}]*?)\s*\}/g)].map(([, part]) => part ?? '');
      return [basename(file), [...new Set(parts)].sort()] as const;
    })
    .filter(([, parts]) => parts.length > 0);
  const known = Object.entries(KNOWN).map(([file, parts]) => [file, [...parts].sort()]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known));
});

test('AK-11: no expression holds a value in clear: what stands beside an operator is a placeholder or an attribute', () => {
  const texts = FILES.flatMap((file) => {
    const source = readFileSync(join(LAMBDAS, file), 'utf8');
    return [...source.matchAll(/(?:Update|Condition|KeyCondition|Filter)Expression:\s*(?:'([^'\n]*)'|`([^`]*)`)/g)].map(
      ([, plain, template]) => plain ?? template ?? '',
    );
  });
  expect(texts.length).toBeGreaterThan(30);
  for (const text of texts) {
    const right = [...text.matchAll(/(?<![<>])(?:=|<>|<=|>=|<|>)\s*([^\s=<>]\S*)/g)].map(
      ([, operand]) => operand ?? '',
    );
    for (const operand of right) expect(operand, text).toMatch(/^(:|#|\$\{|if_not_exists\(|list_append\(|[a-z]\w*$)/);
    expect(text, text).not.toMatch(/"|\d{2,}/);
  }
});

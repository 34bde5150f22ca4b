import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const LAMBDAS = join(import.meta.dirname, '..', '..', '..', '..', 'lambdas');

/** Everything that speaks with DynamoDB. */
const FILES = globSync(['**/*.store.ts', 'gateway/platform/dynamodb/*.ts'], { cwd: LAMBDAS }).filter((file) =>
  /dynamodb/i.test(file + readFileSync(join(LAMBDAS, file), 'utf8')),
);

/** Constants, numbers of entries and joined lists of clauses hold no id, in whichever store they stand. */
const HARMLESS = /^(?:[A-Z][A-Z_]+(?:\.\w+)*|i|(?:\w+\.)?(?:sets|removes|removed|placeholders)\.join\(', '\))$/;

/**
 * Everything that is put into a text of the stores by `${}`, where it is no key: names of attributes and placeholders, and
 * lists of them. A new one fails the test below until somebody has seen that no id can be in it.
 */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  // Names of attributes that a step of an approval sets, and the places of their values.
  'approval.store.ts': [
    "String(seat).padStart(2, '0')",
    'approval.ulid',
    'conditions.length',
    'digest',
    'dueFrom(dueAtMs)',
    'encodeURIComponent(accountId)',
    'keyId',
    'name',
    'part',
    "parts.join('#')",
    'place',
    'set.map(([name]) => `#${name',
    'tokenHash',
    'ulid',
  ],
  'audit-upkeep.store.ts': ['byAccount.partitionKey', 'byAccount.sortKey', 'new Date(walk.sinceMs).toISOString()'],
  'book.store.ts': ['day', 'hour'],
  'call-log.store.ts': ['connectionRefKey(ref)', 'day', 'encodeURIComponent(accountId)', 'requestId'],
  'census.store.ts': ['byAccount.partitionKey', "position === undefined ? '' : ` AND ${byAccount.sortKey"],
  'connection-list.store.ts': ['attribute', "position === undefined ? '' : ` AND listSortKey ${behind(order)"],
  'connection-search.store.ts': [
    'byAccount.partitionKey',
    'encodeURIComponent(id)',
    'item.pk',
    'item.sk',
    'j',
    'key.pk',
    'key.sk',
    'ofWord.map((_, j) => `contains(entries, :word${i',
    'pk',
    "position === undefined ? '' : ` AND ${byAccount.sortKey",
    'sk',
  ],
  'client.ts': ['attribute'],
  // Keys of the rows of security events, each part of which is encoded or a digest.
  'keys.store.ts': ['index', 'part(cloudProject)', 'part(jti)', 'print', 'sha256Hex(grantKey(cloudProject, subject))'],
  // Names of attributes and kinds of conditions, as the rules of a connection's write hold them.
  'connection-write.store.ts': [
    'attribute',
    'holds',
    'member',
    'name',
    'named.map((_, i) => `#n${i',
    'part',
    'removes.map((name) => `#${name',
    'sets.map((name) => `#${name',
    'text',
    'value',
  ],
  'delegated-domain.store.ts': [
    "askedForConnectionId === undefined ? ' REMOVE askedFor' : ', askedFor = :connection'",
    "connectionId === undefined ? ' REMOVE askedFor' : ', askedFor = :connection'",
    "lookUntil === undefined ? '' : ', lookUntil = :look'",
    "organizationId === undefined ? '' : ', organizationId = :organization'",
    "probeAtEpochSec === undefined ? 'attribute_not_exists(refreshAt)' : 'refreshAt = :before'",
  ],
  'delivery.store.ts': [
    "['#state = :state', 'tries = :tries', 'attempts = :attempts', ...due.sets].join(', ')",
    "['#state = :state', ...due.sets].join(', ')",
    '[...entries.map(([name]) => `#${name',
    'due.removes',
    'name',
    "position ?? '~'",
  ],
  'feed-keys.store.ts': [
    ...['accountPk(accountId)', 'connectionRefKey(ref)', 'feedParts(ref)', 'part(channelId)', 'part(cloudProject)'],
    ...['part(ref.accountId)', 'part(ref.feedId)', 'provider', 'user'],
  ],
  'feed-quota.store.ts': ['free'],
  'feed.store.ts': [
    "['dueShard', 'refreshAt', 'follows', 'passedOn', 'announced', ...Object.keys(names)].join(', ')",
    'index',
    'entries.map(([name]) => `${name',
    'known.condition',
    'name',
    'ref?.accountId',
    'ref?.feedId',
    'removal',
    'sets',
    'stored',
  ],
  'connection.store.ts': [
    "lostHash === undefined ? '' : ', lostHash = :lost'",
    "request.afterRefusal === true ? ', forcedRefreshAtEpochSec = :now' : ''",
    "request.evenIfDead ? ', :dead' : ''",
  ],
  'inbox.store.ts': ["ref.log === undefined ? 'announced = :true' : '#log = :now'"],
  'journal.store.ts': [
    ...['connectionRefKey(ref)', 'encodeURIComponent(accountId)', 'item.pk', 'item.sk', 'keyId', 'pk'],
    ...['print', 'removed', 'sk'],
  ],
  'listed-rows.store.ts': [
    "Object.keys(wanted).join(', ')",
    "after === undefined ? '' : ` AND sk ${order === 'newest' ? '<' : '>'",
    'isWanted',
  ],
  'page.store.ts': [
    'HEAD + last',
    "part.of === 'sums' ? HEAD : CONNECTIONS",
    'part.shard',
    'place',
    'prefix',
    'shards',
  ],
  'reconnect-batch.store.ts': ["isWhole ? ', revokedAt = if_not_exists(revokedAt, :now)' : ''"],
  'tick-board.store.ts': ['slice?.index ?? 0', 'sweep'],
  'due.store.ts': ['connectionRefKey(ref)', 'new Date(revocation.requestedAtEpochSec * 1000).toISOString()'],
  'sign-in.store.ts': ['hash', 'ulid'],
  'secret-key.store.ts': [
    "isFirst ? '' : `, ${TABLE.timeToLive",
    "keepsRow ? '' : `, ${TABLE.timeToLive",
    "limits === undefined ? ' REMOVE limits' : ', limits = :limits'",
    "managedBy === undefined ? '' : ', managedBy = :managed'",
    'record.createdAt',
    'record.keyHash',
  ],
  'usage-rows.store.ts': ["part(of.connectionId ?? '')", 'part(of.integrationId)'],
  'webhook.store.ts': ['change', 'name', 'removal'],
};

test('AK-11: expressions are put together from names and placeholders the code itself holds, and nothing else', () => {
  const found = FILES.filter((file) => basename(file) !== 'keys.ts')
    .map((file) => {
      const source = readFileSync(join(LAMBDAS, file), 'utf8');
      const parts = [...source.matchAll(/\$\{\s*([^}]*?)\s*\}/g)].map(([, part]) => part ?? '');
      return [basename(file), [...new Set(parts)].filter((part) => !HARMLESS.test(part)).sort()] as const;
    })
    .filter(([, parts]) => parts.length > 0);
  const known = Object.entries(KNOWN).map(([file, parts]) => [file, [...parts].sort()]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known));
});

test('AK-11: no expression holds a value in clear: what stands alongside an operator is a placeholder or an attribute', () => {
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

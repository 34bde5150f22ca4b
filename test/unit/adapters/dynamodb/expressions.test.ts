import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'lambdas', 'shared', 'adapters', 'dynamodb');

/**
 * Everything that is put into a text of the adapters by `${}`, where it is no key: names of attributes and placeholders, and
 * lists of them. A new one fails the test below until somebody has seen that no id can be in it.
 */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  'call-totals.ts': ['TABLE.timeToLive'],
  'census-store.ts': ['byAccount.partitionKey', "position === undefined ? '' : ` AND ${byAccount.sortKey"],
  'connection-item.ts': ['connection.createdAt', 'connection.numericId'],
  'connection-lease.ts': [
    "due === undefined ? '' : ', retryAt = :retryAt, refreshAt = :retryAt'",
    "lostHash === undefined ? '' : ', lostHash = :lost'",
    "request.afterRefusal === true ? ', forcedRefreshAtEpochSec = :now' : ''",
    "request.evenIfDead ? ', :dead' : ''",
    "change.removes.join(', ')",
    "change.sets.join(', ')",
    "removed.join(', ')",
  ],
  'connection-list.ts': [
    'attribute',
    'i',
    "placeholders.join(', ')",
    "position === undefined ? '' : ' AND listSortKey < :position'",
  ],
  'connection-upkeep.ts': ['given.condition', 'given.set'],
  'consent-log.ts': ['TABLE.timeToLive'],
  'death-counter.ts': ['TABLE.timeToLive'],
  'item-reader.ts': ['attribute'],
  'rate-counter.ts': ['TABLE.timeToLive'],
  // A value of an item, never of an expression.
  'revocation-item.ts': ['connectionRefKey(ref)', 'new Date(revocation.requestedAtEpochSec * 1000).toISOString()'],
  'secret-key-store.ts': ['record.createdAt', 'record.keyHash'],
  'save-connection.ts': ['YIELDED_NOTHING'],
  'session-store.ts': ['NOT_TOO_OFTEN', 'SAME_BROWSER', 'YIELDED_NOTHING'],
  'unconfirmed-store.ts': ['YIELDED_NOTHING'],
  'tokens-with-events.ts': ["removes.join(', ')", "sets.join(', ')"],
};

test('AK-11: expressions are put together from names and placeholders the code itself holds, and nothing else', () => {
  const found = globSync('*.ts', { cwd: FOLDER })
    .filter((file) => file !== 'keys.ts')
    .map((file) => {
      const source = readFileSync(join(FOLDER, file), 'utf8');
      const parts = [...source.matchAll(/\$\{\s*([^}]*?)\s*\}/g)].map(([, part]) => part ?? '');
      return [file, [...new Set(parts)].sort()] as const;
    })
    .filter(([, parts]) => parts.length > 0);
  const known = Object.entries(KNOWN).map(([file, parts]) => [file, [...parts].sort()]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known));
});

test('AK-11: no expression holds a value in clear: what stands beside an operator is a placeholder or an attribute', () => {
  const texts = globSync('*.ts', { cwd: FOLDER }).flatMap((file) => {
    const source = readFileSync(join(FOLDER, file), 'utf8');
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  entriesWith,
  folded,
  hasEntry,
  holdsWords,
  matchScore,
  searchBucketOf,
  searchEntry,
  searchText,
  searchWords,
  withEntry,
} from '../../../lambdas/gateway/connections/search.rules.ts';
import { SEARCH_BUCKET_MAX_LENGTH, SEARCH_BUCKETS, SEARCH_SHARDS } from '../../../lambdas/gateway/core/limits.ts';
import { anyText } from '../../support/any-text.ts';

const words = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), anyText({ maxLength: 20 }));
const id = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 });

const connections = fc.record({
  accountId: fc.constant('default'),
  integrationId: id,
  connectionId: id,
  numericId: fc.nat(),
  endUser: fc.option(
    fc.record({
      id: words,
      email: fc.option(words),
      displayName: fc.option(words),
      tags: fc.option(fc.dictionary(id, words, { maxKeys: 3 })),
      organization: fc.option(fc.record({ id: words, displayName: fc.option(words) })),
    }),
    { nil: undefined },
  ),
  providerAccount: fc.option(fc.record({ subject: id, email: fc.option(words) }), { nil: undefined }),
  tags: fc.dictionary(id, words, { maxKeys: 3 }),
});

const bob = {
  accountId: 'default',
  integrationId: 'google-drive',
  connectionId: 'Conn-7A',
  numericId: 7,
  endUser: {
    id: 'user-17',
    email: 'Bob.Brown@Example.com',
    displayName: 'Bob  Brówn',
    tags: { plan: 'Team' },
    organization: { id: 'org-1', displayName: 'Ácme GmbH' },
  },
  providerAccount: { subject: '1', email: 'bob@gmail.example' },
  tags: { region: 'EU', end_user_id: 'user-17' },
};

describe('what a search compares', () => {
  it('is every name, address, id and tag of a connection, without case and accents, the person first', () => {
    expect(searchText(bob).split('\n')).toEqual([
      'bob brown',
      'bob.brown@example.com',
      'user-17',
      'acme gmbh',
      'org-1',
      'bob@gmail.example',
      'conn-7a',
      'plan=team',
      'region=eu',
    ]);
  });

  it('finds a connection by any part of anything it says, in any case', () => {
    fc.assert(
      fc.property(connections, fc.nat(), fc.nat(), fc.boolean(), (connection, from, length, upper) => {
        const said = [
          connection.endUser?.displayName,
          connection.endUser?.email,
          connection.endUser?.id,
          connection.endUser?.organization?.displayName,
          connection.providerAccount?.email,
          connection.connectionId,
        ].filter((text) => typeof text === 'string');
        for (const text of said) {
          const letters = [...text];
          const part = letters.slice(from % (letters.length + 1)).slice(0, 1 + (length % 8));
          const typed = upper ? part.join('').toUpperCase() : part.join('');
          // Upper case is no inverse of lower case for every letter ("ß" is "SS"): then it is another text.
          if (upper && folded(typed) !== folded(part.join(''))) continue;
          expect(holdsWords(searchText(connection), searchWords(typed))).toBe(true);
        }
      }),
    );
  });

  it('folds a text once: folding it again changes nothing, nor does a sigma’s place', () => {
    fc.assert(fc.property(words, (text) => folded(folded(text)) === folded(text)));
    expect(folded('ΣΟΦΟΣΑ')).toContain(folded('ΦΟΣ'));
  });

  it('keeps the name and the ids of a connection with very long tags', () => {
    const long = { ...bob, tags: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`t${i}`, 'x'.repeat(255)])) };
    expect(searchText(long)).toContain('conn-7a');
  });

  it('puts a whole name before its beginning, that before a word, that before any part', () => {
    const texts = ['bobby\nx', 'anna bob\nx', 'anna\nkobobo@example.com', 'bob\nx'];
    const ranked = texts.toSorted((a, b) => matchScore(b, ['bob']) - matchScore(a, ['bob']));
    expect(ranked).toEqual(['bob\nx', 'bobby\nx', 'anna bob\nx', 'anna\nkobobo@example.com']);
  });
});

describe('a bucket of the search index', () => {
  it('finds exactly what a look at each connection finds, after any puts, replacements and removals', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ connection: connections, isGone: fc.boolean() }), { maxLength: 12 }),
        words,
        (steps, query) => {
          let bucket = '';
          const known = new Map<string, (typeof steps)[number]['connection']>();
          for (const { connection, isGone } of steps) {
            const key = JSON.stringify([connection.integrationId, connection.connectionId]);
            if (isGone) known.delete(key);
            else known.set(key, connection);
            bucket = withEntry(bucket, connection, isGone ? undefined : searchEntry(connection)) ?? bucket;
            expect(hasEntry(bucket, connection)).toBe(!isGone);
          }
          const wanted = searchWords(query);
          const expected = [...known.values()].filter((one) => holdsWords(searchText(one), wanted));
          const found = bucket === '' ? [] : entriesWith(bucket, wanted);
          const idsOf = (list: readonly { integrationId: string; connectionId: string; numericId: number }[]) =>
            new Set(list.map((one) => JSON.stringify([one.integrationId, one.connectionId, one.numericId])));
          expect(idsOf(found)).toEqual(idsOf(expected));
        },
      ),
    );
  });

  it('says that nothing changes where the entry is there already', () => {
    const bucket = withEntry('', bob, searchEntry(bob)) ?? '';
    expect(withEntry(bucket, bob, searchEntry(bob))).toBeUndefined();
    expect(withEntry('', bob, undefined)).toBeUndefined();
    const longer = { ...bob, connectionId: `${bob.connectionId}B` };
    const before = withEntry('', longer, searchEntry(longer)) ?? '';
    expect(hasEntry(withEntry(before, bob, searchEntry(bob)) ?? '', longer)).toBe(true);
  });

  it('never grows beyond its limit, and drops the old entry of a connection that has no room for the new one', () => {
    const filler = { ...bob, connectionId: 'filler', endUser: undefined };
    const room = searchEntry(bob).length + 10;
    const full = searchEntry(filler).padEnd(SEARCH_BUCKET_MAX_LENGTH - room, 'x');
    const withBob = withEntry(full, bob, searchEntry({ ...bob, tags: {}, providerAccount: undefined })) ?? '';
    expect(withBob.length).toBeLessThanOrEqual(SEARCH_BUCKET_MAX_LENGTH);
    const displayName = 'A much longer name than before'.repeat(9);
    const renamed = searchEntry({ ...bob, endUser: { ...bob.endUser, displayName } });
    const after = withEntry(withBob, bob, renamed) ?? withBob;
    expect(hasEntry(after, bob)).toBe(false);
  });

  it('is one of a fixed number, each in the partition that is read for it', () => {
    fc.assert(
      fc.property(id, (connectionId) => {
        const { shard, bucket } = searchBucketOf({ accountId: 'default', integrationId: 'x', connectionId });
        return bucket >= 0 && bucket < SEARCH_BUCKETS && shard === bucket % SEARCH_SHARDS;
      }),
    );
  });
});

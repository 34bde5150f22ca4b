import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { MemoryTable } from '../../../dev/support/memory-table.ts';
import { connectionToItem } from '../../../lambdas/gateway/connections/connection-item.store.ts';
import { connectionSearch } from '../../../lambdas/gateway/connections/connection-search.store.ts';
import {
  entriesWith,
  firstLines,
  folded,
  hasEntry,
  holdsWords,
  matchScore,
  placedLines,
  placeNumber,
  refOfLine,
  searchBucketOf,
  searchEntry,
  searchForms,
  searchText,
  searchWords,
  withEntry,
} from '../../../lambdas/gateway/connections/index-rows.rules.ts';
import {
  SEARCH_BUCKET_MAX_LENGTH,
  SEARCH_BUCKETS,
  SEARCH_SHARDS,
  SEARCH_TEXT_MAX_LENGTH,
  SEARCH_WORDS_MAX,
} from '../../../lambdas/gateway/core/limits.ts';
import { anyText } from '../../support/any-text.ts';
import { connection } from '../support/connection.ts';

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
  it('what a search compares is every name, address, id and tag of a connection, without case and accents, the person first', () => {
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

  it('folds every Latin letter of Europe’s alphabets to the letters of ASCII', () => {
    // Latin-1 Supplement and Latin Extended-A. Catalan writes ŀ as l with a dot behind it, which is a sign of its own.
    const letters = Array.from({ length: 0x17f - 0xbf }, (_, at) => String.fromCodePoint(0xc0 + at));
    const kept = letters.filter((letter) => /\p{L}/u.test(letter) && !/^[a-z']+$/.test(folded(letter)));
    expect(kept).toEqual(['Ŀ', 'ŀ']);
  });

  it('folds a text once: folding it again changes nothing, nor does a sigma’s place', () => {
    fc.assert(fc.property(words, (text) => folded(folded(text)) === folded(text)));
    expect(folded('ΣΟΦΟΣΑ')).toContain(folded('ΦΟΣ'));
    expect(folded('ΦΟΣ')).toBe('φοσ');
  });

  test.each([
    ['Łukasz Żółć', 'lukasz zolc'],
    ['IŞIK Kılıç', 'isik kilic'],
    ['Straße, GROẞ', 'strasse, gross'],
    ['Søren Ærø', 'soren aero'],
    ['Đorđe Œuvre', 'dorde oeuvre'],
    ['Þór Guðmundsson', 'thor gudmundsson'],
    ['O’Brien “Bo” ‘B’', "o'brien \"bo\" 'b'"],
    ['Jean–Luc', 'jean-luc'],
    ['ƀƶɨɫəǝɖɗɓƙɲʉɵ', 'bzileeddbknuo'],
    ['‘’‚‛′ʹʻʼʽʾʿ`‹›', "''''''''''''''"],
    ['“”„‟«»', '""""""'],
    ['‐‒–—―−', '------'],
  ])('folds letters that Unicode does not decompose, quotes and dashes: %s', (written, typed) => {
    expect(folded(written)).toBe(typed);
    expect(searchWords(written)).toEqual(searchWords(typed));
  });

  it('looks for a word also in the form that an earlier version wrote, whatever is typed twice', () => {
    expect(searchForms('Łukasz lukasz bob')).toEqual([['lukasz', 'łukasz'], ['bob']]);
  });

  it('keeps the name and the ids of a connection with very long tags', () => {
    const long = { ...bob, tags: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`t${i}`, 'x'.repeat(255)])) };
    expect(searchText(long)).toContain('conn-7a');
    expect(searchText(long)).toHaveLength(SEARCH_TEXT_MAX_LENGTH);
    // Characters of two units: at one of two places the limit cuts one in half.
    for (const first of ['', 'x']) {
      const tags = { first, rest: '😀'.repeat(SEARCH_TEXT_MAX_LENGTH) };
      expect(searchText({ ...long, tags }).isWellFormed()).toBe(true);
    }
  });

  it('what a search compares has no line for a name that is blank', () => {
    const blank = { ...bob, endUser: { ...bob.endUser, displayName: ' \t', tags: null, organization: null }, tags: {} };
    const lines = ['bob.brown@example.com', 'user-17', 'bob@gmail.example', 'conn-7a'];
    expect(searchText(blank).split('\n')).toEqual(lines);
  });

  test.each([
    ['nothing', '', []],
    ['only blanks', ' \t ', []],
    ['blanks around and between words', '  Bob \n Brówn ', ['bob', 'brown']],
    ['a word twice', 'bob BOB', ['bob']],
  ])('what a search compares is the words that were typed: %s', (_, query, expected) => {
    expect(searchWords(query)).toEqual(expected);
  });

  it('what a search compares is not more words than the limit', () => {
    const typed = Array.from({ length: SEARCH_WORDS_MAX + 1 }, (_, i) => `w${i}`);
    expect(searchWords(typed.join(' '))).toEqual(typed.slice(0, -1));
  });

  it('puts a whole name before its beginning, that before a word, that before any part', () => {
    const texts = ['bobby\nx', 'anna bob\nx', 'anna\nkobobo@example.com', 'bob\nx'];
    const ranked = texts.toSorted((a, b) => matchScore(b, ['bob']) - matchScore(a, ['bob']));
    expect(ranked).toEqual(['bob\nx', 'bobby\nx', 'anna bob\nx', 'anna\nkobobo@example.com']);
  });

  test.each([
    ['a whole name before the same in another line', 'bob', 'bob\nx', 'x\nbob'],
    ['two words as a whole before the same as a beginning', 'bob brown', 'x\nbob brown', 'x\nbob browning'],
    ['the beginning of a name before that of another line', 'bob', 'bobby\nx', 'x\nbobby'],
    ['the beginning of another line before a word of the name', 'bob', 'anna\nbobby', 'anna bob\nx'],
    ['words in the order typed before another order', 'bob br', 'bob brown\nx', 'brown bob\nx'],
    ['a name that begins with one word before another line that does', 'bob y', 'bob xy\nx', 'x\nbob xy'],
    ['a line that begins with a word before one that has it later', 'y bob', 'x\nbob xy', 'x\nabob xy'],
    ['a word of the name before a word of another line', 'bob', 'anna bob\nx', 'x\nanna bob'],
    ['a word before a part of a word', 'bob', 'x\nanna.bob', 'x\nannabob'],
    ['a word before what stands behind a digit', 'bob', 'x\nanna bob', 'x\nanna 1bob'],
    ['a word that begins so before a word that ends so', 'bob', 'anna bobby\nx', 'anna kobob\nx'],
    ['any part of the name before the same part of another line', 'bob', 'kobobo\nx', 'x\nkobobo'],
  ])('puts %s', (_, query, better, worse) => {
    expect(matchScore(better, searchWords(query))).toBeGreaterThan(matchScore(worse, searchWords(query)));
  });

  it('counts nothing for lines without a word of the search', () => {
    expect(matchScore('bob\nx\ny\nz', ['bob'])).toBe(matchScore('bob', ['bob']));
    expect(matchScore('x\ny', ['bob'])).toBe(0);
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

  const ann = { ...bob, connectionId: 'Ann-1', numericId: 8 };
  const both = [searchEntry(ann), searchEntry(bob)].join('\n');
  const of = (...entries: string[]) => entries.toSorted().join('\n');

  test.each([
    ['a first entry', '', searchEntry(bob), searchEntry(bob)],
    ['a second entry', searchEntry(ann), searchEntry(bob), both],
    ['the same entry once more', both, searchEntry(bob), undefined],
    ['an entry taken out', both, undefined, searchEntry(ann)],
    ['an entry that is not there taken out', searchEntry(ann), undefined, undefined],
  ])('holds a line for each connection, in order: %s', (_, bucket, entry, expected) => {
    expect(withEntry(bucket, bob, entry)).toBe(expected);
  });

  it('takes an entry that fills it to the last character, and none beyond', () => {
    const others = ['a', 'b'].map((name) => `${name.repeat(70_000)}\t1\t`);
    const room = SEARCH_BUCKET_MAX_LENGTH - of(...others).length - 1;
    const filling = searchEntry(bob).padEnd(room, 'x');
    expect(withEntry(of(...others), bob, filling)).toHaveLength(SEARCH_BUCKET_MAX_LENGTH);
    expect(withEntry(of(...others), bob, `${filling}x`)).toBeUndefined();
    expect(withEntry(of(...others, searchEntry(bob)), bob, `${filling}x`)).toBe(of(...others));
  });

  it('gives back whose an entry is, its number and its lines', () => {
    const { accountId, integrationId, connectionId, numericId } = bob;
    const found = { accountId, integrationId, connectionId, numericId, text: searchText(bob) };
    expect(entriesWith(both, ['conn-7a'])).toEqual([found]);
    expect(entriesWith('', [])).toEqual([]);
  });

  test.each([
    ['default#google-drive#Conn-7A', { accountId: 'default', integrationId: 'google-drive', connectionId: 'Conn-7A' }],
    ['a%23#b%2F#c%20', { accountId: 'a#', integrationId: 'b/', connectionId: 'c ' }],
    ['default#google-drive', undefined],
    ['', undefined],
  ])('shows whose connection %j is', (key, ref) => {
    expect(refOfLine(key)).toEqual(ref);
  });

  it('a bucket of the search index is one of a fixed number, each in the partition that is read for it', () => {
    fc.assert(
      fc.property(id, (connectionId) => {
        const { shard, bucket } = searchBucketOf({ accountId: 'default', integrationId: 'x', connectionId });
        return bucket >= 0 && bucket < SEARCH_BUCKETS && shard === bucket % SEARCH_SHARDS;
      }),
    );
  });
});

describe('connections in order by name', () => {
  const anonymous = { ...bob, connectionId: '', endUser: undefined, providerAccount: undefined, tags: {} };
  const calendar = { ...bob, integrationId: 'google-calendar', connectionId: 'google-drive', numericId: 12 };
  const nameOnly = 'default#google-drive#n\t3\tonly';
  const bucket = [...[bob, calendar, anonymous].map(searchEntry), nameOnly].join('\n');
  const placesOf = (integrationIds: string[] | undefined) =>
    [...placedLines(bucket, integrationIds)].map(({ key, place }) => [key, ...place]);
  const places = [
    ['default#google-drive#Conn-7A', 'bob brown', '0000000000000007'],
    ['default#google-calendar#google-drive', 'bob brown', '0000000000000012'],
    ['default#google-drive#', '', '0000000000000007'],
    ['default#google-drive#n', 'only', '0000000000000003'],
  ];

  test.each([
    ['all', undefined, places],
    ['of one integration', ['google-drive'], [places[0], places[2], places[3]]],
    ['of two', ['google-drive', 'google-calendar'], places],
    ['of none', [], []],
    ['of one that another’s id contains', ['drive'], []],
  ])('connections in order by name have the name and the number of their line: %s', (_, integrationIds, expected) => {
    expect(placesOf(integrationIds)).toEqual(expected);
  });

  it('connections in order by name are none where a bucket is empty', () => {
    expect([...placedLines('', undefined)]).toEqual([]);
  });

  it('connections in order by name have numbers that are ordered as texts', () => {
    expect(['10', '9', String(Number.MAX_SAFE_INTEGER)].map(placeNumber).toSorted()).toEqual([
      '0000000000000009',
      '0000000000000010',
      '9007199254740991',
    ]);
  });

  const line = (name: string, number: number) => ({ key: `${name}${number}`, place: [name, String(number)] as const });
  const lines = [line('b', 2), line('a', 3), line('b', 1), line('c', 0), line('a', 1)];
  const keysOf = (all: typeof lines, order: Parameters<typeof firstLines>[0]) => {
    const first = firstLines(order);
    for (const one of all) first.take(one);
    return first.end().map(({ key }) => key);
  };

  test.each([
    ['the first two', false, undefined, 2, ['a1', 'a3']],
    ['the last two', true, undefined, 2, ['c0', 'b2']],
    ['all, where fewer are there than wanted', false, undefined, 9, ['a1', 'a3', 'b1', 'b2', 'c0']],
    ['those behind a place', false, ['a', '3'], 2, ['b1', 'b2']],
    ['those behind a place, backwards', true, ['b', '2'], 2, ['b1', 'a3']],
    ['those behind a place where nobody is any more', false, ['b', '15'], 9, ['b2', 'c0']],
  ] as const)(
    'connections in order by name are by name, then by number: %s',
    (_, isDescending, after, count, expected) => {
      expect(keysOf(lines, { isDescending, after, count })).toEqual(expected);
    },
  );

  it.each([false, true])(
    'connections in order by name are the same of many lines, whatever order they come in (backwards: %s)',
    (isDescending) => {
      // 1,291 has no divisor in common with 5,000: each number comes once.
      const many = Array.from({ length: 5_000 }, (_, i) => line(String((i * 1_291) % 5_000).padStart(4, '0'), 0));
      const keys = many.map(({ key }) => key).toSorted();
      const ordered = isDescending ? keys.toReversed() : keys;
      for (const all of [many, many.toSorted((a, b) => (a.key < b.key ? -1 : 1))]) {
        expect(keysOf(all, { isDescending, after: undefined, count: 20 })).toEqual(ordered.slice(0, 20));
      }
    },
  );
});

describe('reading the connections that rows name', () => {
  it('names each once, in the order asked for, also where several rows name one: DynamoDB refuses a batch with a key twice', async () => {
    const memory = new MemoryTable();
    const [first, second] = [connection({ connectionId: 'c-1' }), connection({ connectionId: 'c-2' })];
    for (const one of [first, second]) memory.put(connectionToItem(one));
    const gone = { ...first, connectionId: 'gone' };
    const found = await connectionSearch(memory.table).summaries([second, first, second, gone, gone, first]);
    expect(found.map(({ connectionId }) => connectionId)).toEqual(['c-2', 'c-1']);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ACCOUNTS } from '../../../simulator/accounts.ts';
import type { DriveFile } from '../../../simulator/drive/records.ts';
import { matchesSearch, type SearchContext } from '../../../simulator/drive/search-match.ts';
import { parseSearch, SearchSyntaxError } from '../../../simulator/drive/search-syntax.ts';

const FILE: DriveFile = {
  id: 'f',
  name: "Plan: l'été 2026",
  mimeType: 'text/plain',
  parents: ['folder'],
  createdTime: '2026-01-02T03:04:05.000Z',
  modifiedTime: '2026-02-02T00:00:00.000Z',
  description: 'quarterly',
  trashed: false,
  starred: true,
  content: null,
  version: 1,
  appProject: null,
  extra: {},
};
const CONTEXT: SearchContext = { account: ACCOUNTS[0], rootId: 'folder', readText: () => 'needle in the text' };

test.each<[q: string, expected: boolean]>([
  ["name contains 'plan'", true],
  ["name contains 'lan'", false],
  ["name contains '2026'", true],
  ["name = 'Plan: l\\'été 2026'", true],
  ["name != 'x'", true],
  ["mimeType = 'text/plain'", true],
  ["mimeType contains 'text/'", true],
  ["mimeType != 'text/plain'", false],
  ['trashed = false', true],
  ['trashed=true', false],
  ['starred = true', true],
  ["'folder' in parents", true],
  ["'root' in parents", true],
  ["'other' in parents", false],
  ["'me' in owners", true],
  ["'first.user@example.com' in writers", true],
  ["fullText contains 'needle'", true],
  ["fullText contains 'haystack'", false],
  ["modifiedTime > '2026-01-01T00:00:00'", true],
  ["modifiedTime < '2026-01-01'", false],
  ["createdTime <= '2026-01-02T03:04:05Z'", true],
  ["not name contains 'x'", true],
  ["name contains 'x' or starred = true", true],
  ["name contains 'x' or name contains 'plan' and starred = false", false],
  ["(name contains 'x' or name contains 'plan') and starred = true", true],
  ['sharedWithMe = true', false],
])('judges %s', (q, expected) => {
  expect(matchesSearch(FILE, parseSearch(q), CONTEXT)).toBe(expected);
});

test.each([
  "name ~ 'x'",
  "name contains 'x",
  'name contains',
  "name contains 'x' and",
  "(name contains 'x'",
  "name contains 'x') ",
  "'x' parents",
  '',
  'name',
])('calls %j malformed', (q) => {
  expect(() => parseSearch(q)).toThrow(SearchSyntaxError);
});

test.each(["colour = 'red'", "name > 'x'", 'name = true', "trashed = 'no'", "'x' in colours", "modifiedTime > 'soon'"])(
  'refuses %j although it is well formed',
  (q) => {
    expect(() => matchesSearch(FILE, parseSearch(q), CONTEXT)).toThrow(SearchSyntaxError);
  },
);

test('refuses an unsupported term behind a decided one', () => {
  expect(() => matchesSearch(FILE, parseSearch("starred = true or colour = 'red'"), CONTEXT)).toThrow(
    SearchSyntaxError,
  );
});

test('finds any quoted name again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const quoted = name.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
      expect(matchesSearch({ ...FILE, name }, parseSearch(`name = '${quoted}'`), CONTEXT)).toBe(true);
    }),
  );
});

test('parses any text or refuses it with its own error', () => {
  fc.assert(
    fc.property(fc.string(), (q) => {
      try {
        parseSearch(q);
      } catch (error) {
        expect(error).toBeInstanceOf(SearchSyntaxError);
      }
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ACCOUNTS } from '../../../packages/simulator/accounts.ts';
import { newFile } from '../../../packages/simulator/drive/dataset.ts';
import { combinePermissions, userPermission } from '../../../packages/simulator/drive/permissions.ts';
import { matchesSearch, type SearchContext } from '../../../packages/simulator/drive/search-match.ts';
import { parseSearch, SearchSyntaxError } from '../../../packages/simulator/drive/search-syntax.ts';
import type { DriveFile, UserView } from '../../../packages/simulator/state/drive.ts';

const [OWNER, GUEST] = ACCOUNTS;
const FILE: DriveFile = {
  ...newFile({
    id: 'f',
    name: "Plan: l'été 2026",
    mimeType: 'text/plain',
    time: '2026-01-02T03:04:05.000Z',
    sub: OWNER.sub,
  }),
  parents: ['folder'],
  modifiedTime: '2026-02-02T00:00:00.000Z',
  description: 'quarterly',
  extra: { properties: { stage: 'final' }, shortcutDetails: { targetId: 'target' } },
};
const VIEW: UserView = {
  starred: true,
  viewedTime: '2026-03-01T00:00:00.000Z',
  modifiedTime: null,
  sharedTime: null,
  sharedBy: null,
};
/** Labels on the file; `tags` and `leads` can have several values. */
const LABELS = [
  {
    id: 'label',
    revisionId: 'r',
    fields: {
      note: { valueType: 'text', text: ['hello there'] },
      amount: { valueType: 'integer', integer: ['-20'] },
      due: { valueType: 'dateString', dateString: ['2026-06-22'] },
      status: { valueType: 'selection', selection: ['executed'] },
      client: { valueType: 'user', user: [{ emailAddress: 'alex@example.com' }] },
      tags: { valueType: 'selection', selection: ['red', 'blue'] },
    },
  },
];
const CONTEXT: SearchContext = {
  account: OWNER,
  rootId: 'folder',
  appDataId: 'app data',
  readText: () => 'needle in the text',
  permissionsOf: (file) =>
    combinePermissions(
      { ...file, permissions: GUEST === undefined ? [] : [userPermission(GUEST, 'reader')] },
      userPermission(OWNER, 'owner'),
      undefined,
    ),
  isTrashed: () => false,
  viewOf: () => VIEW,
  labelsOf: () => LABELS,
  appPropertiesOf: () => ({ mine: 'yes' }),
};

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
  ["properties has { key='stage' and value='final' }", true],
  ["properties has { key='stage' and value='draft' }", false],
  ["appProperties has { key = 'mine' and value = 'yes' }", true],
  ["visibility = 'limited'", true],
  ["visibility != 'limited'", false],
  ["shortcutDetails.targetId = 'target'", true],
  ["'second.user@example.com' in readers", true],
  ["'second.user@example.com' in writers", false],
  ["not 'second.user@example.com' in owners", true],
  ["'label' in labels", true],
  ["viewedByMeTime > '2026-02-28T23:00:00-02:00'", false],
  ["viewedByMeTime >= '2026-03-01T01:00:00+01:00'", true],
  ['fullText contains \'"needle in"\'', true],
  ["fullText contains 'needle haystack'", false],
  ['sharedWithMe', false],
  ['not sharedWithMe', true],
  ["sharedWithMe and name contains 'plan'", false],
  ["(sharedWithMe) or name contains 'plan'", true],
  ["name contains 'plan' AND NOT sharedWithMe", true],
  ["'labels/label' in labels", true],
  ['labels/label.note IS NULL', false],
  ['labels/label.note is not null', true],
  ['labels/label.other IS NULL', true],
  ['labels/elsewhere.note IS NULL', true],
  ["labels/label.note = 'hello there'", true],
  ["labels/label.note contains 'there'", true],
  ["labels/label.note STARTS WITH 'hello'", true],
  ["labels/label.note STARTS WITH 'there'", false],
  ['labels/label.amount < 0', true],
  ['labels/label.amount = -20', true],
  ['labels/label.amount >= 0', false],
  ["labels/label.due < '2026-06-23'", true],
  ["labels/label.due != '2026-06-22'", false],
  ["labels/label.status = 'executed'", true],
  ["labels/label.status != 'executed'", false],
  ["labels/label.other != 'executed'", false],
  ["labels/label.client = 'alex@example.com'", true],
  ["'blue' IN labels/label.tags", true],
  ["NOT 'blue' IN labels/label.tags", false],
  ["'green' not in labels/label.tags", true],
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
  "properties has { key='a' }",
  "properties has { value='a' and key='b' }",
  'sharedWithMe name',
  "sharedWithMe 'x'",
  'trashed',
  'labels/label.note IS',
  'labels/label.note IS NOT',
  'labels/label is null',
])('calls %j malformed', (q) => {
  expect(() => parseSearch(q)).toThrow(SearchSyntaxError);
});

test.each([
  "visibility = 'everybody'",
  "properties = 'x'",
  "labels has { key='a' and value='b' }",
  'memberCount > 1',
  "colour = 'red'",
  "name > 'x'",
  'name = true',
  "trashed = 'no'",
  "'x' in colours",
  "modifiedTime > 'soon'",
  'name IS NULL',
  "labels/label.note != 'hello'",
  'labels/label.note > 1',
  "labels/label.amount = 'many'",
  "labels/label.status contains 'exe'",
  "labels/label.tags = 'red'",
  "'hello' in labels/label.note",
  'labels/label.other = true',
])('refuses %j although it is well formed', (q) => {
  expect(() => matchesSearch(FILE, parseSearch(q), CONTEXT)).toThrow(SearchSyntaxError);
});

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

test.each([
  ['brackets', `${'('.repeat(50_000)}trashed = false${')'.repeat(50_000)}`],
  ['brackets that never close', '('.repeat(50_000)],
  ['not', `${'not '.repeat(50_000)}trashed = false`],
  ['terms', Array.from({ length: 20_000 }, () => 'trashed = false').join(' or ')],
])('DS-10: a search with tens of thousands of %s is refused as one that is not well formed', (_, q) => {
  expect(() => parseSearch(q)).toThrow(SearchSyntaxError);
});

test('DS-10: a hundred terms and brackets ten deep are searched for', () => {
  const terms = Array.from({ length: 100 }, () => 'trashed = false').join(' and ');
  expect(parseSearch(`${'('.repeat(10)}${terms}${')'.repeat(10)}`).kind).toBe('and');
});

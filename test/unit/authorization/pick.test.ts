import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reachesPickedOnly, readPickedIds } from '../../../lambdas/gateway/authorization/pick.rules.ts';
import { anyText } from '../../support/any-text.ts';
import { googleCalendar, googleDrive } from '../support/google.ts';

const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'];
const fileId = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 10, maxLength: 200 });
const given = (value: string) => readPickedIds([['picked_file_ids', value]]);

describe('the ids of a pick', () => {
  test('PK-12: up to 500 ids come through as they are, in order, without repeats', () => {
    fc.assert(
      fc.property(fc.array(fileId, { minLength: 1, maxLength: 500 }), (ids) => {
        expect(given(ids.join(','))).toEqual({ kind: 'ids', ids: [...new Set(ids)] });
      }),
      { numRuns: 50 },
    );
  });

  test('PK-12: whatever comes, only whole ids come out, and no message repeats what was sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), anyText(), fc.array(fileId).map(String)), (value) => {
        const read = given(value);
        if (read.kind === 'malformed') {
          if (value.length > 20) expect(read.message).not.toContain(value);
          return;
        }
        expect(read.ids.length).toBeLessThanOrEqual(500);
        for (const id of read.ids) expect(id).toMatch(/^[A-Za-z0-9_-]{10,200}$/);
        expect([...new Set(value.split(','))].filter((id) => id !== '')).toEqual(read.ids);
      }),
    );
  });

  test('PK-12: one id that is none spoils the list', () => {
    fc.assert(
      fc.property(
        fc.array(fileId, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        fc.constantFrom(
          '',
          'short',
          'a'.repeat(201),
          '../../about',
          'abc def ghi jkl',
          'abcdefghij%2f',
          'ábcdefghij',
          'abcdefghij\n',
        ),
        (ids, at, wrong) => {
          const place = at % (ids.length + 1);
          expect(given([...ids.slice(0, place), wrong, ...ids.slice(place)].join(',')).kind).toBe('malformed');
        },
      ),
    );
  });

  test('PK-12: 501 are too many, and a parameter that comes twice is none', () => {
    expect(given(Array.from({ length: 501 }, (_, i) => `file-number-${i}`).join()).kind).toBe('malformed');
    const pair = ['picked_file_ids', 'file-number-1'] as const;
    expect(readPickedIds([pair, pair]).kind).toBe('malformed');
  });

  test('PK-14: absent and empty mean that nothing was picked', () => {
    expect(readPickedIds([['code', 'x']])).toEqual({ kind: 'ids', ids: [] });
    expect(given('')).toEqual({ kind: 'ids', ids: [] });
  });
});

test.each([
  [['drive.file'], true],
  [['openid', 'email', 'drive.file'], true],
  [['drive.file', 'drive.readonly'], false],
  [['drive.file', 'drive.appdata'], false],
  [['openid', 'email'], false],
  [[], false],
])('PK-15: a grant of %j reaches picked files only: %s', (names, expected) => {
  const scopes = names.map((name) => (name.includes('.') ? `https://www.googleapis.com/auth/${name}` : name));
  expect(reachesPickedOnly(googleDrive, scopes)).toBe(expected);
  expect(reachesPickedOnly(googleCalendar, scopes)).toBe(false);
});

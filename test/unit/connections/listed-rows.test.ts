import { describe, expect, it, test } from 'vitest';
import type { ConnectionFilter } from '../../../lambdas/gateway/connections/connection.rules.ts';
import {
  deadRowsOf,
  type ListedSubject,
  listedRowsOf,
  listsOf,
  nameOfPlace,
  placeOfName,
} from '../../../lambdas/gateway/connections/index-rows.rules.ts';
import { LISTED_NAME_MAX_LENGTH } from '../../../lambdas/gateway/core/limits.ts';
import { connection } from '../support/connection.ts';

const organization = { id: 'acme', displayName: null };
const endUser = { id: 'user-17', email: null, displayName: 'Bob Brówn', tags: null, organization };
const callFault = { status: 403, reason: 'domainPolicy', sinceEpochSec: 1 };
const dead = { status: 'reauthorization_required', cause: 'user_revoked' } as const;

/** Rows of a connection, as `kind value place`. */
const rows = (fields: Partial<ListedSubject>) =>
  shown(listedRowsOf({ ...connection(), cause: undefined, position: 'P', ...fields }));
const shown = (listed: ReturnType<typeof listedRowsOf>) =>
  listed.map(({ list, place }) => `${list.kind} ${list.value} ${place}`);

describe('the lists that a connection is in', () => {
  const integration = 'INTEGRATION drive P';
  const ofAccount = 'DEAD_ACCOUNT 1 P';
  const byName = 'NAME  first.user@example.com\t0000000000000001';

  test.each([
    ['of one that says nothing else: its integration and all by name', {}, [integration, byName]],
    [
      'of an end user: the user’s and the organization’s too',
      { endUser },
      [integration, 'END_USER user-17 P', 'ORGANIZATION acme P', 'NAME  bob brown\t0000000000000001'],
    ],
    [
      'of an end user without an organization',
      { endUser: { ...endUser, organization: null } },
      [integration, 'END_USER user-17 P', 'NAME  bob brown\t0000000000000001'],
    ],
    ['of tags: one each', { tags: { a: '1', b: '' } }, [integration, 'TAG a=1 P', 'TAG b= P', byName]],
    [
      'of a dead one: the dead and its cause',
      dead,
      [integration, 'DEAD  P', 'CAUSE user_revoked P', ofAccount, byName],
    ],
    ['of a dead one without a known cause', { ...dead, cause: undefined }, [integration, 'DEAD  P', ofAccount, byName]],
    ['of one whose calls are refused', { callFault }, [integration, 'FAILING  P', byName]],
    [
      'RI-14: of one whose token may be named: by each way to name it',
      { tokenPrints: 'one two' },
      [integration, 'TOKEN one P', 'TOKEN two P', byName],
    ],
    ['of a deleted one: none', { endUser, tags: { a: '1' }, tokenPrints: 'one two', status: 'deleted' }, []],
  ] as const)('%s', (_, fields, expected) => {
    expect(rows(fields)).toEqual(expected);
  });

  it('the lists that a connection is in are three more once it is dead, or fewer where no cause or no account is known', () => {
    expect(shown(deadRowsOf('user_revoked', 'P', '1'))).toEqual([
      'DEAD  P',
      'CAUSE user_revoked P',
      'DEAD_ACCOUNT 1 P',
    ]);
    expect(shown(deadRowsOf('user_revoked', 'P'))).toEqual(['DEAD  P', 'CAUSE user_revoked P']);
    expect(shown(deadRowsOf(undefined, 'P'))).toEqual(['DEAD  P']);
  });
});

describe('the lists that a filter is answered from', () => {
  const user = { endUserId: 'u' };
  const org = { organizationId: 'o' };
  const cause = { cause: 'c' };
  const tag = { tags: { a: '1' } };
  const needs = { status: 'reauthorization_required' };
  const active = { status: 'active' };
  const failing = { isFailing: true };
  const one = { connectionId: 'x' };
  const of = { integrationIds: ['i', 'j'] };
  // Some connections name their end user only in a tag, and a tag may name somebody else.
  const OF_USER = 'END_USER u, TAG end_user_id=u';
  const IN_BOTH = 'INTEGRATION i, INTEGRATION j';

  // "all" means that the list holds nothing else, so that its length is the answer to how many there are.
  test.each<[ConnectionFilter, string | undefined]>([
    [{}, undefined],
    [{ tags: {} }, undefined],
    [active, undefined],
    [one, undefined],
    [{ isFailing: false }, undefined],
    [{ ...active, ...cause }, undefined],

    [of, `all ${IN_BOTH}`],
    [{ ...of, ...active }, IN_BOTH],
    [{ ...of, ...active, ...cause }, IN_BOTH],
    [{ ...of, ...one }, IN_BOTH],
    [{ ...of, isFailing: false }, IN_BOTH],
    [{ integrationIds: [] }, 'all '],

    [user, OF_USER],
    [{ ...user, ...of }, OF_USER],
    [{ ...user, ...org }, OF_USER],
    [{ ...user, ...cause }, OF_USER],
    [{ ...user, ...needs }, OF_USER],
    [{ ...user, ...tag }, OF_USER],
    [{ ...user, ...failing }, OF_USER],
    [{ ...user, ...one }, OF_USER],

    [cause, 'all CAUSE c'],
    [{ ...cause, ...needs }, 'all CAUSE c'],
    [{ ...cause, ...of }, 'all CAUSE c'],
    [{ ...cause, ...org }, 'CAUSE c'],
    [{ ...cause, ...tag }, 'CAUSE c'],
    [{ ...cause, ...failing }, 'CAUSE c'],

    [org, 'all ORGANIZATION o'],
    [{ ...org, ...of }, 'all ORGANIZATION o'],
    [{ ...org, ...needs }, 'ORGANIZATION o'],
    [{ ...org, ...tag }, 'ORGANIZATION o'],
    [{ ...org, ...failing }, 'ORGANIZATION o'],
    [{ ...org, ...active, ...cause }, 'ORGANIZATION o'],

    [failing, 'FAILING '],
    [{ ...failing, ...tag, ...needs, ...of }, 'FAILING '],

    [tag, 'all TAG a=1'],
    [{ ...tag, ...of }, 'all TAG a=1'],
    [{ tags: { a: '1', b: '2' } }, 'TAG a=1'],
    [{ ...tag, ...needs }, 'TAG a=1'],
    [{ ...tag, ...active, ...cause }, 'TAG a=1'],
    [{ ...tag, isFailing: false }, 'TAG a=1'],

    [needs, 'all DEAD '],
    [{ ...needs, ...of }, 'all DEAD '],
    [{ ...needs, ...one }, 'DEAD '],
  ])('of %j: %s', (filter, expected) => {
    const found = listsOf(filter);
    const lists = found?.lists.map(({ kind, value }) => `${kind} ${value}`).join(', ');
    expect(found && `${found.isExact ? 'all ' : ''}${lists}`).toBe(expected);
  });
});

describe('a place in the order by name', () => {
  test('a place in the order by name is text that can be stored, where the limit cuts a character in two, too', () => {
    const place = placeOfName([`${'x'.repeat(LISTED_NAME_MAX_LENGTH - 1)}😀`, '0007']);
    expect([place.isWellFormed(), nameOfPlace(place)[1]]).toEqual([true, '0007']);
  });

  it('a place in the order by name is read back as it was, a long name as far as it is kept', () => {
    expect(nameOfPlace(placeOfName(['bob brown', '0007']))).toEqual(['bob brown', '0007']);
    const long = 'x'.repeat(LISTED_NAME_MAX_LENGTH + 1);
    expect(nameOfPlace(placeOfName([long, '0007']))).toEqual([long.slice(1), '0007']);
  });

  it('comes before longer names that begin with it', () => {
    const names = ['bob', 'bob brown', 'bobby'];
    expect(
      names
        .map((name) => placeOfName([name, '9']))
        .toSorted()
        .map(nameOfPlace),
    ).toEqual(names.map((name) => [name, '9']));
  });
});

import { describe, expect, it } from 'vitest';
import { fake } from '../../../dev/support/fake.ts';
import { lineOf, readLine, subjectLineOf } from '../../../packages/cli/move/moved-connection.ts';
import type { Connection } from '../../../packages/client/src/index.ts';

const CONNECTION = fake<Connection>({
  providerConfigKey: 'drive',
  connectionId: 'user-17',
  endUser: { id: 'user-17', email: 'user-17@example.com', organization: { id: 'org-1', displayName: 'One' } },
  tags: { end_user_id: 'user-17', organization_id: 'org-1', end_user_region: 'north', plan: 'team' },
  metadata: { folder: 'reports' },
  consentedAt: '2026-10-01T00:00:00.000Z',
  credentials: { accessToken: 'a', expiresAt: '2026-10-01T01:00:00.000Z', refreshToken: '1//r' },
});

/** A line that could be read but for some members. */
const lineWith = (more: object) =>
  JSON.stringify({ provider_config_key: 'a', connection_id: 'b', credentials: { refresh_token: 'c' }, ...more });

describe('a line of an export', () => {
  it('a line of an export is read back as the connection, without the tags that repeat the end user', () => {
    const read = readLine(lineOf(CONNECTION) ?? '');
    expect(read).toEqual({
      connection: {
        providerConfigKey: 'drive',
        connectionId: 'user-17',
        refreshToken: '1//r',
        consentedAt: '2026-10-01T00:00:00.000Z',
        endUser: { id: 'user-17', email: 'user-17@example.com' },
        organization: { id: 'org-1', displayName: 'One' },
        tags: { end_user_region: 'north', plan: 'team' },
        metadata: { folder: 'reports' },
      },
    });
  });

  it('a line of an export of a service account’s user holds the user and no token, and is read back', () => {
    const of = { ...CONNECTION, providerAccount: { subject: 'u@example.com', email: 'u@example.com' } };
    const line = subjectLineOf(of) ?? '';
    expect(line).not.toMatch(/token|connection_id/);
    expect(readLine(line)).toMatchObject({
      connection: {
        providerConfigKey: 'drive',
        subject: 'u@example.com',
        endUser: { id: 'user-17' },
        tags: { plan: 'team' },
      },
    });
    expect(subjectLineOf({ ...CONNECTION, providerAccount: undefined })).toBeUndefined();
    expect(readLine('{"provider_config_key":"a","subject":7}')).toEqual({ problems: ['subject must be a string'] });
  });

  it('holds no access token, and is none without a refresh token', () => {
    expect(lineOf(CONNECTION)).not.toMatch(/access_token|"a"/);
    expect(lineOf({ ...CONNECTION, credentials: undefined })).toBeUndefined();
  });

  it.each([
    ['nothing', '', ['is not valid JSON']],
    ['a list', '[]', ['is not a JSON object']],
    ['no names', '{}', ['provider_config_key', 'connection_id', 'credentials.refresh_token']],
    ['another kind', lineWith({ credentials: { type: 'BASIC', refresh_token: 'c' } }), ['credentials.type']],
    ['wrong tags', lineWith({ tags: { n: 1 } }), ['tags.n']],
    ['a nameless user', lineWith({ end_user: {} }), ['end_user.id']],
  ])('a line of an export with %s is refused with every problem', (_, line, expected) => {
    const read = readLine(line);
    const problems = 'problems' in read ? read.problems : [];
    expect(problems).toHaveLength(expected.length);
    for (const [i, start] of expected.entries()) expect(problems[i]?.startsWith(start)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import {
  type AppFacts,
  scopeNotices,
  shortScope,
  strictestClass,
} from '../../../packages/dashboard/src/model/scopes.ts';

const CATALOGUE = [
  { scope: 'email', reviewClass: 'non-sensitive', meaning: '' },
  { scope: 'calendar', reviewClass: 'sensitive', meaning: '' },
  { scope: 'drive', reviewClass: 'restricted', meaning: '' },
  { scope: 'drive.file', reviewClass: 'non-sensitive', meaning: '' },
];
const APP: AppFacts = { audience: 'external', publishingStatus: 'production', usesTestCredentials: false };

const texts = (chosen: readonly string[], app: AppFacts) =>
  scopeNotices(chosen, CATALOGUE, app)
    .map(({ text }) => text)
    .join('\n');

describe('a choice of scopes', () => {
  it.each([
    ['non-sensitive', ['email']],
    ['sensitive', ['email', 'calendar']],
    ['restricted', ['email', 'drive', 'calendar']],
    ['restricted', ['unknown']],
  ])('a choice of scopes is %s as its strictest scope is: %j', (level, chosen) => {
    expect(strictestClass(chosen, CATALOGUE)).toBe(level);
  });

  it.each<[claim: string, chosen: string[], told: RegExp, others: string[][]]>([
    ['of restricted scopes announces the yearly assessment', ['drive'], /CASA/, [['calendar']]],
    [
      'of restricted scopes names drive.file with the picker',
      ['drive'],
      /drive\.file alone needs neither/,
      [['calendar']],
    ],
    [
      'of drive.file says how users select files',
      ['email', 'drive.file'],
      /sessions with pick/,
      [['drive', 'drive.file'], ['email']],
    ],
    ['of sensitive scopes announces the verification', ['calendar'], /verifies the app/, [['email']]],
  ])('%s', (_claim, chosen, told, others) => {
    expect(texts(chosen, APP)).toMatch(told);
    for (const other of others) expect(texts(other, APP)).not.toMatch(told);
  });

  it('a choice of scopes of an app in Testing announces the seven days, except for sign-in alone', () => {
    expect(texts(['calendar'], { ...APP, publishingStatus: 'testing' })).toContain('seven days');
    expect(texts(['email'], { ...APP, publishingStatus: 'testing' })).not.toContain('seven days');
  });

  it('a choice of scopes of an internal app needs nothing', () => {
    expect(texts(['drive'], { ...APP, audience: 'internal', publishingStatus: 'testing' })).toMatch(/no review/);
  });

  it('a choice of scopes must not be empty', () => {
    expect(scopeNotices([], CATALOGUE, APP)).toEqual([{ severity: 'info', text: 'Choose at least one scope.' }]);
  });

  it('a choice of scopes is written in short', () => {
    expect(shortScope('https://www.googleapis.com/auth/drive.readonly')).toBe('drive.readonly');
    expect(shortScope('openid')).toBe('openid');
  });
});

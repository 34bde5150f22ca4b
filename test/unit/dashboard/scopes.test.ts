import { describe, expect, it } from 'vitest';
import { type AppFacts, scopeNotices, shortScope, strictestClass } from '../../../dashboard/src/model/scopes.ts';

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
  it('is as strict as its strictest scope', () => {
    expect(strictestClass(['email'], CATALOGUE)).toBe('non-sensitive');
    expect(strictestClass(['email', 'calendar'], CATALOGUE)).toBe('sensitive');
    expect(strictestClass(['email', 'drive', 'calendar'], CATALOGUE)).toBe('restricted');
  });

  it('counts as restricted when a scope is unknown', () => {
    expect(strictestClass(['something'], CATALOGUE)).toBe('restricted');
  });

  it('of restricted scopes announces the yearly assessment', () => {
    expect(texts(['drive'], APP)).toContain('CASA');
  });

  it('of restricted scopes names drive.file with the picker, which needs no review', () => {
    expect(texts(['drive'], APP)).toContain('drive.file alone needs neither');
    expect(texts(['calendar'], APP)).not.toContain('drive.file');
  });

  it('of drive.file says which files it reaches and how users select them', () => {
    expect(texts(['email', 'drive.file'], APP)).toContain('sessions with pick');
    expect(texts(['drive', 'drive.file'], APP)).not.toContain('sessions with pick');
    expect(texts(['email'], APP)).not.toContain('picker');
  });

  it('of sensitive scopes announces the verification', () => {
    expect(texts(['calendar'], APP)).toMatch(/verifies the app/);
    expect(texts(['calendar'], APP)).not.toContain('CASA');
  });

  it('of an app in Testing announces the seven days, except for sign-in alone', () => {
    expect(texts(['calendar'], { ...APP, publishingStatus: 'testing' })).toContain('seven days');
    expect(texts(['email'], { ...APP, publishingStatus: 'testing' })).not.toContain('seven days');
  });

  it('of an internal app needs nothing', () => {
    expect(texts(['drive'], { ...APP, audience: 'internal', publishingStatus: 'testing' })).toMatch(/no review/);
  });

  it('must not be empty', () => {
    expect(scopeNotices([], CATALOGUE, APP)).toEqual([{ severity: 'warning', text: 'Choose at least one scope.' }]);
  });

  it('is written in short', () => {
    expect(shortScope('https://www.googleapis.com/auth/drive.readonly')).toBe('drive.readonly');
    expect(shortScope('openid')).toBe('openid');
  });
});

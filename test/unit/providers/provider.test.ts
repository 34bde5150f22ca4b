import { describe, expect, it } from 'vitest';
import { provider as drive } from '../../../lambdas/gateway/providers/google-drive/provider.ts';
import { isProviderId, PROVIDER_IDS } from '../../../lambdas/gateway/providers/provider.rules.ts';
import { METHODS } from '../../../packages/simulator/api/method-table.ts';

describe('providers', () => {
  it('providers are those that are known by name', () => {
    expect(PROVIDER_IDS.every(isProviderId)).toBe(true);
    expect(['google-drive', 'google-calendar', 'google', ''].map(isProviderId)).toEqual([true, true, false, false]);
  });
});

describe('CH-27: a call of Drive that files of shared drives are hidden from', () => {
  const isHinted = (target: string) => drive.missesWithout?.calls.test(target);
  const takesParameter = new Set(
    METHODS.drive
      .filter(({ parameters }) => parameters.some(({ name }) => name === 'supportsAllDrives'))
      .map(({ id }) => id),
  );

  it.each(METHODS.drive.map(({ id, path }) => [id, path]))(
    'a call of Drive that files of shared drives are hidden from is distinguished from the others: %s',
    (id = '', path = '') => {
      const called = path.replaceAll(/\{\w+\}/g, '1aB-_9');
      for (const prefix of ['/drive/v3/', '/upload/drive/v3/', '/resumable/upload/drive/v3/', '/download/drive/v3/']) {
        for (const query of ['', '?', '?fields=id&supportsAllDrives=false', '?supportsAllDrives=trueish']) {
          expect(isHinted(prefix + called + query), prefix + called + query).toBe(takesParameter.has(id));
        }
        for (const query of [
          '?supportsAllDrives=true',
          '?fields=id&supportsTeamDrives=true&alt=json',
          '??supportsAllDrives=true',
        ]) {
          expect(isHinted(prefix + called + query), query).toBe(false);
        }
      }
    },
  );

  it('a call of Drive that files of shared drives are hidden from is none of the batch endpoint or of another API', () => {
    for (const target of [
      '/batch/drive/v3',
      '/v2/activity:query?',
      '/calendar/v3/calendars/files',
      '/drive/v3/filesystem',
    ])
      expect(isHinted(target), target).toBe(false);
  });
});

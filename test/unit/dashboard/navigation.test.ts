import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FEATURE_IDS } from '../../../lambdas/features/index.ts';
import { FEATURE_IDS as SHOWN_IDS } from '../../../packages/dashboard/src/features/ids.ts';
import { FEATURES } from '../../../packages/dashboard/src/features/index.ts';
import { FIRST_STEPS, isPartOf, NAVIGATION, navigationOf } from '../../../packages/dashboard/src/model/navigation.ts';

const ENTRIES = [...NAVIGATION.flatMap(({ entries }) => entries), FIRST_STEPS];
const SOURCES = join(import.meta.dirname, '../../../packages/dashboard/src');
const APP = readFileSync(join(SOURCES, 'app.tsx'), 'utf8');

const litAt = (pathname: string) => ENTRIES.filter((entry) => isPartOf(pathname, entry)).map(({ name }) => name);

describe('the navigation of the dashboard', () => {
  it('lights exactly one entry on every page that there is', () => {
    const ofCore = [...APP.matchAll(/<Route path="(\/[^"]*)"/g)].map(([, path = '']) => path);
    const ofFeatures = Object.values(FEATURES).flatMap(({ pages = [] }) => pages.map(({ path }) => path));
    const paths = [...ofCore, ...ofFeatures].map((path) => path.replace(/:\w+/g, 'x'));
    expect(paths.length).toBeGreaterThan(15);
    expect(paths.filter((path) => litAt(path).length !== 1)).toEqual([]);
  });

  it('has the entries of features at their places', () => {
    const sections = NAVIGATION.map(({ heading = '', entries }) => [heading, ...entries.map(({ name }) => name)]);
    expect(sections).toEqual([
      ['', 'Overview', 'Connections', 'Integrations'],
      ['Activity', 'Failed calls', 'Feeds', 'Webhooks', 'Audit'],
      ['Agents', 'Approvals', 'Agent keys'],
      ['', 'Keys'],
    ]);
  });

  it.each([
    ['/', 'Overview'],
    ['/connections/google-drive/one', 'Connections'],
    ['/reconnect-links', 'Connections'],
    ['/new-integration', 'Integrations'],
    ['/integrations/new-integration', 'Integrations'],
    ['/webhooks/wh_1', 'Webhooks'],
    ['/approvals/apr_1', 'Approvals'],
    ['/keys', 'Keys'],
  ])('lights at %s the entry %s', (path, name) => {
    expect(litAt(path)).toEqual([name]);
  });

  it.each([
    [[], []],
    [['webhooks'], ['Webhooks']],
    [['agents', 'approvals'], ['Approvals']],
    [['feeds'], ['Feeds']],
    [[...FEATURE_IDS], ['Feeds', 'Webhooks', 'Approvals', 'Agent keys']],
  ])('the navigation of a deployment without %j leaves out %j', (without, gone) => {
    const shown = navigationOf(new Set(without));
    const names = shown.flatMap(({ entries }) => entries).map(({ name }) => name);
    expect(
      NAVIGATION.flatMap(({ entries }) => entries)
        .map(({ name }) => name)
        .filter((name) => !names.includes(name)),
    ).toEqual(gone);
    expect(shown.every(({ entries }) => entries.length > 0)).toBe(true);
  });

  it('the dashboard knows every feature that a deployment can leave out', () => {
    expect(SHOWN_IDS).toEqual(expect.arrayContaining([...FEATURE_IDS]));
  });

  it.each(Object.entries(FEATURES))('every path of %s has its page', (id, { pages = [] }) => {
    const code = readFileSync(join(SOURCES, `features/${id}/pages.ts`), 'utf8');
    const paths = [...code.matchAll(/'(\/[^']*)':/g)].map(([, path]) => path);
    expect(paths).toEqual(pages.map(({ path }) => path));
  });

  it('lights none where there is no page', () => {
    expect(litAt('/keysmith')).toEqual([]);
  });
});

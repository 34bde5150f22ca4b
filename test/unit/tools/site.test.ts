import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anchorOf, isPage, sidebar, siteFile, siteLink } from '../../../dev/site/pages.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';

describe('the static site of the documents', () => {
  it('the static site of the documents has every page of docs in its sidebar, once, by its title', () => {
    const links = sidebar().flatMap(({ items }) => items.map(({ link }) => `${link.slice(1)}.md`));
    const pages = globSync('docs/*.md', { cwd: PROJECT_ROOT }).filter((page) => page !== 'docs/README.md');
    expect(links.toSorted()).toEqual(pages.toSorted());
    expect(sidebar().map(({ text }) => text)).toEqual(['Decide', 'Start', 'Build', 'Run']);
    expect(sidebar()[1]?.items[0]).toEqual({ text: 'Quick start', link: '/docs/first-call' });
  });

  it('the static site of the documents has documents for users and contributors, and none of a dependency or a fixture', () => {
    for (const path of ['README.md', 'docs/costs.md', 'contributing/decisions/README.md', 'packages/client/README.md'])
      expect(isPage(path), path).toBe(true);
    for (const path of ['node_modules/zod/README.md', 'dev/site/node_modules/vue/README.md', 'test/fixtures/a.md'])
      expect(isPage(path), path).toBe(false);
  });

  it('shows a README as the page of its folder', () => {
    expect(siteFile('packages/client/README.md')).toBe('packages/client/index.md');
    expect(siteFile('README.md')).toBe('index.md');
    expect(siteFile('docs/NOREADME.md')).toBe('docs/NOREADME.md');
  });

  it.each([
    ['docs/costs.md', 'limits.md#memory', 'limits.md#memory'],
    ['docs/costs.md', '../packages/client/README.md#calls', '../packages/client/index.md#calls'],
    ['docs/costs.md', 'images/architecture.svg', 'images/architecture.svg'],
    ['docs/costs.md', '#prices', '#prices'],
    ['docs/costs.md', 'https://example.com/a.ts', 'https://example.com/a.ts'],
    ['docs/from-nango.md', '../test/integration/clients/nango-suite.ts', undefined],
    ['README.md', 'LICENSE', undefined],
  ])('%s: a link to %s leads to %s', (from, target, link) => {
    expect(siteLink(from, target)).toBe(link);
  });

  it('gives headings the anchors that links in the documents use', () => {
    expect(anchorOf('7. When a call fails')).toBe('7-when-a-call-fails');
    expect(anchorOf('The [proxy](calls.md): what’s kept?')).toBe('the-proxy-whats-kept');
  });
});

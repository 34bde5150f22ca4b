/** The static site of the documents, which `npm run docs` builds. */
import { globSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { PROJECT_ROOT } from '../../tools/run.ts';
import { anchorOf, isPage, sidebar, siteFile, siteLink } from '../pages.ts';

const documents = globSync('**/*.md', { cwd: PROJECT_ROOT, exclude: ['**/node_modules', '**/dist', '**/cdk.out*'] });

export default defineConfig({
  title: 'Integration gateway',
  description: 'A self-hosted OAuth gateway for Google Drive and Google Calendar, in your own AWS account.',
  srcDir: PROJECT_ROOT,
  srcExclude: ['**/dist/**', ...documents.filter((path) => !isPage(path))],
  outDir: `${PROJECT_ROOT}/dist/site`,
  cacheDir: `${PROJECT_ROOT}/dist/site-cache`,
  rewrites: Object.fromEntries(documents.filter(isPage).map((path) => [path, siteFile(path)])),
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Quick start', link: '/docs/first-call' },
      { text: 'Documents', link: '/docs/' },
      { text: 'Contributing', link: '/contributing/' },
    ],
    sidebar: sidebar().map(({ text, items }) => ({ text, items: [...items] })),
    outline: [2, 3],
  },
  markdown: {
    anchor: { slugify: anchorOf },
    config(md) {
      md.core.ruler.push('links-of-the-site', ({ tokens, env }) => {
        const from = String(env.relativePath).replace(/(^|\/)index\.md$/, '$1README.md');
        for (const { children } of tokens) {
          // A link to code is its text alone: the site has no code.
          let inCode = false;
          for (const token of children ?? []) {
            if (token.type === 'link_open') {
              const link = siteLink(from, token.attrGet('href') ?? '');
              inCode = link === undefined;
              if (link !== undefined) token.attrSet('href', link);
            }
            if (inCode && token.type.startsWith('link_')) {
              inCode = token.type === 'link_open';
              Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '' });
            }
          }
        }
      });
    },
  },
});

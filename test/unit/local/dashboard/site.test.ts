import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { safePath, siteFile } from '../../../../dev/local/dashboard/site.ts';
import { isStale } from '../../../../dev/tools/dashboard-build.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe('the files of the dashboard', () => {
  beforeEach(() => {
    write('site/index.html', 'the page');
    write('site/assets/index-1a2b.js', 'the script');
    write('site/.vite/manifest.json', 'the manifest');
    write('secret.txt', 'a secret');
  });
  const file = async (path: string) => {
    const found = await siteFile(join(folder, 'site'), path);
    return typeof found === 'object' ? { ...found, body: found.body.toString() } : found;
  };

  it('the files of the dashboard are served with their type; hashed names are kept for good', async () => {
    expect(await file('/assets/index-1a2b.js')).toEqual({
      path: 'assets/index-1a2b.js',
      body: 'the script',
      contentType: 'text/javascript; charset=utf-8',
      cacheControl: 'public, max-age=31536000, immutable',
    });
  });

  it.each(['/', '/index.html', '/connections/c1', '/connections/first.user@example.com', '/assets', '/../secret.txt'])(
    'the files of the dashboard answer %s with the page, which nobody keeps',
    async (path) => {
      const page = { body: 'the page', contentType: 'text/html; charset=utf-8', cacheControl: 'no-store' };
      expect(await file(path)).toMatchObject(page);
    },
  );

  const outside = ['/assets/..%2f..%2fsecret.txt', '/..%5csecret.txt', '/%2e%2e%2fsecret.txt', '/secret.txt%00.js'];
  it.each(['/assets/', '/assets/gone.js', '/assets/%', '/assets/.hidden.js', '/robots.txt', ...outside])(
    'the files of the dashboard do not answer %s, which names none of them',
    async (path) => {
      expect(await file(path)).toBe('missing');
    },
  );

  it('the files of the dashboard are missing before the first build', async () => {
    expect(await siteFile(join(folder, 'nothing'), '/')).toBeUndefined();
  });

  it('never lead out of their folder', () => {
    const parts = fc.array(fc.constantFrom('..', '%2e%2e', '/', '%2f', '\\', '%5c', 'a', '.js', '%00', '.'));
    fc.assert(
      fc.property(parts, (some) => {
        const path = safePath(`/${some.join('')}`);
        return path === undefined || join('/root', path).startsWith('/root/');
      }),
    );
  });
});

describe('a build', () => {
  it('a build is due when there is none, and when a source is younger', () => {
    write('packages/dashboard/src/main.ts', '1');
    expect(isStale(folder)).toBe(true);
    write('packages/dashboard/dist/index.html', 'built');
    expect(isStale(folder)).toBe(false);
    const { mtimeMs } = statSync(join(folder, 'packages/dashboard/dist/index.html'));
    write('packages/client/src/index.ts', '2');
    const laterSec = mtimeMs / 1000 + 1;
    utimesSync(join(folder, 'packages/client/src/index.ts'), laterSec, laterSec);
    expect(isStale(folder)).toBe(true);
  });
});

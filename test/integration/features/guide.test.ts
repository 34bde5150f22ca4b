// @module-tag long
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { type CopiedGateway, copyWith, type ProjectCopy, startCopy } from '../../support/other-providers.ts';

const GUIDE = readFileSync(join(PROJECT_ROOT, 'CONTRIBUTING.md'), 'utf8');

/** Files that the guide shows, by their paths: blocks in a list, indented by three. */
const FILES = [...GUIDE.matchAll(/^ {3}```ts (lambdas\/features\/\S+)\n([\s\S]*?)^ {3}```$/gm)].map(
  ([, path = '', text = '']) => ({ path, text: text.replaceAll(/^ {3}/gm, '') }),
);

describe('the feature of the guide in CONTRIBUTING.md', { timeout: 600_000 }, () => {
  let copy: ProjectCopy;
  let gateway: CopiedGateway;
  beforeAll(async () => {
    copy = copyWith((root) => {
      for (const { path, text } of FILES) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    });
    gateway = await startCopy(copy);
  }, 600_000);
  afterAll(async () => {
    await gateway?.close();
    copy?.remove();
  });

  test('the feature of the guide in CONTRIBUTING.md has about 60 lines in three files', () => {
    expect(FILES).toHaveLength(3);
    expect(FILES.flatMap(({ text }) => text.trimEnd().split('\n')).length).toBeLessThanOrEqual(66);
  });

  test('changes no other file by hand: what differs is generated', () => {
    expect(copy.changed.filter((path) => path.startsWith('lambdas/'))).toEqual([
      'lambdas/features/index.ts',
      'lambdas/features/routes.ts',
    ]);
    expect(copy.run('dev/tools/generate.ts', '--check')).toBe('');
  });

  test('compiles with the functions and the stack', () => {
    const config = { extends: './tsconfig.json', include: ['lambdas', 'lib', 'bin'] };
    writeFileSync(join(copy.root, 'tsconfig.copy.json'), JSON.stringify(config));
    const compiler = 'node_modules/typescript/bin/tsc';
    expect(copy.run(compiler, '--noEmit', '--singleThreaded', '-p', 'tsconfig.copy.json')).toBe('');
  });

  test('runs in a gateway that has its routes, its rights and its place in the API document', async () => {
    const { text } = await noteAfter('GET');
    expect(text).toBe('');
    expect(await noteAfter('PUT', { text: 'The domain moves on Friday.' })).toEqual({
      text: 'The domain moves on Friday.',
    });
    expect(await noteAfter('GET')).toEqual({ text: 'The domain moves on Friday.' });
    const document = await (await gateway.call('/openapi.json')).json();
    expect(Object.keys(document.paths['/note'])).toEqual(expect.arrayContaining(['get', 'put']));
  });

  async function noteAfter(method: string, body?: object): Promise<{ readonly text: string }> {
    const answer = await gateway.call('/note', {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()).data;
  }
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { FEATURES } from '../../../lambdas/features/index.ts';
import { MESSAGES } from '../../../lambdas/features/messages.ts';

const GUIDE = readFileSync(join(PROJECT_ROOT, 'CONTRIBUTING.md'), 'utf8');
const [, MAP = ''] = /<!-- not run: a map of folders -->\n```\n([\s\S]*?)```/.exec(GUIDE) ?? [];

/** Folders that the map lists below one of its folders. */
function listed(folder: string): string[] {
  const lines = MAP.split('\n');
  const after = lines.slice(lines.findIndex((line) => line.startsWith(folder)) + 1);
  const end = after.findIndex((line) => /^\S/.test(line));
  return after
    .slice(0, end < 0 ? undefined : end)
    .flatMap((line) => [...(/^ {2}(\S+\/(?:, \S+\/)*) /.exec(line)?.[1]?.split(', ') ?? [])])
    .map((name) => name.replace(/\/$/, ''));
}

function there(folder: string): string[] {
  return readdirSync(join(PROJECT_ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== 'dist')
    .map(({ name }) => name);
}

it.each(['lambdas/gateway/', 'lambdas/features/', 'packages/', 'dev/'])(
  'the map in CONTRIBUTING.md lists the folders of %s, each once, and no others',
  (folder) => {
    expect(listed(folder).toSorted()).toEqual(there(folder).toSorted());
  },
);

it.each(FEATURES.map((feature) => [feature.id, feature] as const))(
  'the sweeps of %s are functions of it, under its own id',
  (id, { functions, sweeps }) => {
    expect(functions).toEqual(expect.arrayContaining(Object.keys(sweeps)));
    for (const of of Object.values(sweeps)) expect(of).toBe(id);
  },
);

it.each(FEATURES.map(({ id, messagePaths }) => [id, messagePaths] as const))(
  'the path of messages of %s is in its data, by which a deployment has the function inbox',
  (id, messagePaths) => {
    const open = MESSAGES[id];
    const deps = JSON.parse('{"config":{},"table":{}}');
    expect(open === undefined ? [] : [open(deps).path]).toEqual(messagePaths);
  },
);

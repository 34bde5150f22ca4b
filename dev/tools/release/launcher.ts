/** What a program of a package starts with: a look at the Node that runs it, before anything that an old Node cannot read. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { PROJECT_ROOT } from '../run.ts';

/** A version of Node from which on a program runs, up to the next major version or without end. */
interface Range {
  readonly major: number;
  readonly minor: number;
  readonly isOpen: boolean;
}

/** The range of Nodes that a package promises, as in `^20.19.0 || >=22.12.0`. @throws Error for any other form */
export function engineRanges(engines: string): Range[] {
  return engines.split('||').map((part) => {
    const found = /^\s*(?<kind>\^|>=)(?<major>\d+)(?:\.(?<minor>\d+))?(?:\.0)?\s*$/.exec(part)?.groups;
    if (found === undefined) throw new Error(`"${part}" of engines "${engines}" is no ^X.Y.0 and no >=X.Y.0.`);
    return { major: Number(found.major), minor: Number(found.minor ?? 0), isOpen: found.kind === '>=' };
  });
}

/** The lowest Node of each range that a package promises, as `X.Y.0`. @param folder that of its `package.json` */
export function lowestNodes(folder: string): string[] {
  return engineRanges(enginesOf(folder)).map(({ major, minor }) => `${major}.${minor}.0`);
}

function enginesOf(folder: string): string {
  const text = readFileSync(join(PROJECT_ROOT, folder, 'package.json'), 'utf8');
  return z.looseObject({ engines: z.object({ node: z.string() }) }).parse(JSON.parse(text)).engines.node;
}

/**
 * The text of a program that ends with one sentence on a Node that is too old. It is ES5, which every Node reads; `import()`, which
 * Node 8 and older cannot read, is in a file of its own.
 *
 * @param name what the program is called
 * @param engines range of Nodes, as in `package.json`
 */
export function launcherText(name: string, engines: string): string {
  const ranges = engineRanges(engines);
  const conditions = ranges.map(({ major, minor, isOpen }) =>
    isOpen
      ? `major > ${major} || (major === ${major} && minor >= ${minor})`
      : `(major === ${major} && minor >= ${minor})`,
  );
  const words = ranges.map(({ major, minor, isOpen }) => `${major}.${minor}${isOpen ? ' or later' : ''}`).join(', ');
  return `#!/usr/bin/env node
'use strict';
var parts = process.versions.node.split('.');
var major = Number(parts[0]);
var minor = Number(parts[1]);
if (${conditions.join(' || ')}) {
  require('./load.cjs');
} else {
  process.stderr.write('${name} needs Node ${words}; this is ' + process.versions.node + '.\\n');
  process.exitCode = 1;
}
`;
}

/**
 * Writes a package's program: the look at the Node, and what loads the rest.
 *
 * @param dist folder that receives `<name>.cjs`, which `bin` names
 * @param folder that of the package's sources
 * @param main the program itself, an ES module in `dist`
 */
export function writeLauncher(dist: string, folder: string, name: string, main: string): void {
  const program = join(dist, `${name}.cjs`);
  writeFileSync(program, launcherText(name, enginesOf(folder)));
  chmodSync(program, 0o755);
  writeFileSync(join(dist, 'load.cjs'), `'use strict';\nimport('./${main}');\n`);
}

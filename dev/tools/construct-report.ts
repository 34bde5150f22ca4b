/** lib/api-report.txt: the types that `@integration-gateway/construct` exports, as its users compile against them. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture } from './installed-programs.ts';
import { PROJECT_ROOT } from './run.ts';

const HEAD = `Types of the package @integration-gateway/construct without their comments. npm run generate writes this file.
A line that goes or changes breaks stacks of others: it needs an entry under Changed or Breaking in CHANGELOG.md (docs/versions.md).
`;

/** The report of the sources as they are. @throws Error with the compiler's output */
export async function constructReport(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'construct-types-'));
  try {
    const args = ['-p', join(PROJECT_ROOT, 'dev/tools/release/construct.tsconfig.json'), '--outDir', folder];
    const { code, out } = await capture(join(PROJECT_ROOT, 'node_modules/.bin/tsc'), args);
    if (code !== 0) throw new Error(`The types of the construct could not be written:\n${out}`);
    const sources = globSync('lib/**/*.d.ts', { cwd: folder }).toSorted();
    return reportOf(
      readFileSync(join(folder, 'lib/index.d.ts'), 'utf8'),
      sources.map((path) => readFileSync(join(folder, path), 'utf8')),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Declarations that an index exports and those that they use, sorted by name. @param sources compiled declarations of all files */
export function reportOf(index: string, sources: readonly string[]): string {
  const values = withoutComments(index)
    .replaceAll(/export type \{[^}]*\}|type \w+/g, '')
    .match(/\w+/g);
  // Users cannot construct what they get as a type only.
  const usable = ([name, text]: Statement): Statement =>
    values?.includes(name) === true ? [name, text] : [name, text.replaceAll(/^ +constructor\(.*\);\n/gm, '')];
  const all = new Map(sources.flatMap(statementsOf).map(usable));
  const shown = new Set<string>();
  const add = (text: string) => {
    // Not the names of members, some of which a function has, too.
    for (const [word] of text.matchAll(/\b\w+\b(?!\??:|\()/g)) {
      const statement = all.get(word);
      if (statement === undefined || shown.has(word)) continue;
      shown.add(word);
      add(statement);
    }
  };
  add(withoutComments(index));
  return [HEAD, ...[...shown].toSorted().map((name) => all.get(name))].join('\n');
}

type Statement = readonly [name: string, text: string];

/** Top-level declarations with their names. Members that are private have no type, and do not concern users. */
function statementsOf(source: string): Statement[] {
  return withoutComments(source)
    .split(/^(?=[a-z])/m)
    .flatMap((text) => {
      const [, name] =
        /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|const|function) (\w+)/.exec(text) ?? [];
      const plain = text.replaceAll(/^ +(?:private .*|#private;)\n/gm, '');
      return name === undefined ? [] : [[name, `${plain.trim()}\n`] as const];
    });
}

function withoutComments(source: string): string {
  return source.replaceAll(/^ *\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, '');
}

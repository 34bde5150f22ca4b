import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../../dev/site/pages.ts';
import { makeProgram } from '../../packages/cli/program.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Not even entered: other tests of the same run make and remove folders there. */
const GENERATED = /(^|\/)(node_modules|dist|cdk\.out[^/]*|\.[^/]+)$/;
const DOCUMENTS = globSync('**/*.md', { cwd: ROOT, exclude: (path) => GENERATED.test(path) });

/** Anchors of a page's headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...withoutCode(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(headings.map(anchorOf));
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}

function deadLinks(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return links
    .filter((target) => !/^(https?|mailto):/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(ROOT, document) : join(ROOT, dirname(document), decodeURIComponent(path));
      if (!existsSync(file)) return true;
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(readFileSync(file, 'utf8')).has(anchor);
    });
}

describe('the documents', () => {
  it('the documents link to nothing that is not there', () => {
    const dead = DOCUMENTS.flatMap((document) =>
      deadLinks(document).map((target) => `${relative('.', document)} -> ${target}`),
    );
    expect(DOCUMENTS.length).toBeGreaterThan(20);
    expect(dead).toEqual([]);
  });
});

describe('the index of the documents', () => {
  it.each([
    ['docs', 40],
    ['contributing', 8],
  ])('the index of the documents in %s leads to every page there', (folder, count) => {
    const pages = globSync(`${folder}/*.md`, { cwd: ROOT }).map((page) => basename(page));
    const index = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
    const missing = pages.filter((page) => page !== 'README.md' && !new RegExp(`\\]\\(${page}[#)]`).test(index));
    expect(pages.length).toBeGreaterThanOrEqual(count);
    expect(missing, `add a question that the page answers to ${folder}/README.md`).toEqual([]);
  });

  it('the index of the documents is where the README leads', () => {
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain('](docs/README.md)');
  });
});

describe('the documents for users', () => {
  it('the documents for users have at most 45,000 words, without code and the marks of tables', () => {
    const text = globSync('docs/*.md', { cwd: ROOT })
      .map((page) => readFileSync(join(ROOT, page), 'utf8').replace(/^( *)```[\s\S]*?^\1```|<!--[\s\S]*?-->/gm, ''))
      .join('\n');
    const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    expect(words).toBeGreaterThan(20_000);
    expect(words).toBeLessThanOrEqual(45_000);
  });
});

describe('the README', () => {
  it('the README has at most 700 words, blocks of code, tables and addresses included', () => {
    const words = readFileSync(join(ROOT, 'README.md'), 'utf8').split(/\s+/).length;
    expect(words).toBeGreaterThan(300);
    expect(words).toBeLessThanOrEqual(700);
  });
});

/** A fenced block of a document, with the comment on the line before it. */
interface Block {
  readonly document: string;
  /** What follows the fence: a language, and a name where a test runs the block by it. */
  readonly info: string;
  readonly code: string;
  /** Why no test runs it. */
  readonly notRun: string | undefined;
}

const BLOCK = /(?:^ *<!-- not run: (?<notRun>.+) -->\n)?^ *```(?<info>.*)\n(?<code>[\s\S]*?)^ *```$/gm;

function blocksOf(document: string): Block[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(BLOCK)].map(({ groups = {} }) => ({
    document,
    info: groups.info ?? '',
    code: groups.code ?? '',
    notRun: groups.notRun,
  }));
}

/** Which blocks a test runs: of a document, those whose info fits. Each of these tests takes every one of them. */
const RUN_BY: readonly (readonly [document: string, info: RegExp, test: string])[] = [
  ['README.md', /^(bash call|json answer)$/, 'test/integration/api/first-call.test.ts'],
  ['README.md', /^http /, 'test/integration/api/http-blocks.test.ts'],
  ['CONTRIBUTING.md', /^ts lambdas/, 'test/integration/features/guide.test.ts'],
  ['packages/client/README.md', /^ts$/, 'test/unit/client/package.test.ts'],
  ['packages/python/README.md', /^python$/, 'packages/python/tests/test_readme.py'],
  ['docs/as-code.md', /^yaml template$/, 'test/infrastructure/declarations.test.ts'],
  ['docs/changes.md', /^http /, 'test/integration/api/http-blocks.test.ts'],
  ['docs/connect-page.md', /^http /, 'test/integration/api/http-blocks.test.ts'],
  ['docs/deploy.md', /^ts$/, 'test/infrastructure/examples.test.ts'],
  ['docs/drive-files.md', /^http /, 'test/integration/api/http-blocks.test.ts'],
  ['docs/run-an-assistant.md', /^js backend$/, 'test/integration/mcp/google-day.test.ts'],
  ['docs/shared-drives.md', /^http /, 'test/integration/api/http-blocks.test.ts'],
  ['docs/events.md', /^((ts|python) receiver|bash|json pattern)/, 'test/integration/api/events.test.ts'],
  ['docs/events.md', /^(ts (rule|handler)|json resources)$/, 'test/infrastructure/examples.test.ts'],
  ['docs/events.md', /^json [A-Ze]/, 'test/unit/events/event-catalog.test.ts'],
  ['docs/first-call.md', /^(bash|ts) /, 'test/integration/api/first-call.test.ts'],
  ['docs/first-call.md', /^python /, 'packages/python/tests/test_samples.py'],
  ['docs/from-nango.md', /^ts$/, 'test/infrastructure/examples.test.ts'],
  ['docs/from-nango.md', /^bash /, 'test/integration/examples/from-nango.test.ts'],
  ['docs/operations.md', /^bash /, 'test/integration/api/first-call.test.ts'],
  ['docs/testing-your-app.md', /^(sh|js|python) /, 'test/integration/api/testing-your-app.test.ts'],
  ['docs/tutorial-booking-page.md', /^ts$/, 'test/integration/examples/tutorials.test.ts'],
  ['docs/tutorial-folder-indexer.md', /^ts$/, 'test/integration/examples/tutorials.test.ts'],
  ['docs/webhooks.md', /^http /, 'test/integration/api/http-blocks.test.ts'],
  ['docs/webhooks.md', /^bash /, 'test/integration/api/webhooks.test.ts'],
  ['lib/README.md', /^ts$/, 'test/infrastructure/examples.test.ts'],
  ['packages/simulator/README.md', /^(sh|python|js|js consent|json)$/, 'test/unit/simulator/package.test.ts'],
  ['packages/simulator/README.md', /^python uploads$/, 'dev/second-opinions/google-python-client/opinion.ts'],
];

const BLOCKS = DOCUMENTS.flatMap(blocksOf);

describe('every block of code in a document', () => {
  it('every block of code in a document is run by a test, or says in a comment before it why not', () => {
    const neither = BLOCKS.filter(
      ({ document, info, notRun }) =>
        notRun === undefined && !RUN_BY.some(([known, pattern]) => known === document && pattern.test(info)),
    );
    expect(BLOCKS.length).toBeGreaterThan(100);
    expect(neither.map(({ document, code }) => `${document}: ${code.split('\n')[0]}`)).toEqual([]);
  });

  it('every block of code in a document is not said to be run where it is not: the test reads the document, which has such a block', () => {
    for (const [document, info, test] of RUN_BY) {
      const reads = readFileSync(join(ROOT, test), 'utf8').includes(document.split('/').at(-1) ?? '');
      const has = BLOCKS.some((block) => block.document === document && info.test(block.info));
      expect({ document, test, reads, has }).toEqual({ document, test, reads: true, has: true });
    }
  });

  it('names commands and options that the command line has', () => {
    const commands = BLOCKS.flatMap(({ document, code }) =>
      commandLines(code).map((words) => ({ document, words, problem: usageProblem(words) })),
    );
    expect(commands.length).toBeGreaterThan(40);
    expect(commands.filter(({ problem }) => problem !== undefined)).toEqual([]);
  });
});

/** Commands in the text of a document, such as `gateway check`, which may leave out arguments, with what the command line has against them. */
function inlineCommands(document: string): { document: string; words: string[]; problem: string | undefined }[] {
  const text = withoutCode(readFileSync(join(ROOT, document), 'utf8'));
  return [...text.matchAll(/`(?:npx )?gateway ([a-z][^`]*)`/g)]
    .flatMap(([, command = '']) => commandLines(`npm run gateway -- ${command}`))
    .map((words) => ({ document, words, problem: usageProblem(words) }));
}

describe('the text of a document', () => {
  it('names commands and options that the command line has', () => {
    const commands = DOCUMENTS.flatMap(inlineCommands);
    const unknown = commands.filter(({ problem }) => problem !== undefined && !/missing|not specified/.test(problem));
    expect(commands.length).toBeGreaterThan(60);
    expect(unknown).toEqual([]);
  });
});

/** Words of each `npm run gateway -- …` and its like in a block: without prompt, settings, comments and redirections. */
function commandLines(code: string): string[][] {
  const lines = code.replaceAll('\\\n', ' ').split('\n');
  return lines.flatMap((line) => {
    const found = /npm run (?:--silent )?(gateway|restore|data-keys|secret-keys|verify) -- (.*)$/.exec(line);
    if (found === null) return [];
    const [, script = '', rest = ''] = found;
    const end = /\s#|[|;)]|\s[<>]\s/.exec(rest)?.index ?? rest.length;
    const words = [...rest.slice(0, end).matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, plain]) => single ?? double ?? plain ?? '',
    );
    const written = words.filter((word) => word !== '...' && word !== '…');
    return [script === 'gateway' ? written : [script, ...written]];
  });
}

/** What the command line has against words, without doing anything. */
function usageProblem(words: readonly string[]): string | undefined {
  const program = makeProgram({ json: true });
  program.configureOutput({ writeOut: () => {} });
  const disarm = (command: Command) => {
    if (command.commands.length === 0) command.action(() => {});
    for (const one of command.commands) disarm(one);
  };
  disarm(program);
  // A placeholder such as <number> stands for a number too.
  const filled = words.map((word) => (/^<.*>$/.test(word) ? '1' : word));
  try {
    program.parse(['node', 'gateway', ...filled]);
    return undefined;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return problem === '(outputHelp)' ? undefined : problem;
  }
}

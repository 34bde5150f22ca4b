/** What `npm run generate` makes of contributing/security-statements.md: every security statement with the tests that name it. */
import { KEY_FAMILIES } from '../../lambdas/gateway/core/contract.ts';
import {
  DATA_KEY_PURPOSES,
  FUNCTION_POWERS,
  TABLE_WRITES,
  type WriteAction,
  type WriteRights,
} from '../../lambdas/gateway/core/table-rights.ts';
import { PROJECT_ROOT } from './run.ts';
import { STATEMENT_FAMILIES, type StatementFamily } from './security-statements.ts';
import { readTestTitles, type TestTitle } from './test-titles.ts';

const INTRODUCTION = `# Security statements and their tests

\`npm run generate\` writes this page. It lists every security statement with the tests whose titles name its id. A test that is
listed here exercises the statement, but does not prove it in every respect. A statement that no test names is listed as open, even if
the code fulfils it. [SECURITY.md](../SECURITY.md) has the threat model and the powers of each function.`;

/** Ids of the families that the titles of tests name, each with its tests. */
function testsById(ids: readonly string[], titles: readonly TestTitle[]): Map<string, TestTitle[]> {
  const families = new Set(ids.map((id) => id.split('-')[0]));
  const statementId = new RegExp(`\\b(?:${[...families].join('|')})-\\d+\\b`, 'g');
  const found = new Map<string, TestTitle[]>();
  for (const test of titles) {
    for (const id of new Set(test.title.match(statementId) ?? [])) {
      found.set(id, [...(found.get(id) ?? []), test]);
    }
  }
  return found;
}

/** Text that a table cell can hold. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('`', '');
}

/** Link to each test; the ids in its title are what the row says already. */
function testLinks(tests: readonly TestTitle[]): string {
  return tests
    .map(({ file, title }) => {
      const claim = title.replace(/^(?:[A-Z]{2}-\d+(?:, )?)+:? ?/, '').replace(/ ?\((?:[A-Z]{2}-\d+(?:, )?)+\)$/, '');
      return `[${cell(claim === '' ? title : claim)}](../${file})`;
    })
    .join('<br>');
}

/**
 * Makes the report from statements and titles.
 * @throws Error naming every test whose title names an id that is no statement
 */
export function securityReport(families: readonly StatementFamily[], titles: readonly TestTitle[]): string {
  const ids = families.flatMap(({ statements }) => Object.keys(statements));
  const tests = testsById(ids, titles);
  const unknown = [...tests].filter(([id]) => !ids.includes(id));
  if (unknown.length > 0) {
    const lines = unknown.flatMap(([id, named]) => named.map(({ file, title }) => `${id}: ${file}, "${title}"`));
    throw new Error(`These tests name statements that do not exist:\n  ${lines.join('\n  ')}`);
  }
  const open = ids.filter((id) => !tests.has(id));
  const sections = families.map(({ title, statements }) =>
    [
      `## ${title}`,
      '',
      '| Id | Statement | Tests |',
      '|---|---|---|',
      ...Object.entries(statements).map(([id, statement]) => {
        const named = tests.get(id);
        return `| ${id} | ${statement} | ${named === undefined ? '**open**' : testLinks(named)} |`;
      }),
    ].join('\n'),
  );
  const summary = [
    `${ids.length - open.length} of ${ids.length} statements are named by a test.`,
    ...(open.length === 0 ? [] : [`Open: ${open.join(', ')}.`]),
  ].join(' ');
  return `${[INTRODUCTION, summary, ...sections].join('\n\n')}\n`;
}

/** What each function may write, as policies have it (IN-11). */
function tableWrites(): string {
  const rows = Object.entries<WriteRights>(TABLE_WRITES).map(([name, writes]) => {
    const cellOf = (action: WriteAction) =>
      [...(writes[action] ?? [])]
        .map((one) => KEY_FAMILIES[one])
        .sort()
        .join(', ') || 'none';
    return `| \`${name}\` | ${cellOf('PutItem')} | ${cellOf('UpdateItem')} | ${cellOf('DeleteItem')} |`;
  });
  return [
    '## What each function may write',
    '',
    'By the first part of the partition key ([what each family holds](storage-schema.md)). The policies are made from one table in',
    '`lambdas/gateway/core/table-rights.ts`, as conditions on `dynamodb:LeadingKeys`. In a transaction each member is judged by its own key. A sort key cannot be',
    'a condition: a function that may write `ACCOUNT` for rate counts or data keys could also overwrite an integration there. Only `management` and `refresh`',
    'can write a secret key (`KEY`). A function that reports an event of a connection writes `EVENT` and needs no right on the row of the connection.',
    '',
    '| Function | Put | Update | Delete |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The four powers over tokens and keys, by function (IN-12), as a table of SECURITY.md. */
function powersTable(): string[] {
  const cell = (has: boolean) => (has ? '**yes**' : 'no');
  return [
    '| Code in | Opens refresh tokens | Opens access tokens | Sends as any connection | Makes or raises a key |',
    '|---|---|---|---|---|',
    ...Object.entries(FUNCTION_POWERS).map(
      ([name, { opensRefreshTokens, opensAccessTokens, sendsAsAnyone, makesKeys }]) =>
        `| \`${name}\` | ${[opensRefreshTokens, opensAccessTokens, sendsAsAnyone, makesKeys].map(cell).join(' | ')} |`,
    ),
  ];
}

/** The purposes of data keys, by function. */
function purposes(): string {
  return [
    '## Which data keys each function may unwrap',
    '',
    'Tokens are opened with data keys, which KMS unwraps by [purpose](storage-schema.md#data-key). `test/integration/powers.test.ts` creates and unwraps a key of each purpose with the',
    'credentials of each function. `journal` is granted by the [journal](../docs/undo.md) itself, to `proxy` and `grants`.',
    '',
    '| Code in | Data keys of |',
    '|---|---|',
    ...Object.entries(DATA_KEY_PURPOSES).map(
      ([name, purposes]) => `| \`${name}\` | ${purposes.join(', ') || 'none'} |`,
    ),
  ].join('\n');
}

/** Begin and end of the table in SECURITY.md. */
const [POWERS_BEGIN, POWERS_END] = ['<!-- Written by npm run generate -->', '<!-- end -->'];

/** SECURITY.md with the table of powers as it is now. */
export function securityPage(current: string): string {
  const [before = '', rest = ''] = current.split(POWERS_BEGIN);
  const after = rest.slice(rest.indexOf(POWERS_END));
  return [before + POWERS_BEGIN, ...powersTable(), after].join('\n');
}

/** The report of this project as it is now. */
export function currentSecurityReport(): string {
  return `${securityReport(STATEMENT_FAMILIES, readTestTitles(PROJECT_ROOT, 'test'))}\n${purposes()}\n\n${tableWrites()}\n`;
}

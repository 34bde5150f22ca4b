import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { capture, WORK_FOLDER } from '../../tools/installed-programs.ts';
import type { Verdict } from '../opinion.ts';

/** Scenarios by version of the protocol: those that ask for nothing but tools that answer with text. */
const SCENARIOS: readonly (readonly [version: string, scenarios: readonly string[]])[] = [
  [
    '2025-11-25',
    [
      'server-initialize',
      'ping',
      'tools-list',
      'tools-call-simple-text',
      'tools-call-error',
      'dns-rebinding-protection',
    ],
  ],
  ['2025-06-18', ['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-error']],
  [
    '2026-07-28',
    [
      'tools-list',
      'tools-call-simple-text',
      'tools-call-error',
      'http-header-validation',
      'dns-rebinding-protection',
      'caching',
      'server-stateless',
    ],
  ],
];
/** Checks that want tools of the suite that ask the client or send something while they work, and lists of prompts and resources. */
const NOT_OURS: readonly string[] = [
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2549-prompts-list-caching-hints',
  'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
];

const checksSchema = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }));

/** A server that the suite is asked about. */
export interface JudgedServer {
  readonly name: string;
  readonly address: string;
  /** Scenarios that the server cannot be asked. @default none */
  readonly withoutScenarios?: readonly string[];
  /** Checks of the other scenarios that do not apply to it. @default none */
  readonly withoutChecks?: readonly string[];
}

/**
 * The protocol's conformance suite at a server.
 *
 * @param installed folder of the installed npm packages
 */
export async function conformance(
  installed: string,
  { name, address, withoutScenarios = [], withoutChecks = [] }: JudgedServer,
  say: (progress: string) => void,
): Promise<Verdict> {
  const folder = join(WORK_FOLDER, `mcp-conformance-${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const program = join(installed, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const excepted = new Set([...NOT_OURS, ...withoutChecks]);
  const failures: string[] = [];
  let passed = 0;
  for (const [version, scenarios] of SCENARIOS) {
    for (const scenario of scenarios.filter((one) => !withoutScenarios.includes(one))) {
      const asked = `${name}: ${scenario} of ${version}`;
      say(asked);
      const own = join(folder, `${version}-${scenario}`);
      const wanted = ['--scenario', scenario, '--spec-version', version, '-o', own];
      const { out, err } = await capture(process.execPath, [program, 'server', '--url', address, ...wanted]);
      const checks = checksIn(own);
      if (checks.length === 0) failures.push(`${asked} said nothing: ${(out + err).slice(0, 500)}`);
      for (const { id, status, errorMessage } of checks) {
        if (status === 'FAILURE' && !excepted.has(id)) failures.push(`${asked}: ${id}: ${errorMessage ?? ''}`);
        else if (status === 'SUCCESS') passed++;
      }
    }
  }
  return { passed, failures };
}

/** What the suite left in its folder. */
function checksIn(folder: string): z.infer<typeof checksSchema> {
  const [run] = existsSync(folder) ? readdirSync(folder) : [];
  return run === undefined
    ? []
    : checksSchema.parse(JSON.parse(readFileSync(join(folder, run, 'checks.json'), 'utf8')));
}

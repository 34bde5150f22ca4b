/** The Model Context Protocol's own programs: both generations of its client on a local gateway, and its conformance suite on the gateway's protocol. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ENVIRONMENT } from '../../../lambdas/gateway/core/contract.ts';
import { capture, nodePackages, WORK_FOLDER } from '../../tools/installed-programs.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { openGateway } from '../own-gateway.ts';
import { bringStackUpToDate } from '../tools.ts';
import { openConformanceServer } from './conformance-server.ts';
import { googleServers } from './google-servers.ts';
import { DOCUMENT_CLIENT, GIVEN_CLIENT, REDIRECT_URI, startSignInIssuer } from './issuer.ts';

/** What the connections of the opinion's gateways may do. */
const WRITING = { 'google-drive': ['drive'], 'google-calendar': ['calendar'] };

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
const NOT_OURS = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2549-prompts-list-caching-hints',
  'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
]);

const seenSchema = z.object({
  name: z.string(),
  server: z.string().optional(),
  tools: z.array(z.string()),
  read: z.string(),
  refused: z.tuple([z.boolean(), z.string()]),
  removal: z.number(),
});

export const mcp: Opinion = {
  name: 'mcp',
  judges: 'the agents’ endpoint and Google’s simulated servers: official clients, and the conformance suite',
  async ask(say): Promise<Verdict> {
    await bringStackUpToDate(say);
    const installed = await nodePackages('mcp', import.meta.dirname);
    const verdicts = [
      await googleServers(installed),
      await clients(installed),
      await signIns(installed),
      await conformance(installed, say),
    ];
    return {
      passed: verdicts.reduce((sum, { passed }) => sum + passed, 0),
      failures: verdicts.flatMap(({ failures }) => failures),
    };
  },
};

/** Each mode of each client lists, reads and creates, and cannot delete. */
async function clients(installed: string): Promise<Verdict> {
  await using own = await openGateway({}, WRITING);
  const { gateway, ask } = own;
  const limits = { mode: 'enforce', allow: ['drive:read', 'drive:write', 'calendar:read', 'calendar:write'] };
  const made = await ask('POST', '/account/agents', { name: 'Opinion', end_user_id: 'first-user', limits });
  const { agent_key: key } = z.object({ data: z.object({ agent_key: z.string() }) }).parse(made.body).data;
  const program = join(import.meta.dirname, 'clients.mjs');
  const args = [program, join(installed, 'package.json'), `${gateway.gatewayUrl}/mcp`];
  const { code, out, err } = await capture(process.execPath, args, { env: { ...process.env, AGENT_KEY: key } });
  if (code !== 0) return { passed: 0, failures: [`The clients ended with ${code}: ${err.slice(0, 2_000)}`] };
  const seen = out
    .trim()
    .split('\n')
    .map((line) => seenSchema.parse(JSON.parse(line)));
  const failures = seen.flatMap(({ name, server, tools, read, refused, removal }) => {
    const right =
      server === 'integration-gateway' &&
      tools.includes('drive_create_file') &&
      !tools.includes('calendar_delete_event') &&
      read === `written by ${name}` &&
      refused.join() === 'true,not_found' &&
      removal === -32602;
    return right ? [] : [`${name} has seen ${JSON.stringify({ server, tools, read, refused, removal })}`];
  });
  return { passed: seen.length - failures.length, failures };
}

const signInSchema = z.object({
  way: z.string(),
  client: z.string(),
  resource: z.string(),
  canDelete: z.boolean(),
  read: z.string(),
});

/** From a bare 401 to a tool's result, for each way in which a client is known to the issuer. */
async function signIns(installed: string): Promise<Verdict> {
  await using issuer = await startSignInIssuer();
  const integrations = Object.keys(WRITING);
  const signIn = { issuer: issuer.issuer, subjectClaim: 'sub', integrations };
  await using own = await openGateway({ [ENVIRONMENT.agentSignIn]: JSON.stringify(signIn) }, WRITING);
  const address = `${own.gateway.gatewayUrl}/mcp`;
  issuer.serve(address);
  const program = join(import.meta.dirname, 'sign-in.mjs');
  const args = [program, join(installed, 'package.json'), address, DOCUMENT_CLIENT, GIVEN_CLIENT, REDIRECT_URI];
  const { code, out, err } = await capture(process.execPath, args);
  const seen = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => signInSchema.parse(JSON.parse(line)));
  const failures = seen
    .filter(({ way, resource, canDelete, read }) => resource !== address || canDelete || read !== way)
    .map((one) => `A client by ${one.way} has seen ${JSON.stringify(one)}`);
  if (code !== 0) failures.push(`The client that signs in ended with ${code}: ${err.slice(0, 2_000)}`);
  return { passed: seen.length - failures.length, failures };
}

const checksSchema = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }));

async function conformance(installed: string, say: (progress: string) => void): Promise<Verdict> {
  await using server = await openConformanceServer();
  const folder = join(WORK_FOLDER, 'mcp-conformance');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const program = join(installed, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const failures: string[] = [];
  let passed = 0;
  for (const [version, scenarios] of SCENARIOS) {
    for (const scenario of scenarios) {
      say(`${scenario} of ${version}`);
      const own = join(folder, `${version}-${scenario}`);
      const wanted = ['--scenario', scenario, '--spec-version', version, '-o', own];
      const { out, err } = await capture(process.execPath, [program, 'server', '--url', server.address, ...wanted]);
      const checks = checksIn(own);
      if (checks.length === 0) failures.push(`${scenario} of ${version} said nothing: ${(out + err).slice(0, 500)}`);
      for (const { id, status, errorMessage } of checks) {
        if (status === 'FAILURE' && !NOT_OURS.has(id))
          failures.push(`${scenario} of ${version}: ${id}: ${errorMessage ?? ''}`);
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

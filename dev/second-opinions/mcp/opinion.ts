/** The Model Context Protocol's own programs: both generations of its client on a local gateway, and its conformance suite on the gateway's protocol. */
import { join } from 'node:path';
import * as z from 'zod';
import { FEATURE_ENVIRONMENT } from '../../../lambdas/features/index.ts';
import { capture, nodePackages } from '../../tools/installed-programs.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { openGateway } from '../own-gateway.ts';
import { bringStackUpToDate } from '../tools.ts';
import { conformance } from './conformance.ts';
import { openConformanceServer } from './conformance-server.ts';
import { googleServers } from './google-servers.ts';
import { DOCUMENT_CLIENT, GIVEN_CLIENT, REDIRECT_URI, startSignInIssuer } from './issuer.ts';

/** What the connections of the opinion's gateways may do. */
const WRITING = { 'google-drive': ['drive'], 'google-calendar': ['calendar'] };

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
      await googleServers(installed, say),
      await clients(installed),
      await signIns(installed),
      await gatewayConformance(installed, say),
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
  await using own = await openGateway({ [FEATURE_ENVIRONMENT.agentSignIn]: JSON.stringify(signIn) }, WRITING);
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

/** The suite on the gateway's protocol, with the suite's own tools. */
async function gatewayConformance(installed: string, say: (progress: string) => void): Promise<Verdict> {
  await using server = await openConformanceServer();
  return await conformance(installed, { name: 'gateway', address: server.address }, say);
}

/** Schemathesis sends what the API's document allows, and what it forbids, to a running gateway and compares the answers with the document. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { capture, pythonEnvironment, WORK_FOLDER } from '../../tools/installed-programs.ts';
import type { Opinion, Verdict } from '../opinion.ts';
import { type OwnGateway, openGateway } from '../own-gateway.ts';
import { bringStackUpToDate } from '../tools.ts';

const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt');
const TIMEOUT_MS = 900_000;
/** Requests that are made up for each operation, alongside those that each rule of its schemas gives. The same ones in every run. */
const GENERATED_PER_OPERATION = '20';
/** Checks that do not hold here, each with its reason in dev/second-opinions/README.md. */
const LEFT_OUT = ['positive_data_acceptance', 'allow_header_conformance', 'missing_required_header'];
/** What is longer than any address may be is refused before the gateway, with a status that no operation lists. */
const TOO_LONG = '[414] URI Too Long';

const madeSchema = z.object({ data: z.object({ id: z.string() }) });
const sessionSchema = z.object({ data: z.object({ token: z.string() }) });
const reportSchema = z.object({
  complete: z.boolean(),
  operations: z.object({ tested: z.number(), errored: z.number() }),
  errors: z.array(z.unknown()),
});

export const schemathesis: Opinion = {
  name: 'schemathesis',
  judges: 'every operation of the OpenAPI document on a gateway on this computer',
  async ask(say): Promise<Verdict> {
    const environment = await pythonEnvironment('schemathesis', REQUIREMENTS);
    await bringStackUpToDate(say);
    const folder = mkdtempSync(join(tmpdir(), 'schemathesis-'));
    // Every refused key would count against this address.
    const environmentOverrides = { WRONG_KEYS_PER_MINUTE_PER_ADDRESS: '0' };
    await using test = await openGateway(environmentOverrides);
    try {
      writeFileSync(join(folder, 'schemathesis.toml'), await settings(test));
      say('asks every operation, some minutes');
      return await judge(join(environment, 'bin', 'schemathesis'), test, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Ids that exist, so that requests come further than "there is no such thing"; a deletion gets ids that do not. */
async function settings({ gateway, ask }: OwnGateway): Promise<string> {
  const found = gateway.connections.find(({ integration_id }) => integration_id === 'google-drive');
  if (found === undefined) throw new Error('The gateway has no connection to Google Drive.');
  const connection = { provider_config_key: 'google-drive', connection_id: found.connection_id };
  const make = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await ask('POST', path, body);
    if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const idOf = async (path: string, body: unknown) => madeSchema.parse(await make(path, body)).data.id;
  const feedId = await idOf('/feeds', { ...connection, resource: 'drive' });
  const webhookId = await idOf('/webhooks', { url: 'https://hooks.example.com/gateway' });
  const batchId = await idOf('/connect/reconnect-links', { connections: [connection] });
  const session = await make('/connect/sessions', {
    end_user: { id: 'user-1' },
    allowed_integrations: ['google-drive'],
  });
  const { token } = sessionSchema.parse(session).data;
  return `[parameters]
"path.connectionId" = "${connection.connection_id}"
"query.provider_config_key" = "google-drive"
"path.integrationId" = "google-drive"
"path.provider" = "google-drive"
"path.feedId" = "${feedId}"
"path.webhookId" = "${webhookId}"
"path.batchId" = "${batchId}"

[[operations]]
include-method = "DELETE"
parameters = { "path.connectionId" = "none", "path.integrationId" = "none", "path.feedId" = "${other(feedId)}", "path.webhookId" = "${other(webhookId)}", "path.batchId" = "${other(batchId)}" }

[[operations]]
include-name = ["GET /connect/session", "POST /connect/authorizations"]
headers = { Authorization = "Bearer ${token}" }
`;
}

/** An id of the same form that nothing has. */
function other(id: string): string {
  return `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
}

async function judge(program: string, { gateway }: OwnGateway, folder: string): Promise<Verdict> {
  const url = gateway.gatewayUrl;
  const files = { json: join(folder, 'report.json'), junit: join(folder, 'report.xml') };
  const options = [
    ['--url', url],
    ['--header', `Authorization: Bearer ${gateway.secretKey}`],
    // Its answers are the provider's.
    ['--exclude-path', '/proxy/{path}'],
    ['--phases', 'examples,coverage,fuzzing'],
    ['--max-examples', GENERATED_PER_OPERATION],
    ['--generation-deterministic', '--continue-on-failure', '--no-color'],
    ['--checks', 'all', '--exclude-checks', LEFT_OUT.join(',')],
    ['--report', 'json,junit', '--report-json-path', files.json, '--report-junit-path', files.junit],
  ].flat();
  const args = ['--config-file', join(folder, 'schemathesis.toml'), 'run', `${url}/openapi.json`, ...options];
  const { code, out, err } = await capture(program, args, { timeoutMs: TIMEOUT_MS, cwd: folder });
  // Its exit codes: 1 is "something was found"; every other one says that it could not run.
  if (code > 1)
    throw new Error(`Schemathesis ended with ${code}: ${`${out}${err}`.trim().split('\n').slice(-20).join('\n')}`);
  writeFileSync(join(WORK_FOLDER, 'schemathesis.txt'), out);
  const { complete, operations, errors } = reportSchema.parse(JSON.parse(readFileSync(files.json, 'utf8')));
  if (!complete || errors.length > 0 || operations.tested === 0) {
    throw new Error(`Schemathesis did not finish: .second-opinions/schemathesis.txt has what it said.`);
  }
  const failures = failuresIn(readFileSync(files.junit, 'utf8'));
  const failing = new Set(failures.map(({ operation }) => operation));
  return {
    passed: operations.tested - failing.size,
    failures: failures.map(({ operation, text }) => `${operation}\n${text}`),
  };
}

/** What a JUnit report has found, one entry for each test case that Schemathesis numbers. */
function failuresIn(xml: string): { operation: string; text: string }[] {
  const cases = xml.matchAll(/<testcase name="([^"]*)"[^>]*>([\s\S]*?)<\/testcase>/g);
  return [...cases].flatMap(([, operation = '', body = '']) =>
    body
      .split(/\n(?=\d+\. Test Case ID)|<failure[^>]*>(?=1\. Test Case ID)/)
      .filter((text) => text.includes('Test Case ID') && !text.includes(TOO_LONG))
      .map((text) => ({ operation, text: text.trim().slice(0, 2_000) })),
  );
}

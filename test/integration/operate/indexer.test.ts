/** examples/indexer on loopback: what its template declares is declared, and its function's role indexes an account of the simulator. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { afterAll, expect, test, vi } from 'vitest';
import { referenceScope } from '../../../dev/local/template/references.ts';
import { resolveResource } from '../../../dev/local/template/resolved.ts';
import { readResources } from '../../../dev/local/template/resource.ts';
import { ensureAssembly } from '../../../dev/tools/assembly.ts';
import { parseJson } from '../../../dev/tools/json.ts';
import { type IndexedFile, indexFiles } from '../../../examples/indexer/index-files.ts';
import { IndexerStack } from '../../../examples/indexer/indexer-stack.ts';
import { GatewayClient } from '../../../packages/client/src/index.ts';
import { connectAccount } from '../../support/connect.ts';
import { useTestGateway, useWebhookReceiver } from '../../support/use-gateway.ts';

const REGION = 'us-east-1';
const folder = mkdtempSync(join(tmpdir(), 'indexer-'));
const assemblyFolder = join(folder, 'assembly');
const template = await synthesizeExample();
const answers = useWebhookReceiver();
const running = useTestGateway({ assemblyFolder });

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** The example's template, with the bundles of this test run. */
async function synthesizeExample(): Promise<string> {
  await ensureAssembly({ mode: 'reuse', step: (_name, work) => work() });
  const code = join(folder, 'code');
  const app = new App({ outdir: assemblyFolder });
  mkdirSync(code);
  writeFileSync(join(code, 'index.mjs'), 'export const handler = () => {};');
  new IndexerStack(app, 'Indexer', { region: REGION, code: Code.fromAsset(code) });
  app.synth();
  return readFileSync(join(assemblyFolder, 'Indexer.template.json'), 'utf8');
}

/** Custom resources of a kind, as CloudFormation would send them. */
function declared(kind: 'Integration' | 'Caller') {
  const resources = readResources(parseJson(template, 'the template'));
  const scope = referenceScope(resources, { stackName: 'Indexer', region: REGION });
  return [...resources.values()]
    .filter(({ type }) => type === `Custom::Gateway${kind}`)
    .map((resource) => resolveResource(resource, scope));
}

async function create(kind: 'Integration' | 'Caller') {
  for (const { logicalId, type, properties } of declared(kind)) {
    const path = `/answer-${logicalId}`;
    await running.gateway.tick('declared', {
      ...{ RequestType: 'Create', RequestId: 'req-1', ResponseURL: `${answers.address}${path}` },
      StackId: `arn:aws:cloudformation:${REGION}:000000000000:stack/Indexer/5f1c0d0e-0000-4000-8000-000000000001`,
      ...{ LogicalResourceId: logicalId, ResourceType: type, ResourceProperties: properties },
    });
    const answer = await answers.waitFor((one) => one.path === path);
    expect(JSON.parse(answer.body)).toMatchObject({ Status: 'SUCCESS' });
  }
}

test('the role of the example’s function indexes a user’s files with an environment that holds no secret of the gateway', async () => {
  await create('Integration');
  await create('Caller');
  const connectionId = await connectAccount(running, 'drive-index');
  const [caller] = declared('Caller');
  const role = String(caller?.properties.RoleArn).split('/').at(-1) ?? '';
  const { credentials } = running.gateway.callers.issue({ role, roleId: String(caller?.properties.RoleId) });
  vi.stubEnv('GATEWAY_BASE_URL', running.gateway.gatewayUrl);
  vi.stubEnv('GATEWAY_REGION', REGION);
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
  vi.stubEnv('AWS_SESSION_TOKEN', credentials.sessionToken ?? '');
  const gateway = new GatewayClient();
  const index: IndexedFile[] = [];
  const count = await indexFiles(gateway, connectionId, async (file) => void index.push(file));
  expect(count).toBe(index.length);
  expect(count).toBeGreaterThan(0);
  for (const file of index)
    expect(file).toMatchObject({ connectionId, fileId: expect.any(String), name: expect.any(String) });
  // Its limits are those of grantCall: metadata may be read, and nothing else.
  const [first] = index;
  const content = { providerConfigKey: 'drive-index', connectionId, endpoint: `/drive/v3/files/${first?.fileId}` };
  await expect(gateway.delete(content)).rejects.toMatchObject({ code: 'limited_by_key' });
  expect(template).not.toMatch(/sk_default|GOCSPX|resolve:secretsmanager/);
});

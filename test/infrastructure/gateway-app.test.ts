import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type Environment, Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EVERYTHING_ON, LITTLE } from '../../dev/support/option-samples.ts';
import { checkRules, gatewayAppIn, temporaryFolder, writePlaceholderBundles } from '../../dev/support/synthesize.ts';
import { IntegrationGateway } from '../../lib/integration-gateway.ts';
import { MISSING_SERVICES } from '../../lib/missing-services.ts';

describe('a region that lacks services of the stack', () => {
  async function warnings(region: string, dashboard: boolean): Promise<string[]> {
    using folder = temporaryFolder();
    const app = await gatewayAppIn(folder.path, { region, dashboard }, false);
    const notes = app.node.findAll().flatMap(({ node }) => node.metadata);
    return notes.flatMap(({ type, data }) => (type === 'aws:cdk:warning' ? [String(data)] : []));
  }

  it('reports each of them once, with what to do', async () => {
    const inChina = await warnings('cn-north-1', true);
    expect(inChina).toHaveLength(2);
    for (const warning of inChina) expect(warning).toMatch(/^cn-north-1 has no C.* Set gateway:dashboard=false/);
    expect(await warnings('cn-north-1', false)).toEqual([]);
    expect(await warnings('us-gov-west-1', true)).toEqual([
      expect.stringMatching(/^us-gov-west-1 has no CloudFront, .* Set gateway:dashboard=false/),
    ]);
    expect(await warnings('us-gov-west-1', false)).toEqual([]);
  });

  const holdsNothing = async (region: string) => expect(await warnings(region, true)).toEqual([]);

  it.each(['ap-east-2'])('holds nothing against %s, which lacked the pipe alone', holdsNothing);

  it.each([
    'ap-southeast-4',
    'ap-southeast-5',
    'ap-southeast-6',
    'ap-southeast-7',
    'ca-west-1',
    'il-central-1',
    'mx-central-1',
  ])('holds nothing against %s, which lacked the pipe alone', { tags: ['long'] }, holdsNothing);

  it('stands in docs/deploy.md, and no other', () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'deploy.md'), 'utf8');
    const table = page.slice(page.indexOf('| Region | Does not offer |'), page.indexOf('To see what a region offers'));
    const told = [...table.matchAll(/`([a-z]{2}(?:-[a-z]+)+-\d)`/g)].map(([, region]) => region);
    expect(told.toSorted()).toEqual([...new Set(MISSING_SERVICES.flatMap(({ regions }) => regions))].toSorted());
  });
});

/** A stack of somebody else's that a gateway is put into. */
function stackIn(folder: string, env: Environment = { region: 'eu-central-1' }, name = 'Product') {
  const app = new App({ outdir: join(folder, 'assembly') });
  return { app, stack: new Stack(app, name, { env }), bundlesPath: writePlaceholderBundles(folder) };
}

describe('template validation and the AWS Solutions rules', () => {
  const printed: string[] = [];

  beforeEach(() => {
    printed.length = 0;
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    vi.spyOn(console, 'error').mockImplementation((text) => void printed.push(String(text)));
  });
  afterEach(() => vi.restoreAllMocks());

  // `npm run check` synthesizes the same stack by the same rules.
  it('IN-1: template validation and the AWS Solutions rules find nothing in the default stack', {
    tags: ['long'],
  }, async () => {
    await checkRules({});
    expect(printed.join('')).not.toMatch(/ERROR|WARNING/);
  });

  it.each([
    ['every option is used', EVERYTHING_ON],
    ['the web ACL is one that exists', { webAcl: LITTLE.webAcl }],
  ])(
    'IN-1: template validation and the AWS Solutions rules find nothing when %s',
    { tags: ['long'] },
    async (_, options) => {
      await checkRules(options);
      expect(printed.join('')).not.toMatch(/ERROR|WARNING/);
    },
  );

  it('IN-1: template validation and the AWS Solutions rules stop the synthesis when a resource breaks a rule', async () => {
    using folder = temporaryFolder();
    const app = await gatewayAppIn(folder.path, { dashboard: false, monitoring: false }, true);
    new Bucket(Stack.of(app.node.findChild('IntegrationGateway')), 'Careless');
    expect(() => app.synth()).toThrow(/AwsSolutions-S10/);
  });

  it('template validation and the AWS Solutions rules find nothing when the construct is embedded in a stack with a known account', () => {
    using folder = temporaryFolder();
    const { app, stack, bundlesPath } = stackIn(folder.path, { account: '111122223333', region: 'eu-central-1' });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    new IntegrationGateway(stack, 'Gateway', { bundlesPath });
    app.synth();
    expect(printed.join('')).not.toContain('AwsSolutions');
  });
});

describe('IntegrationGateway', () => {
  it('refuses a stack without a region and says why', () => {
    using folder = temporaryFolder();
    const { stack, bundlesPath } = stackIn(folder.path, {});
    expect(() => new IntegrationGateway(stack, 'Gateway', { bundlesPath })).toThrow(/explicit region/);
  });

  it('refuses a stack whose name Cognito would refuse in the sign-in page’s address, and says what to set', () => {
    using folder = temporaryFolder();
    const { stack, bundlesPath } = stackIn(folder.path, undefined, 'AwsGateway');
    expect(() => new IntegrationGateway(stack, 'Gateway', { bundlesPath })).toThrow(
      /operatorDomainPrefix: .* set this option/,
    );
    new IntegrationGateway(stack, 'Named', { bundlesPath, operatorDomainPrefix: 'operators' });
    new IntegrationGateway(stack, 'Without', { bundlesPath, dashboard: false });
  });

  it('refuses what points into another region than its stack’s, and names every such option', () => {
    using folder = temporaryFolder();
    const { stack, bundlesPath } = stackIn(folder.path);
    const { alarmTopicArn, eventBusArn } = EVERYTHING_ON;
    expect(() => new IntegrationGateway(stack, 'Gateway', { bundlesPath, alarmTopicArn, eventBusArn })).toThrow(
      /eventBusArn: must be in the region.+alarmTopicArn: must be in the region/s,
    );
  });

  it('names the missing bundles and the command that makes them', () => {
    using folder = temporaryFolder();
    const { stack } = stackIn(folder.path);
    expect(() => new IntegrationGateway(stack, 'Gateway', { bundlesPath: folder.path })).toThrow(
      /holds no bundle of proxy, oauth-callback, connect, management, grants, refresh, approvals, mcp, feeds, deliver, core, inbox, events, roll-up, declared; run 'npm run build' first/,
    );
  });
});

describe('bin/gateway.ts', () => {
  it('prints every wrong option of the command line without a stack trace and writes nothing', () => {
    using folder = temporaryFolder();
    const outdir = join(folder.path, 'assembly');
    const context = { 'gateway:refreshSlices': '3', 'gateway:stage': 'v2' };
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, '..', '..', 'bin', 'gateway.ts')],
      {
        encoding: 'utf8',
        env: { PATH, NODE_COMPILE_CACHE, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) },
      },
    );
    expect(stderr.trim().split('\n')).toEqual([
      'These gateway options are not valid:',
      '  - gateway:refreshSlices: must divide 64',
      '  - gateway:stage: there is no such option',
    ]);
    expect(status).toBe(1);
    expect(existsSync(join(outdir, 'manifest.json'))).toBe(false);
  });
});

/**
 * Creates, updates and removes a stack as docs/deploy.md describes, with the project's commands and AWS's command line, against
 * moto's server instead of AWS. The tests follow one another.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { FUNCTION_NAMES, metricNamespace } from '../../../lambdas/gateway/core/contract.ts';
import { DASHBOARD_FOLDER, OUTPUTS_FILE } from '../../tools/deploy-dashboard.ts';
import { capture, type Output } from '../../tools/installed-programs.ts';
import { asObject, type Json, parseJson } from '../../tools/json.ts';
import { PROJECT_ROOT } from '../../tools/run.ts';
import { pythonTool } from '../tools.ts';
import { type Call, type Held, type MotoServer, startMoto } from './server.ts';
import { differences, resourcesOfTemplate } from './template.ts';

const REGION = 'eu-central-1';
const STACK = 'IntegrationGateway';
const OPERATOR = 'gateway:operatorEmail=first.operator@example.com';
const PAGE = readFileSync(join(PROJECT_ROOT, 'docs', 'deploy.md'), 'utf8').replaceAll(/\\\n\s*/g, '');
const COMMAND_TIMEOUT_MS = 300_000;

/** What `npm run verify` says of a stack that moto holds and that makes no processes, by claim; everything else holds. */
const NOT_VERIFIED: Readonly<Record<string, 'FAILED' | '-'>> = {
  // moto has no SimulatePrincipalPolicy.
  ...Object.fromEntries(
    FUNCTION_NAMES.map((name) => [
      `the ${name} function may do what it needs and nothing more, according to IAM’s simulation`,
      '-',
    ]),
  ),
  // moto evaluates no SERVICE_QUOTA.
  'the alarm of nearly exhausted concurrency has a value': 'FAILED',
  // moto has no GetAccountSettings of Lambda.
  'the account allows enough concurrent calls': 'FAILED',
  // Nothing listens at the addresses of moto's distributions and user pools.
  'the dashboard is served with its security headers': 'FAILED',
  'the dashboard is configured for this gateway': 'FAILED',
  'a missing file of the dashboard answers 404': 'FAILED',
  'operators’ sign-in can be reached': 'FAILED',
};

/** Properties that moto takes and forgets, by type. One that it has begun to keep fails the run: take it out here. */
const FORGOTTEN: Readonly<Record<string, readonly string[]>> = {
  'AWS::CloudFront::Distribution': [
    'DistributionConfig.DefaultCacheBehavior.FunctionAssociations',
    'DistributionConfig.Origins[0].OriginAccessControlId',
    'DistributionConfig.Origins[0].S3OriginConfig',
  ],
  'AWS::Lambda::Function': ['Architectures[0]', 'Code', 'LoggingConfig'],
  'AWS::S3::Bucket': ['PublicAccessBlockConfiguration'],
};

let moto: MotoServer;
let environment: NodeJS.ProcessEnv;
/** The CDK's own validation takes longer than all else of a synthesis: it judges each template once, where that is deployed first. */
const VALIDATED = { CDK_VALIDATION: 'true' };
const commandsRun = new Set<string>();

beforeAll(async () => {
  moto = await startMoto(REGION);
  const tools = dirname(await pythonTool('aws'));
  environment = { ...moto.environment, CDK_VALIDATION: 'false', PATH: `${tools}:${moto.environment.PATH ?? ''}` };
});
afterAll(async () => {
  await moto?.[Symbol.asyncDispose]();
});

/** Runs a command that must end well. */
async function succeed(command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Output> {
  const ended = await capture(command, args, { env: { ...environment, ...more }, timeoutMs: COMMAND_TIMEOUT_MS });
  if (ended.code !== 0) {
    const said = `${ended.out}\n${ended.err}`.split('\n').slice(-40).join('\n');
    throw new Error(
      `${command} ${args.join(' ')} ended with ${ended.code}:\n${said}\nmoto:\n${moto.log().slice(-3000)}`,
    );
  }
  return ended;
}

/** Deploys as docs/deploy.md says. @param validated none where the same template was deployed before */
function deploy(options: readonly string[], validated: NodeJS.ProcessEnv = VALIDATED): Promise<Output> {
  return succeed('npm', ['run', 'deploy', '--', '--require-approval', 'never', ...options], validated);
}

/** Runs a command of AWS's command line exactly as docs/deploy.md prints it, with its `<placeholders>` filled in. */
async function asPrinted(printed: string, values: Readonly<Record<string, string>>): Promise<Output> {
  expect(PAGE).toContain(printed);
  commandsRun.add(printed);
  const filled = printed.replaceAll(/<([^>]+)>/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${printed}: no value for <${name}>`);
    return value;
  });
  return capture('sh', ['-c', filled], { env: environment });
}

async function mustWork(printed: string, values: Readonly<Record<string, string>> = {}): Promise<Json> {
  const { code, out, err } = await asPrinted(printed, values);
  expect({ printed, code, err }).toMatchObject({ code: 0 });
  return /^[[{]/.test(out) ? parseJson(out, printed) : out.trim();
}

function template(): Json {
  return parseJson(readFileSync(join(PROJECT_ROOT, 'cdk.out', `${STACK}.template.json`), 'utf8'), 'template');
}

function outputs(): Record<string, string> {
  const all = z
    .record(z.string(), z.record(z.string(), z.string()))
    .parse(JSON.parse(readFileSync(OUTPUTS_FILE, 'utf8')));
  return all[STACK] ?? {};
}

/** Compares every resource that a service describes with the template. */
function compare(held: Held): void {
  const resources = resourcesOfTemplate(template());
  const pseudo = { 'AWS::AccountId': '123456789012', 'AWS::Partition': 'aws', 'AWS::URLSuffix': 'amazonaws.com' };
  const ids = { ...pseudo, ...Object.fromEntries(Object.entries(held).map(([logicalId, { id }]) => [logicalId, id])) };
  const unexpected: string[] = [];
  const forgotten = new Set<string>();
  for (const [logicalId, { type, properties }] of Object.entries(resources)) {
    const description = held[logicalId]?.description;
    if (description === undefined || description === null) continue;
    for (const difference of differences(properties, description, ids)) {
      const path = difference.slice(0, difference.indexOf(': '));
      if (FORGOTTEN[type]?.includes(path)) forgotten.add(`${type} ${path}`);
      else unexpected.push(`${logicalId} (${type}) ${difference}`);
    }
  }
  expect(unexpected).toEqual([]);
  const listed = Object.entries(FORGOTTEN).flatMap(([type, paths]) => paths.map((path) => `${type} ${path}`));
  expect([...forgotten].toSorted()).toEqual(listed.toSorted());
}

/** Compares the policies of each role with those that the template attaches to it. */
function comparePolicies(held: Held): number {
  const resources = resourcesOfTemplate(template());
  const ids = Object.fromEntries(Object.entries(held).map(([logicalId, { id }]) => [logicalId, id]));
  const policies = Object.values(resources).filter(({ type }) => type === 'AWS::IAM::Policy');
  for (const { properties } of policies) {
    const { PolicyDocument: asked, Roles: roles } = properties;
    const [role] = z.array(z.object({ Ref: z.string() })).parse(roles);
    const inline = held[role?.Ref ?? '']?.description?.InlinePolicies;
    expect(inline, role?.Ref).toBeInstanceOf(Array);
    expect(
      z
        .array(z.json())
        .parse(inline)
        .map((document) => differences(asked ?? null, document, ids)),
      role?.Ref,
    ).toContainEqual([]);
  }
  return policies.length;
}

describe('cdk bootstrap', () => {
  it('makes what a deployment needs', async () => {
    await succeed('cdk', ['bootstrap', `aws://123456789012/${REGION}`]);
    const described = await moto.ask('cloudformation', 'describe_stacks', { StackName: 'CDKToolkit' });
    expect(described).toMatchObject({ Stacks: [{ StackStatus: 'CREATE_COMPLETE' }] });
  });
});

describe('npm run deploy', () => {
  it('makes the stack', async () => {
    const { out } = await deploy(['-c', OPERATOR]);
    expect(out).toContain('The dashboard is at https://');
    const described = await moto.ask('cloudformation', 'describe_stacks', { StackName: STACK });
    expect(described).toMatchObject({ Stacks: [{ StackStatus: 'CREATE_COMPLETE' }] });
  });

  it('puts the code of every function where the template says', async () => {
    const Bucket = `cdk-hnb659fds-assets-123456789012-${REGION}`;
    const keys = Object.values(resourcesOfTemplate(template()))
      .filter(({ type }) => type === 'AWS::Lambda::Function')
      .map(({ properties }) => String(asObject(properties.Code, 'Code').S3Key));
    expect(keys.length).toBeGreaterThan(0);
    for (const one of await moto.askAll(keys.map((Key) => ['s3', 'head_object', { Bucket, Key }]))) {
      expect(one).toMatchObject({ ContentLength: expect.any(Number) });
    }
  });

  it('ends with the outputs that the page lists', () => {
    const table = PAGE.slice(PAGE.indexOf('| Output |'), PAGE.indexOf('### A first deploy that failed'));
    const listed = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    // Only a custom domain, a front door of proxied calls' own, and a deployment without some features have these.
    const optional = ['DomainTarget', 'ProxyUrl', 'ProxyDomainTarget', 'FeaturesLeftOut'];
    expect(Object.keys(outputs()).toSorted()).toEqual(listed.filter((name) => !optional.includes(name)).toSorted());
  });

  it('uploads the dashboard, which finds its API and its sign-in', async () => {
    const found = outputs();
    const Bucket = found.DashboardBucketName ?? '';
    const [listing, config, page] = await moto.askAll([
      ['s3', 'list_objects_v2', { Bucket }],
      ['s3', 'get_object', { Bucket, Key: 'config.json' }],
      ['s3', 'head_object', { Bucket, Key: 'index.html' }],
    ]);
    const keys = z
      .object({ Contents: z.array(z.object({ Key: z.string() })) })
      .parse(listing)
      .Contents.map((one) => one.Key);
    const built = readdirSync(DASHBOARD_FOLDER, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name).slice(DASHBOARD_FOLDER.length + 1))
      .filter((path) => !path.split('/').some((part) => part.startsWith('.')));
    expect(keys.toSorted()).toEqual([...new Set([...built, 'config.json'])].toSorted());
    expect(JSON.parse(z.object({ Body: z.string() }).parse(config).Body)).toEqual({
      api_base_url: found.BaseUrl,
      issuer: found.OperatorIssuer,
      client_id: found.OperatorClientId,
    });
    expect(page).toMatchObject({ ContentType: expect.stringMatching(/^text\/html/), CacheControl: 'no-store' });
  });

  it('leaves in AWS what the template asks for', async () => {
    const held = await moto.readBack(STACK);
    expect(Object.keys(held).toSorted()).toEqual(Object.keys(resourcesOfTemplate(template())).toSorted());
    compare(held);
    expect(comparePolicies(held)).toBeGreaterThan(0);
  });

  it('changes nothing when it is run again', async () => {
    const before = await moto.readBack(STACK);
    const { out } = await deploy(['-c', OPERATOR], {});
    expect(out).toContain('(no changes)');
    expect(identities(await moto.readBack(STACK))).toEqual(identities(before));
  });
});

/** The physical id of each resource that has one. */
function identities(held: Held): Record<string, string> {
  return Object.fromEntries(Object.entries(held).flatMap(([name, { id }]) => (id === null ? [] : [[name, id]])));
}

describe('the commands that the page prints', () => {
  it('tell what AWS has in a region', async () => {
    const services = await mustWork(
      "aws ssm get-parameters-by-path --path /aws/service/global-infrastructure/regions/<region>/services --query 'Parameters[].Value'",
      { region: REGION },
    );
    expect(z.array(z.string()).parse(services)).toContain('lambda');
  });

  it('find no first secret key before the first tick', async () => {
    const printed =
      'aws secretsmanager get-secret-value --secret-id <FirstSecretKeyArn> --query SecretString --output text';
    const { code, err } = await asPrinted(printed, outputs());
    expect(code).not.toBe(0);
    expect(err).toContain('ResourceNotFoundException');
  });

  it('invite another operator', async () => {
    await mustWork(
      'aws cognito-idp admin-create-user --user-pool-id <last part of OperatorIssuer> --username second.operator@example.com ' +
        '--user-attributes Name=email,Value=second.operator@example.com Name=email_verified,Value=true',
      { 'last part of OperatorIssuer': outputs().OperatorIssuer?.split('/').at(-1) ?? '' },
    );
  });
});

describe('npm run verify', () => {
  /** Its lines by claim: what is said of each. Hosts elsewhere have no address meanwhile. */
  async function verify(
    ...more: string[]
  ): Promise<{ code: number; out: string; err: string; said: Record<string, string> }> {
    const preload = `--import ${join(import.meta.dirname, 'loopback-only.mjs')}`;
    const { code, out, err } = await capture(
      'npm',
      ['run', 'verify', '--', '--stack', STACK, '--account-only', ...more],
      {
        env: { ...environment, ...VALIDATED, NODE_OPTIONS: preload },
        timeoutMs: COMMAND_TIMEOUT_MS,
      },
    );
    const lines = [...out.matchAll(/^(ok|FAILED|-) +(.+)$/gm)];
    return { code, out, err, said: Object.fromEntries(lines.map(([, verdict = '', claim = '']) => [claim, verdict])) };
  }

  it('says what to wait for before the first tick', async () => {
    const { code, err, said } = await verify();
    expect({ code, said }).toEqual({ code: 2, said: {} });
    expect(err).toContain('The first secret key was not written yet');
  });

  it('reports each function, alarm and metric, and what moto does not return', async () => {
    const [refresh = ''] = Object.values(await moto.readBack(STACK)).flatMap(({ type, id }) =>
      type === 'AWS::Lambda::Function' && id?.includes('RefreshFunction') ? [id] : [],
    );
    await moto.ask('secretsmanager', 'put_secret_value', {
      SecretId: outputs().FirstSecretKeyArn ?? '',
      SecretString: 'sk_default_made_by_a_test',
    });
    const before = await verify();
    expect(before.said).toMatchObject({
      'the refresh sweep ran in the last minutes': 'FAILED',
      // Nobody has used it, so it has counted nothing.
      'the gateway’s own metrics arrive': '-',
    });
    // What the refresh function would leave behind; no function is called here.
    await moto.askAll([
      [
        'cloudwatch',
        'put_metric_data',
        {
          Namespace: 'AWS/Lambda',
          MetricData: [{ MetricName: 'Invocations', Value: 1, Dimensions: [{ Name: 'FunctionName', Value: refresh }] }],
        },
      ],
      [
        'cloudwatch',
        'put_metric_data',
        { Namespace: metricNamespace(STACK), MetricData: [{ MetricName: 'Refresh', Value: 1 }] },
      ],
    ]);
    const { code, said } = await verify();
    expect(code).toBe(1);
    expect(Object.keys(said)).toHaveLength(FUNCTION_NAMES.length + 14);
    expect(Object.fromEntries(Object.entries(said).filter(([, verdict]) => verdict !== 'ok'))).toEqual(NOT_VERIFIED);
  });

  it('deploys a trial alongside the stack, waits for its first tick and removes it, whatever comes of it', async () => {
    const [echo, trial] = [`${STACK}-Verify-Echo`, `${STACK}-Verify`];
    const statusOf = async (StackName: string) => {
      const answer = await moto.ask('cloudformation', 'describe_stacks', { StackName });
      const { Stacks } = stacksSchema.parse(answer);
      return Stacks?.[0];
    };
    const verified = verify('--trial');
    // What the refresh function of the trial would do.
    const written = (async () => {
      const secretOf = async () =>
        (await statusOf(trial))?.Outputs?.find(({ OutputKey }) => OutputKey === 'FirstSecretKeyArn')?.OutputValue ?? '';
      let SecretId = '';
      await expect
        .poll(async () => (SecretId = await secretOf()), { timeout: COMMAND_TIMEOUT_MS, interval: 2_000 })
        .not.toBe('');
      await moto.ask('secretsmanager', 'put_secret_value', { SecretId, SecretString: 'sk_default_of_the_trial' });
    })();
    const [{ code, out, err }] = await Promise.all([verified, written]);
    expect(out).toContain('waiting for its first tick …');
    expect(out).toContain('removing both …');
    // No API of moto's answers at its address, so the trial's gateway cannot be asked anything.
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('is not on this computer') });
    expect([await statusOf(echo), await statusOf(trial)]).toEqual([undefined, undefined]);
    const [tables, schedules] = await moto.askAll([
      ['dynamodb', 'list_tables', {}],
      ['scheduler', 'list_schedules', {}],
    ]);
    // What the stack itself has: data, call log and journal; refreshes, feeds, deliveries and the roll-up.
    expect(z.object({ TableNames: z.array(z.string()) }).parse(tables).TableNames).toHaveLength(3);
    expect(z.object({ Schedules: z.array(z.unknown()) }).parse(schedules).Schedules).toHaveLength(4);
  });
});

const stacksSchema = z.object({
  Stacks: z
    .array(
      z.object({
        StackStatus: z.string(),
        Outputs: z.array(z.object({ OutputKey: z.string(), OutputValue: z.string() })).optional(),
      }),
    )
    .optional(),
});

describe('npm run deploy with other options', () => {
  const changed = [
    '-c',
    'gateway:refreshSlices=4',
    '-c',
    'gateway:refreshAhead=always',
    '-c',
    'gateway:monitoring=false',
  ];

  it('changes the stack to them and keeps what holds data', async () => {
    const before = identities(await moto.readBack(STACK));
    await deploy(['-c', OPERATOR, ...changed]);
    const held = await moto.readBack(STACK);
    const resources = resourcesOfTemplate(template());
    expect(Object.keys(held).toSorted()).toEqual(Object.keys(resources).toSorted());
    compare(held);
    comparePolicies(held);
    const after = identities(held);
    const ofType = (type: string) => Object.keys(resources).filter((name) => resources[name]?.type === type);
    // Four slices of refreshes, one of feeds, one of deliveries, the roll-up.
    expect(ofType('AWS::Scheduler::Schedule')).toHaveLength(7);
    for (const type of [
      'AWS::DynamoDB::GlobalTable',
      'AWS::KMS::Key',
      'AWS::SecretsManager::Secret',
      'AWS::S3::Bucket',
    ]) {
      expect(ofType(type).length, type).toBeGreaterThan(0);
      for (const name of ofType(type)) expect(after[name], name).toBe(before[name]);
    }
  });
});

describe('npx cdk destroy', () => {
  it('removes the stack and keeps what cannot be made again, until the printed commands remove that', async () => {
    const held = await moto.readBack(STACK);
    const idsOf = (type: string) =>
      Object.values(held).flatMap((one) => (one.type === type && one.id !== null ? [one.id] : []));
    const [table = ''] = idsOf('AWS::DynamoDB::GlobalTable');
    const [key = ''] = idsOf('AWS::KMS::Key');
    const [pool = ''] = idsOf('AWS::Cognito::UserPool');
    const [bucket = ''] = idsOf('AWS::S3::Bucket');
    const secrets = idsOf('AWS::SecretsManager::Secret');
    const logGroups = idsOf('AWS::Logs::LogGroup');
    const functions = idsOf('AWS::Lambda::Function');
    expect(functions.length).toBeGreaterThan(0);

    await succeed('cdk', ['destroy', '--force']);
    const [schedules, tables, ...gone] = await moto.askAll([
      ['scheduler', 'list_schedules', {}],
      ['dynamodb', 'list_tables', {}],
      ...functions.map((FunctionName): Call => ['lambda', 'get_function', { FunctionName }]),
    ]);
    expect(schedules).toMatchObject({ Schedules: [] });
    expect(tables).toEqual({ TableNames: [table] });
    expect(gone).toEqual(functions.map(() => ({ Error: 'ResourceNotFoundException' })));
    const kept = await moto.askAll(
      logGroups.map((logGroupNamePrefix) => ['logs', 'describe_log_groups', { logGroupNamePrefix }]),
    );
    for (const one of kept) expect(one).toMatchObject({ logGroups: [{}] });
    expect(logGroups.every((name) => name.startsWith(STACK))).toBe(true);

    await mustWork('aws dynamodb update-table --table-name <name> --no-deletion-protection-enabled', { name: table });
    await mustWork('aws dynamodb delete-table --table-name <name>', { name: table });
    expect(await moto.ask('dynamodb', 'list_tables', {})).toEqual({ TableNames: [] });

    await moto.ask('secretsmanager', 'create_secret', { Name: `${STACK}/integration/at-run-time` });
    const listed = await mustWork(
      'aws secretsmanager list-secrets --filters Key=name,Values=<stack name>/integration/',
      {
        'stack name': STACK,
      },
    );
    const made = z.object({ SecretList: z.array(z.object({ ARN: z.string() })) }).parse(listed).SecretList;
    expect(made).toHaveLength(1);
    for (const arn of [...made.map(({ ARN }) => ARN), ...secrets]) {
      await mustWork('aws secretsmanager delete-secret --secret-id <arn>', { arn });
    }
    expect(await moto.ask('secretsmanager', 'list_secrets', {})).toEqual({ SecretList: [] });

    await mustWork('aws cognito-idp update-user-pool --user-pool-id <id> --deletion-protection INACTIVE', { id: pool });
    expect(await moto.ask('cognito-idp', 'delete_user_pool', { UserPoolId: pool })).toEqual({});
    await mustWork('aws s3 rm --recursive s3://<DashboardBucketName>', { DashboardBucketName: bucket });
    await mustWork('aws s3 rb --force s3://<DashboardBucketName>', { DashboardBucketName: bucket });
    await mustWork('aws kms schedule-key-deletion --key-id <id>', { id: key });
    expect(await moto.ask('kms', 'describe_key', { KeyId: key })).toMatchObject({
      KeyMetadata: { KeyState: 'PendingDeletion' },
    });
  });

  it('leaves nothing of a stack whose removal policy is destroy', async () => {
    const options = ['-c', 'gateway:removalPolicy=destroy', '-c', 'gateway:dashboard=false'];
    await deploy(options);
    await succeed('cdk', ['destroy', '--force', ...options]);
    const [tables, secrets, roles] = await moto.askAll([
      ['dynamodb', 'list_tables', {}],
      ['secretsmanager', 'list_secrets', {}],
      ['iam', 'list_roles', {}],
    ]);
    expect(tables).toEqual({ TableNames: [] });
    expect(secrets).toEqual({ SecretList: [] });
    const names = z.object({ Roles: z.array(z.object({ RoleName: z.string() })) }).parse(roles).Roles;
    expect(names.filter(({ RoleName }) => RoleName.startsWith(STACK))).toEqual([]);
  });
});

it('runs every command of AWS’s that docs/deploy.md prints', () => {
  // Shown alongside a failure that is not made here, and one whose file is the reader's own.
  const notRun = ['aws cloudformation describe-stack-resources', 'aws secretsmanager create-secret'];
  const printed = [...PAGE.matchAll(/^(aws .+)$/gm), ...PAGE.matchAll(/`(aws [^`]+)`/g)].map(
    ([, command = '']) => command,
  );
  expect(printed.filter((command) => !notRun.some((start) => command.startsWith(start))).toSorted()).toEqual(
    [...commandsRun].toSorted(),
  );
});

describe('dev/second-opinions/README.md', () => {
  it('lists by type what moto cannot do', async () => {
    const { out } = await succeed(await pythonTool('python'), [join(import.meta.dirname, 'server.py'), '--types']);
    const types = z.record(z.string(), z.array(z.string())).parse(JSON.parse(out));
    const page = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
    for (const [row, names] of Object.entries({
      'made through the service': types.added,
      'identity only': types.identityOnly,
      'left as it was by an update': types.notUpdated,
      'left behind by a removal': types.notDeleted,
    })) {
      const [, cell = ''] = new RegExp(`^\\| ${row} \\|[^|]*\\|(.*)\\|$`, 'm').exec(page) ?? [];
      expect(
        [...cell.matchAll(/`([\w:]+)`/g)].map(([, name]) => `AWS::${name}`),
        row,
      ).toEqual(names);
    }
  });
});

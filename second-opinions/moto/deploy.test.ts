/**
 * The life of a stack as docs/deploy.md tells it, with the project's own commands and AWS's own command line, against moto's
 * server in place of AWS. The tests follow one another.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { asObject, type Json, parseJson } from '../../local/json.ts';
import { DASHBOARD_FOLDER, OUTPUTS_FILE } from '../../scripts/deploy-dashboard.ts';
import { PROJECT_ROOT } from '../../scripts/run.ts';
import { capture, type Output, pythonTool } from '../tools.ts';
import { type MotoServer, startMoto } from './server.ts';
import { differences, resourcesOfTemplate } from './template.ts';

const REGION = 'eu-central-1';
const STACK = 'IntegrationGateway';
const OPERATOR = 'gateway:operatorEmail=first.operator@example.com';
const PAGE = readFileSync(join(PROJECT_ROOT, 'docs', 'deploy.md'), 'utf8').replaceAll(/\\\n\s*/g, '');
const COMMAND_TIMEOUT_MS = 300_000;

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

const heldSchema = z.record(
  z.string(),
  z.object({
    type: z.string(),
    id: z.string().nullable(),
    description: z.record(z.string(), z.json()).nullable(),
  }),
);
type Held = z.output<typeof heldSchema>;

let moto: MotoServer;
let environment: NodeJS.ProcessEnv;
const commandsRun = new Set<string>();

beforeAll(async () => {
  moto = await startMoto(REGION);
  const tools = dirname(await pythonTool('aws'));
  environment = { ...moto.environment, PATH: `${tools}:${moto.environment.PATH ?? ''}` };
});
afterAll(async () => {
  await moto?.[Symbol.asyncDispose]();
});

/** Runs a command that must end well. */
async function succeed(command: string, ...args: string[]): Promise<Output> {
  const ended = await capture(command, args, { env: environment, timeoutMs: COMMAND_TIMEOUT_MS });
  if (ended.code !== 0) {
    const said = `${ended.out}\n${ended.err}`.split('\n').slice(-40).join('\n');
    throw new Error(
      `${command} ${args.join(' ')} ended with ${ended.code}:\n${said}\nmoto:\n${moto.log().slice(-3000)}`,
    );
  }
  return ended;
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

async function aws(...args: string[]): Promise<Json> {
  const { out } = await succeed('aws', ...args, '--output', 'json');
  return out.trim() === '' ? null : parseJson(out, args.join(' '));
}

/** What moto holds of the stack. */
async function readBack(): Promise<Held> {
  const script = join(import.meta.dirname, 'read_back.py');
  const { out } = await succeed(await pythonTool('python'), script, moto.endpoint, REGION, STACK);
  return heldSchema.parse(JSON.parse(out));
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

/** Compares every resource of which a service tells something with the template. */
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
    await succeed('cdk', 'bootstrap', `aws://123456789012/${REGION}`);
    const described = await aws('cloudformation', 'describe-stacks', '--stack-name', 'CDKToolkit');
    expect(described).toMatchObject({ Stacks: [{ StackStatus: 'CREATE_COMPLETE' }] });
  });
});

describe('npm run deploy', () => {
  it('makes the stack', async () => {
    const { out } = await succeed('npm', 'run', 'deploy', '--', '--require-approval', 'never', '-c', OPERATOR);
    expect(out).toContain('The dashboard is at https://');
    const described = await aws('cloudformation', 'describe-stacks', '--stack-name', STACK);
    expect(described).toMatchObject({ Stacks: [{ StackStatus: 'CREATE_COMPLETE' }] });
  });

  it('puts the code of every function where the template says', async () => {
    const assets = `cdk-hnb659fds-assets-123456789012-${REGION}`;
    const keys = Object.values(resourcesOfTemplate(template()))
      .filter(({ type }) => type === 'AWS::Lambda::Function')
      .map(({ properties }) => String(asObject(properties.Code, 'Code').S3Key));
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) await aws('s3api', 'head-object', '--bucket', assets, '--key', key);
  });

  it('ends with the outputs that the page lists', () => {
    const table = PAGE.slice(PAGE.indexOf('| Output |'), PAGE.indexOf('### A first deploy that failed'));
    const listed = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    // Only a custom domain has it.
    expect(Object.keys(outputs()).toSorted()).toEqual(listed.filter((name) => name !== 'DomainTarget').toSorted());
  });

  it('uploads the dashboard, which finds its API and its sign-in', async () => {
    const found = outputs();
    const bucket = found.DashboardBucketName ?? '';
    const listing = await aws('s3api', 'list-objects-v2', '--bucket', bucket);
    const keys = z
      .object({ Contents: z.array(z.object({ Key: z.string() })) })
      .parse(listing)
      .Contents.map((one) => one.Key);
    const built = readdirSync(DASHBOARD_FOLDER, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name).slice(DASHBOARD_FOLDER.length + 1))
      .filter((path) => !path.split('/').some((part) => part.startsWith('.')));
    expect(keys.toSorted()).toEqual([...new Set([...built, 'config.json'])].toSorted());
    const { out } = await succeed('aws', 's3', 'cp', `s3://${bucket}/config.json`, '-');
    expect(JSON.parse(out)).toEqual({
      api_base_url: found.BaseUrl,
      issuer: found.OperatorIssuer,
      client_id: found.OperatorClientId,
    });
    const page = await aws('s3api', 'head-object', '--bucket', bucket, '--key', 'index.html');
    expect(page).toMatchObject({ ContentType: expect.stringMatching(/^text\/html/), CacheControl: 'no-store' });
  });

  it('leaves in AWS what the template asks for', async () => {
    const held = await readBack();
    expect(Object.keys(held).toSorted()).toEqual(Object.keys(resourcesOfTemplate(template())).toSorted());
    compare(held);
    expect(comparePolicies(held)).toBeGreaterThan(0);
  });

  it('changes nothing when it is run again', async () => {
    const before = await readBack();
    const { out } = await succeed('npm', 'run', 'deploy', '--', '--require-approval', 'never', '-c', OPERATOR);
    expect(out).toContain('(no changes)');
    expect(identities(await readBack())).toEqual(identities(before));
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
    const before = identities(await readBack());
    await succeed('npm', 'run', 'deploy', '--', '--require-approval', 'never', '-c', OPERATOR, ...changed);
    const held = await readBack();
    const resources = resourcesOfTemplate(template());
    expect(Object.keys(held).toSorted()).toEqual(Object.keys(resources).toSorted());
    compare(held);
    comparePolicies(held);
    const after = identities(held);
    const ofType = (type: string) => Object.keys(resources).filter((name) => resources[name]?.type === type);
    expect(ofType('AWS::Scheduler::Schedule')).toHaveLength(4);
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
    const held = await readBack();
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

    await succeed('cdk', 'destroy', '--force');
    for (const name of functions) {
      const { code, err } = await capture('aws', ['lambda', 'get-function', '--function-name', name], {
        env: environment,
      });
      expect({ name, code: code !== 0, err }).toMatchObject({ code: true, err: expect.stringContaining('NotFound') });
    }
    expect(await aws('scheduler', 'list-schedules')).toMatchObject({ Schedules: [] });
    expect(await aws('dynamodb', 'list-tables')).toEqual({ TableNames: [table] });
    for (const name of logGroups) {
      expect(await aws('logs', 'describe-log-groups', '--log-group-name-prefix', name)).toMatchObject({
        logGroups: [{}],
      });
      expect(name.startsWith(STACK)).toBe(true);
    }

    await mustWork('aws dynamodb update-table --table-name <name> --no-deletion-protection-enabled', { name: table });
    await mustWork('aws dynamodb delete-table --table-name <name>', { name: table });
    expect(await aws('dynamodb', 'list-tables')).toEqual({ TableNames: [] });

    await aws('secretsmanager', 'create-secret', '--name', `${STACK}/integration/at-run-time`);
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
    expect(await aws('secretsmanager', 'list-secrets')).toEqual({ SecretList: [] });

    await mustWork('aws cognito-idp update-user-pool --user-pool-id <id> --deletion-protection INACTIVE', { id: pool });
    await aws('cognito-idp', 'delete-user-pool', '--user-pool-id', pool);
    await mustWork('aws s3 rm --recursive s3://<DashboardBucketName>', { DashboardBucketName: bucket });
    await mustWork('aws s3 rb --force s3://<DashboardBucketName>', { DashboardBucketName: bucket });
    await mustWork('aws kms schedule-key-deletion --key-id <id>', { id: key });
    expect(await aws('kms', 'describe-key', '--key-id', key)).toMatchObject({
      KeyMetadata: { KeyState: 'PendingDeletion' },
    });
  });

  it('leaves nothing of a stack whose removal policy is destroy', async () => {
    const options = ['-c', 'gateway:removalPolicy=destroy', '-c', 'gateway:dashboard=false'];
    await succeed('npm', 'run', 'deploy', '--', '--require-approval', 'never', ...options);
    await succeed('cdk', 'destroy', '--force', ...options);
    expect(await aws('dynamodb', 'list-tables')).toEqual({ TableNames: [] });
    expect(await aws('secretsmanager', 'list-secrets')).toEqual({ SecretList: [] });
    expect(await aws('iam', 'list-roles', '--query', `Roles[?starts_with(RoleName, '${STACK}')]`)).toEqual([]);
  });
});

it('runs every command of AWS’s that docs/deploy.md prints', () => {
  // Shown beside a failure that is not made here, and one whose file is the reader's own.
  const notRun = ['aws cloudformation describe-stack-resources', 'aws secretsmanager put-secret-value'];
  const printed = [...PAGE.matchAll(/^(aws .+)$/gm), ...PAGE.matchAll(/`(aws [^`]+)`/g)].map(
    ([, command = '']) => command,
  );
  expect(printed.filter((command) => !notRun.some((start) => command.startsWith(start))).toSorted()).toEqual(
    [...commandsRun].toSorted(),
  );
});

describe('second-opinions/README.md', () => {
  it('lists by type what moto cannot do', async () => {
    const { out } = await succeed(await pythonTool('python'), join(import.meta.dirname, 'server.py'), '--types');
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

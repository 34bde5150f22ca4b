/**
 * The stack as a plain CloudFormation template with the code of its functions, for teams without the CDK: one template for every
 * region and stack name, by parameters in place of what a synthesis fixes.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { zipSync } from 'fflate';
import * as z from 'zod';
import { cdkJsonContext } from '../../lib/gateway-app.ts';
import { gatewayOptionsSchema } from '../../lib/gateway-options.ts';
import { GatewayStack } from '../../lib/gateway-stack.ts';
import { buildFunctions } from '../build.ts';
import { PROJECT_ROOT } from '../run.ts';
import { packagedReadme, releaseVersion } from './pack.ts';

/** What the synthesis is given where the deployment's own value belongs. */
const FIXED = {
  stackName: 'NameOfTheStack',
  region: 'us-east-1',
  operatorEmail: 'operator@placeholder.invalid',
  operatorDomainPrefix: 'prefix-of-the-sign-in-page',
} as const;

/** What takes its place. */
const DEPLOYMENTS_OWN: readonly (readonly [fixed: string, value: unknown])[] = [
  [FIXED.stackName, { Ref: 'AWS::StackName' }],
  [FIXED.region, { Ref: 'AWS::Region' }],
  [FIXED.operatorEmail, { Ref: 'OperatorEmail' }],
  [
    FIXED.operatorDomainPrefix,
    {
      'Fn::If': [
        'HasDomainPrefix',
        { Ref: 'OperatorDomainPrefix' },
        { 'Fn::Join': ['-', ['gateway', { Ref: 'AWS::AccountId' }]] },
      ],
    },
  ],
];

const PARAMETERS = {
  CodeBucket: {
    Type: 'String',
    AllowedPattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
    Description: 'Bucket in the region of the stack that holds the zips of the functions',
  },
  CodePrefix: {
    Type: 'String',
    Default: '',
    AllowedPattern: '^([^/].*/)?$',
    Description: 'What the keys of the zips in that bucket begin with, such as gateway/; empty for none',
  },
  OperatorEmail: {
    Type: 'String',
    Default: '',
    Description: 'Address of the first operator, who is invited to the dashboard; empty for none',
  },
  OperatorDomainPrefix: {
    Type: 'String',
    Default: '',
    AllowedPattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$',
    Description:
      'First part of the address of the operators’ sign-in page, unique in the region; empty for gateway-<account>',
  },
} as const;

const CONDITIONS = {
  HasOperator: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'OperatorEmail' }, ''] }] },
  HasDomainPrefix: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'OperatorDomainPrefix' }, ''] }] },
};

/** The same content is the same file: the time that a zip notes is the first it can. */
const ZIP_OPTIONS = { level: 9, mtime: '1980-01-01T12:00:00' } as const;

const resourceSchema = z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) });
const templateSchema = z.looseObject({
  Resources: z.record(z.string(), resourceSchema),
  Outputs: z.record(z.string(), z.unknown()),
});

/** A template that deploys under any name in any region of the partition `aws`, and the code that it names. */
export interface PlainTemplate {
  readonly template: Readonly<Record<string, unknown>>;
  /** Zip of each function by its key below `CodePrefix`. */
  readonly zips: Readonly<Record<string, Uint8Array>>;
}

/**
 * Makes the plain template with default options.
 * @param bundlesPath folder with one bundle per function
 */
export function plainTemplate(bundlesPath: string): PlainTemplate {
  const outdir = mkdtempSync(join(tmpdir(), 'gateway-template-'));
  try {
    const app = new App({ context: cdkJsonContext(), analyticsReporting: false, autoSynth: false, outdir });
    const { stackName, region, operatorEmail, operatorDomainPrefix } = FIXED;
    const gateway = gatewayOptionsSchema.parse({ operatorEmail, operatorDomainPrefix });
    new GatewayStack(app, { config: { stackName, region, gateway }, bundlesPath });
    const [stack] = app.synth({ skipValidation: true }).stacks;
    // Nothing of the CDK takes part in the deployment, so no account needs its bootstrap.
    const { Parameters: _bootstrap, Rules: _version, ...made } = templateSchema.parse(stack?.template);
    const zips: Record<string, Uint8Array> = {};
    const resources = Object.entries(made.Resources).map(([id, resource]) => {
      if (resource.Type !== 'AWS::Lambda::Function') return [id, plainResource(resource)] as const;
      const { key, zip } = codeOf(id, resource, outdir);
      zips[key] = zip;
      const Code = { S3Bucket: { Ref: 'CodeBucket' }, S3Key: { 'Fn::Sub': `\${CodePrefix}${key}` } };
      return [id, plainResource({ ...resource, Properties: { ...resource.Properties, Code } })] as const;
    });
    const template = {
      AWSTemplateFormatVersion: '2010-09-09',
      ...made,
      Parameters: PARAMETERS,
      Conditions: CONDITIONS,
      Resources: Object.fromEntries(resources),
      Outputs: generalized(made.Outputs),
    };
    return { template, zips };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

type Resource = z.output<typeof resourceSchema>;

function plainResource({ Properties, Metadata: _paths, ...rest }: Resource): Record<string, unknown> {
  return {
    ...rest,
    ...(rest.Type === 'AWS::Cognito::UserPoolUser' ? { Condition: 'HasOperator' } : {}),
    Properties: generalized(Properties),
  };
}

/** The code of a function as the synthesis left it. Its key changes with it, so that an update of the stack takes it over. */
function codeOf(id: string, { Properties }: Resource, outdir: string): { key: string; zip: Uint8Array } {
  const { S3Key } = z.looseObject({ S3Key: z.string() }).parse(Properties.Code);
  const hash = S3Key.replace(/\.zip$/, '');
  const name = /^Gateway(?<name>\w+)Function/.exec(id)?.groups?.name?.toLowerCase() ?? id;
  const folder = join(outdir, `asset.${hash}`);
  const files = readdirSync(folder).toSorted();
  const content = Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file))]));
  return { key: `${name}-${hash.slice(0, 16)}.zip`, zip: zipSync(content, ZIP_OPTIONS) };
}

/** Makes the archive of template, code and instructions. @param into folder that receives it @returns its path */
export async function makeTemplateArchive(into: string): Promise<string> {
  const bundles = join(PROJECT_ROOT, 'dist', 'stage', 'template');
  await buildFunctions({ outputRoot: bundles });
  const { template, zips } = plainTemplate(join(bundles, 'lambdas'));
  const path = join(into, `integration-gateway-template-${releaseVersion()}.zip`);
  const texts = {
    'template.json': JSON.stringify(template, undefined, 1),
    'README.md': packagedReadme(readFileSync(join(import.meta.dirname, 'template-readme.md'), 'utf8')),
    LICENSE: readFileSync(join(PROJECT_ROOT, 'LICENSE'), 'utf8'),
  };
  const inside = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, new TextEncoder().encode(text)]),
  );
  const functions = Object.fromEntries(Object.entries(zips).map(([key, zip]) => [`functions/${key}`, zip]));
  writeFileSync(path, zipSync({ ...inside, ...functions }, ZIP_OPTIONS));
  return path;
}

/** Puts the deployment's own values into every text below a node; names of resources stay as they are. */
function generalized(node: unknown): unknown {
  if (typeof node === 'string') return generalizedText(node);
  if (Array.isArray(node)) return node.map(generalized);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      // Names of resources, and what has been given its place already.
      key === 'Ref' || key === 'Fn::GetAtt' || key === 'Fn::Sub' ? value : generalized(value),
    ]),
  );
}

function generalizedText(text: string): unknown {
  let parts: unknown[] = [text];
  for (const [fixed, value] of DEPLOYMENTS_OWN) {
    parts = parts.flatMap((part) =>
      typeof part === 'string'
        ? part.split(fixed).flatMap((piece, index) => (index === 0 ? [piece] : [value, piece]))
        : [part],
    );
  }
  const filled = parts.filter((part) => part !== '');
  return filled.length <= 1 ? (filled[0] ?? '') : { 'Fn::Join': ['', filled] };
}

/**
 * The stack as a plain CloudFormation template with the code of its functions, for teams without the CDK: one template for every
 * region and stack name, by parameters instead of what a synthesis fixes.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { zipSync } from 'fflate';
import * as z from 'zod';
import { cdkJsonContext } from '../../../lib/gateway-app.ts';
import { type GatewayOptions, gatewayOptionsSchema } from '../../../lib/gateway-options.ts';
import { GatewayStack } from '../../../lib/gateway-stack.ts';
import { buildFunctions } from '../build.ts';
import { withValidation } from '../cdk-validation.ts';
import { PROJECT_ROOT } from '../run.ts';
import { packagedReadme, releaseVersion } from './pack.ts';
import {
  DEPLOYMENTS_OWN,
  ENVIRONMENT_PARAMETERS,
  FIXED,
  FULL_OPTIONS,
  SWITCHES,
  TEMPLATE_PARAMETERS,
  TEMPLATE_RULES,
  VALUE_CONDITIONS,
} from './template-parameters.ts';
import { combine, moved, type Parts } from './template-switches.ts';

/** The same content is the same file: the time that a zip notes is the first it can. */
const ZIP_OPTIONS = { level: 9, mtime: '1980-01-01T12:00:00' } as const;

const resourceSchema = z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) });
const templateSchema = z.looseObject({
  Resources: z.record(z.string(), resourceSchema),
  Outputs: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const functionSchema = z.looseObject({
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
});

/** A template that deploys under any name in any region of the partition `aws`, and the code that it names. */
export interface PlainTemplate {
  readonly template: Readonly<Record<string, unknown>>;
  /** Zip of each function by its key below `CodePrefix`. */
  readonly zips: Readonly<Record<string, Uint8Array>>;
}

/**
 * Makes the plain template.
 * @param bundlesPath folder with one bundle per function
 */
export function plainTemplate(bundlesPath: string): PlainTemplate {
  const outdir = mkdtempSync(join(tmpdir(), 'gateway-template-'));
  try {
    const zips: Record<string, Uint8Array> = {};
    const made = (options: GatewayOptions): Parts => {
      const { Resources, Outputs } = synthesized(bundlesPath, outdir, options);
      const resources = Object.entries(Resources).map(([id, { Metadata: _paths, ...resource }]) => {
        if (resource.Type !== 'AWS::Lambda::Function') return [id, resource] as const;
        const { key, folder } = codeOf(id, resource, outdir);
        zips[key] ??= zipOf(folder);
        const Code = { S3Bucket: { Ref: 'CodeBucket' }, S3Key: { 'Fn::Sub': `\${CodePrefix}${key}` } };
        return [id, { ...resource, Properties: { ...resource.Properties, Code } }] as const;
      });
      const { AlarmReceiver: _written, ...outputs } = Outputs;
      return { Resources: Object.fromEntries(resources), Outputs: outputs };
    };
    const full = made(FULL_OPTIONS);
    const { Conditions, Resources, Outputs } = combine(
      full,
      SWITCHES.map(({ condition, otherwise, base }) => {
        const parts = made({ ...FULL_OPTIONS, ...base, ...otherwise });
        return {
          condition,
          parts: base === undefined ? parts : moved(full, made({ ...FULL_OPTIONS, ...base }), parts),
        };
      }),
    );
    const template = {
      AWSTemplateFormatVersion: '2010-09-09',
      Description: 'Integration gateway: OAuth connections to Google Drive and Google Calendar',
      Parameters: TEMPLATE_PARAMETERS,
      Rules: TEMPLATE_RULES,
      Conditions: {
        ...Object.fromEntries(SWITCHES.map(({ condition, when }) => [condition, when])),
        ...VALUE_CONDITIONS,
        ...Conditions,
      },
      Resources: Object.fromEntries(Object.entries(Resources).map(([id, resource]) => [id, plainResource(resource)])),
      Outputs: {
        ...Object.fromEntries(Object.entries(Outputs).map(([id, one]) => [id, generalized(one)])),
        AlarmReceiver,
      },
    };
    return { template, zips };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** States the receivers, because an alarm without any looks the same. */
const AlarmReceiver = {
  Description: 'Who is notified when an alarm fires',
  Value: {
    'Fn::If': [
      'HasAlarmTopic',
      {
        'Fn::If': [
          'HasAlarmEmail',
          { 'Fn::Join': [' and ', [{ Ref: 'AlarmTopicArn' }, { Ref: 'AlarmEmail' }]] },
          { Ref: 'AlarmTopicArn' },
        ],
      },
      {
        'Fn::If': [
          'HasAlarmEmail',
          { Ref: 'AlarmEmail' },
          'nobody: set the parameter AlarmEmail to an address, or AlarmTopicArn to an SNS topic',
        ],
      },
    ],
  },
};

/** The template of a stack with these options, without what the CDK adds for its own deployments. */
function synthesized(bundlesPath: string, outdir: string, options: GatewayOptions): z.output<typeof templateSchema> {
  const app = new App({ context: cdkJsonContext(), analyticsReporting: false, autoSynth: false, outdir });
  const { stackName, region } = FIXED;
  new GatewayStack(app, { config: { stackName, region, gateway: gatewayOptionsSchema.parse(options) }, bundlesPath });
  // Of these templates one is made, which cfn-lint judges.
  const [stack] = withValidation(false, () => app.synth({ skipValidation: true })).stacks;
  return templateSchema.parse(stack?.template);
}

type Resource = z.output<typeof resourceSchema>;

function plainResource(resource: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { Properties, ...rest } = resource;
  if (Properties === undefined) return rest;
  return { ...rest, Properties: withEnvironment(resource.Type, generalized(Properties)) };
}

/** Gives a function its settings from the parameters. */
function withEnvironment(type: unknown, properties: unknown): unknown {
  if (type !== 'AWS::Lambda::Function') return properties;
  const { Environment, ...rest } = functionSchema.parse(properties);
  const Variables = Object.fromEntries(
    Object.entries(Environment.Variables).map(([name, value]) => {
      const parameter = Object.hasOwn(ENVIRONMENT_PARAMETERS, name) ? ENVIRONMENT_PARAMETERS[name] : undefined;
      return [name, parameter === undefined ? value : { Ref: parameter }];
    }),
  );
  return { ...rest, Environment: { Variables } };
}

/** The code of a function as the synthesis left it. Its key changes with it, so that an update of the stack takes it over. */
function codeOf(id: string, { Properties }: Resource, outdir: string): { key: string; folder: string } {
  const { S3Key } = z.looseObject({ S3Key: z.string() }).parse(Properties.Code);
  const hash = S3Key.replace(/\.zip$/, '');
  const name = /^Gateway(?<name>\w+)Function/.exec(id)?.groups?.name?.toLowerCase() ?? id;
  return { key: `${name}-${hash.slice(0, 16)}.zip`, folder: join(outdir, `asset.${hash}`) };
}

function zipOf(folder: string): Uint8Array {
  const files = readdirSync(folder).toSorted();
  return zipSync(Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file))])), ZIP_OPTIONS);
}

/** Makes the archive of template, code and instructions. @param into folder that receives it @returns its path */
export async function makeTemplateArchive(into: string): Promise<string> {
  await buildFunctions();
  const { template, zips } = plainTemplate(join(PROJECT_ROOT, 'dist', 'lambdas'));
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
  if (typeof node === 'number') return DEPLOYMENTS_OWN.find(([fixed]) => fixed === node)?.[1] ?? node;
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
    if (typeof fixed === 'number') continue;
    parts = parts.flatMap((part) =>
      typeof part === 'string'
        ? part.split(fixed).flatMap((piece, index) => (index === 0 ? [piece] : [value, piece]))
        : [part],
    );
  }
  const filled = parts.filter((part) => part !== '');
  return filled.length <= 1 ? (filled[0] ?? '') : { 'Fn::Join': ['', filled] };
}

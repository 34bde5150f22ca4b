/**
 * What a release keeps: the resources that hold data or whose address others know. Compared with the stack of today, so
 * that no update replaces one of them unnoticed.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { createGatewayApp } from '../../lib/gateway-app.ts';
import { PROJECT_ROOT } from './run.ts';

/** The kept part of the last release's template, as released with default options. */
export const RELEASED_TEMPLATE = join(PROJECT_ROOT, 'lib', 'released', 'kept-resources.template.json');

/** What is lost when a resource of this type is replaced or removed. */
export const KEPT_TYPES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'every connection',
  'AWS::KMS::Key': 'every token',
  'AWS::SecretsManager::Secret': 'keys and client credentials',
  'AWS::Cognito::UserPool': 'every operator',
  'AWS::Cognito::UserPoolDomain': 'the address of the sign-in page',
  'AWS::S3::Bucket': 'the files of the dashboard',
  'AWS::Logs::LogGroup': 'logs',
  'AWS::Events::EventBus': 'the rules of subscribers',
  'AWS::ApiGateway::RestApi': 'the address of the gateway and every registered redirect URI',
  'AWS::ApiGateway::Stage': 'the address of the gateway and every registered redirect URI',
  'AWS::CloudFront::Distribution': 'the address of the dashboard',
};

const templateSchema = z.looseObject({ Resources: z.record(z.string(), z.looseObject({ Type: z.string() })) });

/** The kept resources of a template. */
export function keptPart(template: unknown): z.output<typeof templateSchema> {
  const { Resources } = templateSchema.parse(template);
  const kept = Object.entries(Resources).filter(([, { Type }]) => Type in KEPT_TYPES);
  return { Resources: Object.fromEntries(kept) };
}

/** Lines of `cdk diff` such as `[~] AWS::KMS::Key Gateway/TokenKey/Key GatewayTokenKey0123 replace`. */
const IMPACT = /^\[[-~]\] (?<type>AWS::\S+) (?<names>.+?) (?<impact>replace|may be replaced|destroy|orphan)$/gm;

/** Closes every comparison that `cdk diff` finished. */
const FINISHED = 'Number of stacks with differences';

/**
 * Names what a change would lose, a line for each resource, from the text that `cdk diff` prints without colours.
 *
 * @throws Error with the text when it is not that of a finished comparison
 */
export function lossesIn(diff: string): string[] {
  if (!diff.includes(FINISHED)) throw new Error(`cdk diff failed:\n${diff.trim()}`);
  return [...diff.matchAll(IMPACT)].flatMap(({ groups: { type = '', names = '', impact = '' } = {} }) => {
    const loss = KEPT_TYPES[type];
    return loss === undefined ? [] : [`${names} (${type}): ${impact}. Lost with it: ${loss}.`];
  });
}

/** The stack as it is now, with default options whatever `cdk.json` says. */
export interface Synthesis extends Disposable {
  readonly folder: string;
  readonly template: unknown;
}

/** Synthesizes the stack into a temporary folder. Needs the bundles. @param bundlesPath where they are; dist/lambdas */
export async function synthesizeDefaults(bundlesPath?: string): Promise<Synthesis> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-release-'));
  const app = await createGatewayApp({
    environment: {},
    checkRules: false,
    ignoreOptions: true,
    outdir: folder,
    ...(bundlesPath === undefined ? {} : { bundlesPath }),
  });
  // The rules are another check's work.
  const [stack] = app.synth({ skipValidation: true }).stacks;
  return {
    folder,
    template: stack?.template,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Compares a released template with a synthesis by `cdk diff`, which knows for each property whether its change replaces
 * the resource. Needs no network and no account.
 *
 * @returns what the change would lose, a line each
 * @throws Error with the output of a comparison that failed
 */
export async function lossesSince(releasedTemplate: string, { folder }: Synthesis): Promise<string[]> {
  const cdk = join(PROJECT_ROOT, 'node_modules', '.bin', 'cdk');
  const args = ['diff', '--app', folder, '--template', releasedTemplate, '--no-change-set', '--no-color'];
  const child = spawn(cdk, args, { cwd: PROJECT_ROOT, env: { ...process.env, CI: 'true', NO_COLOR: '1' } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return lossesIn(output);
}

/**
 * What this version gives up of the last one's on purpose, by logical id, each with the reason; `CHANGELOG.md` says under Breaking what to do.
 * A new version begins with none.
 */
export const GIVEN_UP = join(PROJECT_ROOT, 'lib', 'released', 'given-up.json');

/**
 * Losses that nobody decided on, and decisions that lose nothing.
 * @param losses as `lossesSince` names them
 * @param givenUp reasons by logical id
 */
export function undecided(losses: readonly string[], givenUp: Readonly<Record<string, string>>): string[] {
  const ids = Object.keys(givenUp);
  return [
    ...losses.filter((loss) => !ids.some((id) => loss.includes(`${id} `))),
    ...ids
      .filter((id) => !losses.some((loss) => loss.includes(`${id} `)))
      .map((id) => `${id} is given up in lib/released/given-up.json and is not lost.`),
  ];
}

/** Losses from the last release that nobody decided on. @throws Error with the output of a comparison that failed */
export async function undecidedLosses(synthesis: Synthesis): Promise<string[]> {
  const givenUp = z.record(z.string(), z.string().min(1)).parse(JSON.parse(readFileSync(GIVEN_UP, 'utf8')));
  return undecided(await lossesSince(RELEASED_TEMPLATE, synthesis), givenUp);
}

/** Writes the kept part of the stack of today as the release's, of which nothing is given up yet. */
export async function renewReleasedTemplate(): Promise<void> {
  using synthesis = await synthesizeDefaults();
  const { version } = z
    .looseObject({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')));
  const released = { Description: `Kept resources of release ${version}`, ...keptPart(synthesis.template) };
  writeFileSync(RELEASED_TEMPLATE, `${JSON.stringify(released, undefined, 2)}\n`);
  writeFileSync(GIVEN_UP, '{}\n');
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { FUNCTION_NAMES } from '../../lambdas/gateway/core/contract.ts';
import { CONTEXT_PREFIX } from '../../lib/config.ts';
import { createGatewayApp } from '../../lib/gateway-app.ts';
import { withValidation } from '../tools/cdk-validation.ts';

/** A temporary folder that goes away with the `using` block that holds it. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'gateway-infrastructure-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Writes a bundle for every function, so that a synthesis does not depend on a build. */
export function writePlaceholderBundles(folder: string): string {
  const bundlesPath = join(folder, 'bundles');
  for (const name of FUNCTION_NAMES) {
    mkdirSync(join(bundlesPath, name), { recursive: true });
    writeFileSync(join(bundlesPath, name, 'index.mjs'), `export const handler = () => '${name}';\n`);
  }
  return bundlesPath;
}

/** Templates by their options, so that files of one worker synthesize the same stack once. */
const synthesized = new Map<string, Promise<unknown>>();

/** Synthesizes the gateway's stack with options given as context without the `gateway:` prefix. */
export async function synthesize(options: Record<string, unknown> = {}): Promise<Template> {
  const key = JSON.stringify(options);
  const template = synthesized.get(key) ?? synthesizeNow(options, false);
  synthesized.set(key, template);
  return Template.fromJSON(z.record(z.string(), z.unknown()).parse(structuredClone(await template)));
}

/** Synthesizes it with template validation and the AWS Solutions rules, whose findings throw. */
export async function checkRules(options: Record<string, unknown>): Promise<void> {
  await synthesizeNow(options, true);
}

async function synthesizeNow(options: Record<string, unknown>, checkRules: boolean): Promise<unknown> {
  using folder = temporaryFolder();
  const app = await gatewayAppIn(folder.path, options, checkRules);
  const [stack] = withValidation(checkRules, () => app.synth()).stacks;
  return stack?.template;
}

/** Options as the CDK's context has them. */
export function contextOf(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [CONTEXT_PREFIX + name, value]));
}

/** The CDK app as it is deployed, with options as `synthesize` takes them, which writes into a folder. */
export function gatewayAppIn(folder: string, options: Record<string, unknown>, checkRules: boolean): Promise<App> {
  const context = contextOf(options);
  const bundlesPath = writePlaceholderBundles(folder);
  return createGatewayApp({ environment: {}, checkRules, context, outdir: join(folder, 'assembly'), bundlesPath });
}

const resourceSchema = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z.union([z.string().transform((id) => [id]), z.array(z.string())]).default([]),
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
});

/** A resource of a template with defaults in place. */
export type TemplateResource = z.output<typeof resourceSchema>;

/** All resources of a template by logical id; of one type, if given. */
export function resourcesOf(template: Template, type?: string): Record<string, TemplateResource> {
  const { Resources } = z.looseObject({ Resources: z.record(z.string(), resourceSchema) }).parse(template.toJSON());
  return Object.fromEntries(
    Object.entries(Resources).filter(([, resource]) => type === undefined || resource.Type === type),
  );
}

/** The one resource of a type whose logical id begins so. */
export function onlyResource(template: Template, type: string, prefix = ''): TemplateResource {
  const found = Object.entries(resourcesOf(template, type)).filter(([logicalId]) => logicalId.startsWith(prefix));
  const [resource, ...others] = found.map(([, one]) => one);
  if (resource === undefined || others.length > 0) {
    throw new Error(`The template has ${others.length + (resource === undefined ? 0 : 1)} resources of type ${type}.`);
  }
  return resource;
}

const refSchema = z.strictObject({ Ref: z.string() });
const getAttSchema = z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });
const joinSchema = z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

/** Renders an intrinsic as text: `<Table.Arn>/index/due`; logical ids without their hash. */
export function flatten(value: unknown): string {
  const withoutHash = (logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, '');
  if (typeof value === 'string') {
    return value;
  }
  const ref = refSchema.safeParse(value);
  if (ref.success) {
    return `<${withoutHash(ref.data.Ref)}>`;
  }
  const getAtt = getAttSchema.safeParse(value);
  if (getAtt.success) {
    const [logicalId, attribute] = getAtt.data['Fn::GetAtt'];
    return `<${withoutHash(logicalId)}.${attribute}>`;
  }
  const [separator, parts] = joinSchema.parse(value)['Fn::Join'];
  return parts.map(flatten).join(separator);
}

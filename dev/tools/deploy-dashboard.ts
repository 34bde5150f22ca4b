/**
 * Puts the built dashboard where the stack serves it: files first, `config.json` from the stack's outputs, `index.html`
 * last, so that a page never names a file that is not there yet. Nothing is invalidated: the edge keeps pages not at all
 * and hashed files for good.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as z from 'zod';
import { dashboardCacheControl } from '../../lambdas/gateway/core/contract.ts';
import type { SiteBucket, SiteObject } from './bucket-writer.ts';
import { contentTypeOf } from './content-type.ts';
import { PROJECT_ROOT } from './run.ts';

/** Where `dev/tools/deploy.ts` leaves the outputs of the stack. */
export const OUTPUTS_FILE = join(PROJECT_ROOT, 'dist', 'stack-outputs.json');
/** The built dashboard. */
export const DASHBOARD_FOLDER = join(PROJECT_ROOT, 'packages', 'dashboard', 'dist');

/** What the dashboard reads of an issuer's metadata (OpenID Connect Discovery 1.0, section 3). */
const endpointsSchema = z.object({
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  revocation_endpoint: z.url().optional(),
  end_session_endpoint: z.url().optional(),
});
type IssuerEndpoints = z.output<typeof endpointsSchema>;

/** How long the issuer has to answer a deploy. */
const ISSUER_WAIT_MS = 10_000;

/** Where the site is and what it has to know. */
export interface DashboardTarget extends SiteBucket {
  readonly url: string;
  readonly config: {
    readonly api_base_url: string;
    readonly proxy_url?: string;
    readonly issuer: string;
    readonly client_id: string;
    readonly without?: readonly string[];
    readonly issuer_endpoints?: IssuerEndpoints;
  };
}

const stackSchema = z.looseObject({
  BaseUrl: z.url(),
  ProxyUrl: z.url().optional(),
  FirstSecretKeyArn: z.string().regex(/^arn:[^:]+:secretsmanager:[a-z0-9-]+:/),
  DashboardUrl: z.url(),
  DashboardBucketName: z.string().min(1),
  OperatorIssuer: z.url(),
  OperatorClientId: z.string().min(1),
  FeaturesLeftOut: z.string().min(1).optional(),
});

/**
 * Reads the outputs that `cdk deploy --outputs-file` wrote.
 * @returns undefined for a stack without a dashboard
 * @throws Error when the file is no outputs file of this stack
 */
export function dashboardTarget(outputs: unknown): DashboardTarget | undefined {
  const [stack, ...others] = Object.values(z.record(z.string(), z.looseObject({})).parse(outputs));
  if (stack === undefined || others.length > 0)
    throw new Error('The outputs of exactly one stack are needed. Deploy first.');
  if (stack.DashboardUrl === undefined) return undefined;
  const found = stackSchema.parse(stack);
  return {
    url: found.DashboardUrl,
    bucketName: found.DashboardBucketName,
    region: found.FirstSecretKeyArn.split(':')[3] ?? '',
    config: {
      api_base_url: found.BaseUrl,
      ...(found.ProxyUrl === undefined ? {} : { proxy_url: found.ProxyUrl }),
      issuer: found.OperatorIssuer,
      client_id: found.OperatorClientId,
      ...(found.FeaturesLeftOut === undefined ? {} : { without: found.FeaturesLeftOut.split(',') }),
    },
  };
}

/**
 * Every object of the site in the order in which it has to arrive.
 * @throws Error when the dashboard is not built
 */
export async function siteObjects(folder: string, config: DashboardTarget['config']): Promise<SiteObject[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const keys = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    // What tools leave for each other, and what this deployment writes itself.
    .filter((key) => !key.split('/').some((part) => part.startsWith('.')) && key !== 'config.json')
    .toSorted();
  if (!keys.includes('index.html')) {
    throw new Error(
      `${folder} holds no index.html. Run npm run build --workspace @integration-gateway/dashboard first.`,
    );
  }
  const files = await Promise.all(keys.map(async (key) => siteObject(key, await readFile(join(folder, key)))));
  return [
    ...files.filter(({ key }) => key !== 'index.html'),
    siteObject('config.json', new TextEncoder().encode(JSON.stringify(config))),
    ...files.filter(({ key }) => key === 'index.html'),
  ];
}

function siteObject(key: string, body: Uint8Array): SiteObject {
  return { key, body, contentType: contentTypeOf(key), cacheControl: dashboardCacheControl(key) };
}

/** Uploads in order: hashed files side by side, then one after the other what decides which of them are used. */
export async function uploadSite(
  objects: readonly SiteObject[],
  put: (object: SiteObject) => Promise<void>,
): Promise<void> {
  const last = ['config.json', 'index.html'];
  await Promise.all(objects.filter(({ key }) => !last.includes(key)).map(put));
  for (const key of last) {
    for (const object of objects.filter((one) => one.key === key)) await put(object);
  }
}

/**
 * Reads the addresses that a sign-in needs: browsers then need not fetch them before and after each sign-in.
 * @returns undefined where the issuer does not answer as expected; the dashboard then asks it itself
 */
export async function readIssuerEndpoints(issuer: string): Promise<IssuerEndpoints | undefined> {
  try {
    const signal = AbortSignal.timeout(ISSUER_WAIT_MS);
    const answer = await fetch(`${issuer}/.well-known/openid-configuration`, { signal });
    return endpointsSchema.parse(await answer.json());
  } catch {
    return undefined;
  }
}

/** Uploads the built dashboard of the last deploy. @returns its address, or undefined for a stack without one */
export async function deployDashboard(): Promise<string | undefined> {
  const target = dashboardTarget(JSON.parse(await readFile(OUTPUTS_FILE, 'utf8')));
  if (target === undefined) return undefined;
  const endpoints = await readIssuerEndpoints(target.config.issuer);
  const config = { ...target.config, ...(endpoints === undefined ? {} : { issuer_endpoints: endpoints }) };
  const objects = await siteObjects(DASHBOARD_FOLDER, config);
  const { bucketWriter } = await import('./bucket-writer.ts');
  await uploadSite(objects, bucketWriter(target));
  return target.url;
}

if (import.meta.main) {
  const url = await deployDashboard();
  console.log(url === undefined ? 'This stack has no dashboard.' : `The dashboard is at ${url}`);
}

import type { TestGateway } from './gateway.ts';
import { control } from './simulator.ts';

export const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive';
export const DOMAIN = 'workspace.example';
export const EDITOR = `editor@${DOMAIN}`;
export const VIEWER = `viewer@${DOMAIN}`;
export const POOL =
  '//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/aws/providers/gateway';

/** A service account at the simulator. */
export interface Robot {
  readonly email: string;
  readonly clientId: string;
  /** The file of a key of it. */
  readonly key: Record<string, string>;
}

/** Adds a service account that the gateway's role may act as. */
export async function makeRobot(test: TestGateway, name: string): Promise<Robot> {
  const email = `${name}@project.iam.gserviceaccount.com`;
  const made = Object(await control(test, 'POST', '/delegates', { email, createKey: true, principals: [POOL] }));
  return { email, clientId: String(made.clientId), key: made.key };
}

/** Lists scopes for a service account as the domain's administrator; null removes the listing. */
export function list(test: TestGateway, { clientId }: Robot, scopes: readonly string[] | null, more: object = {}) {
  return control(test, 'POST', '/delegation', { clientId, scopes, ...more });
}

/** Creates an integration of kind delegated for a service account. */
export async function makeIntegration(
  test: TestGateway,
  robot: Robot,
  more: {
    readonly uniqueKey?: string;
    readonly via?: 'aws' | 'key';
    readonly subjects?: object;
    readonly scopes?: readonly string[];
    readonly new_subjects_per_hour?: number;
  } = {},
): Promise<string> {
  const { via = 'aws', subjects = { domains: [DOMAIN] }, scopes = ['drive'], ...rest } = more;
  const { uniqueKey = `${robot.email.split('@')[0]}-${via}`, ...others } = rest;
  const answer = await test.json('POST', '/integrations', {
    provider: 'google-drive',
    unique_key: uniqueKey,
    kind: 'delegated',
    scopes,
    delegation: {
      service_account: robot.email,
      client_id: robot.clientId,
      project_number: '123456789012',
      via,
      ...(via === 'aws' ? { audience: POOL } : { key: robot.key }),
      subjects,
      ...others,
    },
  });
  if (answer.status !== 200 && answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return uniqueKey;
}

/** Connects a user. @returns the id of the connection */
export async function connectUser(test: TestGateway, integration: string, subject: string): Promise<string> {
  const { status, body } = await test.json('POST', '/connections', { provider_config_key: integration, subject });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.connection_id;
}

/** A link for the administrator of a customer's domain. @returns the token of its session */
export async function adminLink(
  test: TestGateway,
  integration: string,
  more: { readonly organization?: { id: string; display_name?: string }; readonly language?: string } = {},
): Promise<string> {
  const { organization = { id: 'acme', display_name: 'Acme' }, ...rest } = more;
  const body = { integration_id: integration, organization, ...rest };
  const answer = await test.json('POST', '/connect/sessions/admin', body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.data.token;
}

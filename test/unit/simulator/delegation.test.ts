import { createPrivateKey, sign } from 'node:crypto';
import { AwsClient, type AwsClientOptions } from 'google-auth-library';
import { describe, expect, test } from 'vitest';
import type { Simulator } from '../../../packages/simulator/index.ts';
import { callsOf, control, startTestSimulator } from './harness.ts';
import { EDITOR, FIRST, VIEWER } from './names.ts';
import { type Json, readJson, record, text } from './values.ts';

const DRIVE = 'https://www.googleapis.com/auth/drive';
const CALENDAR = 'https://www.googleapis.com/auth/calendar';
const ROBOT = 'robot@project.iam.gserviceaccount.com';
const POOL = '//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/aws/providers/aws';

interface Robot {
  readonly simulator: Simulator;
  readonly clientId: string;
  readonly keyId: string;
  readonly privateKey: string;
}

async function makeRobot(): Promise<Robot> {
  const simulator = await startTestSimulator();
  const made = await control(simulator, 'POST', 'delegates', {
    email: ROBOT,
    createKey: true,
    principals: [POOL],
  });
  const key = record(made.key);
  return {
    simulator,
    clientId: text(made.clientId),
    keyId: text(key.private_key_id),
    privateKey: text(key.private_key),
  };
}

function assertionOf({ simulator, keyId, privateKey }: Robot, claims: Record<string, unknown>): string {
  const nowSec = Math.floor(Date.now() / 1000);
  const aud = simulator.endpoints.token_endpoint;
  const all = { iss: ROBOT, scope: DRIVE, aud, iat: nowSec, exp: nowSec + 3600, ...claims };
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${encode({ alg: 'RS256', typ: 'JWT', kid: keyId })}.${encode(all)}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), createPrivateKey(privateKey)).toString('base64url')}`;
}

async function exchange({ simulator }: Pick<Robot, 'simulator'>, assertion: string): Promise<Json> {
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
  const answer = await fetch(simulator.endpoints.token_endpoint, { method: 'POST', body });
  return { status: answer.status, ...(await readJson(answer)) };
}

const ask = (robot: Robot, claims: Record<string, unknown>) => exchange(robot, assertionOf(robot, claims));
const list = ({ simulator, clientId }: Robot, more: Record<string, unknown>) =>
  control(simulator, 'POST', 'delegation', { clientId, ...more });

describe('domain-wide delegation of the simulator', () => {
  test('an assertion for a user of a domain that lists the client brings an access token and no refresh token', async () => {
    const robot = await makeRobot();
    await list(robot, { scopes: [DRIVE] });
    const answer = await ask(robot, { sub: EDITOR });
    expect(answer).toMatchObject({ status: 200, token_type: 'Bearer', expires_in: 3599 });
    expect(answer).not.toHaveProperty('refresh_token');
    const about = await callsOf(robot.simulator, text(answer.access_token)).json('/drive/v3/about?fields=user');
    expect(record(about.user).emailAddress).toBe(EDITOR);
  });

  test('a listing counts after its delay, and taking it off ends what was given', async () => {
    const robot = await makeRobot();
    await list(robot, { scopes: [DRIVE], delaySec: 600 });
    expect(await ask(robot, { sub: EDITOR })).toMatchObject({ status: 401, error: 'unauthorized_client' });
    await list(robot, { scopes: [DRIVE] });
    const token = text((await ask(robot, { sub: EDITOR })).access_token);
    await list(robot, { scopes: null });
    expect(await callsOf(robot.simulator, token).status('/drive/v3/about?fields=user')).toBe(401);
  });

  test('one scope that is not listed refuses the whole request', async () => {
    const robot = await makeRobot();
    await list(robot, { scopes: [DRIVE] });
    expect(await ask(robot, { sub: EDITOR, scope: `${DRIVE} ${CALENDAR}` })).toMatchObject({ error: 'access_denied' });
  });

  test('every refusal has the code and the words of Google', async () => {
    const robot = await makeRobot();
    await list(robot, { scopes: [DRIVE] });
    const nowSec = Math.floor(Date.now() / 1000);
    const said = async (claims: Record<string, unknown>) => {
      const { error, error_description } = await ask(robot, claims);
      return `${String(error)}: ${String(error_description)}`;
    };
    expect(await said({ sub: 'nobody@workspace.example' })).toBe('invalid_grant: Invalid email or User ID');
    expect(await said({ sub: FIRST })).toContain('unauthorized_client: Client is unauthorized');
    expect(await said({ sub: EDITOR, iss: 'other@project.iam.gserviceaccount.com' })).toContain('account not found');
    expect(await said({ sub: EDITOR, exp: nowSec + 7200 })).toContain('Token must be a short-lived token');
    expect(await said({ sub: EDITOR, scope: '' })).toContain('invalid_scope');
    for (const [state, words] of [
      ['deleted', 'The account has been deleted.'],
      ['restricted', 'Account restricted'],
      ['suspended', 'suspended'],
      ['alias', 'Not a valid email'],
    ]) {
      await control(robot.simulator, 'POST', 'domain-users', { email: VIEWER, state });
      expect(await said({ sub: VIEWER })).toContain(words);
    }
    const other = await makeRobot();
    expect(
      await exchange(robot, assertionOf({ ...other, keyId: robot.keyId, simulator: robot.simulator }, { sub: EDITOR })),
    ).toMatchObject({
      error: 'invalid_grant',
      error_description: 'Invalid JWT Signature.',
    });
    await control(robot.simulator, 'POST', 'delegates', { email: ROBOT, state: 'disabled' });
    expect(await said({ sub: EDITOR })).toContain('disabled_client');
  });

  // google-auth-library and google-auth put this address into `aud` whatever token endpoint they post to.
  test.each([
    'https://oauth2.googleapis.com/token',
    'https://www.googleapis.com/oauth2/v4/token',
    'https://accounts.google.com/o/oauth2/token',
  ])('takes an assertion for %s, which clients of Google name as the audience', async (aud) => {
    expect(await ask(await makeRobot(), { aud })).toMatchObject({ status: 200 });
  });

  test.each(['https://oauth2.googleapis.com', 'https://oauth2.example/token', undefined])(
    'refuses an assertion for %s in Google’s words',
    async (aud) => {
      expect(await ask(await makeRobot(), { aud })).toMatchObject({
        status: 400,
        error: 'invalid_grant',
        error_description: 'Invalid JWT: Failed audience check.',
      });
    },
  );

  test('without sub the request succeeds whenever key and account are good', async () => {
    const robot = await makeRobot();
    expect(await ask(robot, { sub: EDITOR })).toMatchObject({ status: 401 });
    expect(await ask(robot, {})).toMatchObject({ status: 200 });
  });
});

const AWS_KEY = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };

/** Google's own AwsClient with the simulator's addresses in its credential file; nothing else about it is changed. */
function awsClient({ simulator }: Pick<Robot, 'simulator'>, more: Partial<AwsClientOptions> = {}): AwsClient {
  return new AwsClient({
    type: 'external_account',
    audience: POOL,
    subject_token_type: 'urn:ietf:params:aws:token-type:aws4_request',
    token_url: `${new URL(simulator.endpoints.token_endpoint).origin}/v1/token`,
    aws_security_credentials_supplier: {
      getAwsRegion: async () => 'eu-central-1',
      getAwsSecurityCredentials: async () => ({ ...AWS_KEY, token: 'a-session-token' }),
    },
    ...more,
  });
}

describe('Google’s AwsClient on the simulator', () => {
  const impersonation = ({ simulator }: Robot, email = ROBOT) =>
    `${new URL(simulator.endpoints.token_endpoint).origin}/v1/projects/-/serviceAccounts/${email}:generateAccessToken`;

  async function makeKeyless(): Promise<Robot> {
    const robot = await makeRobot();
    const awsSecrets = { [AWS_KEY.accessKeyId]: AWS_KEY.secretAccessKey };
    await control(robot.simulator, 'POST', 'delegates', { email: ROBOT, awsSecrets });
    return robot;
  }

  // The client adds x-goog-cloud-target-resource after it has signed; Google recommends signing it and does not require it.
  test('exchanges its signed request for a federated token', async () => {
    const { token } = await awsClient(await makeKeyless()).getAccessToken();
    expect(token).toMatch(/^ya29\.d\./);
  });

  test('leads to an access token of the service account', async () => {
    const robot = await makeKeyless();
    const client = awsClient(robot, { service_account_impersonation_url: impersonation(robot), scopes: [DRIVE] });
    const { token } = await client.getAccessToken();
    const info = await fetch(`${robot.simulator.url}/tokeninfo?access_token=${String(token)}`);
    expect(await readJson(info)).toMatchObject({ azp: robot.clientId, scope: DRIVE });
  });

  test('Google’s AwsClient on the simulator is refused a service account that its pool may not use', async () => {
    const robot = await makeKeyless();
    const other = 'other@project.iam.gserviceaccount.com';
    await control(robot.simulator, 'POST', 'delegates', { email: other });
    const client = awsClient(robot, { service_account_impersonation_url: impersonation(robot, other) });
    await expect(client.getAccessToken()).rejects.toThrow('iam.serviceAccounts.getAccessToken');
  });

  test('Google’s AwsClient on the simulator is refused when its secret is not the one of its key', async () => {
    const robot = await makeRobot();
    const awsSecrets = { [AWS_KEY.accessKeyId]: 'another secret' };
    await control(robot.simulator, 'POST', 'delegates', { email: ROBOT, awsSecrets });
    await expect(awsClient(robot).getAccessToken()).rejects.toThrow('does not match');
  });
});

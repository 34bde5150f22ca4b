// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureAssembly } from '../../../dev/tools/assembly.ts';
import { signInAt } from '../../support/acme.ts';
import { COMPANY_CLIENT, type CompanyProvider, startCompanyProvider } from '../../support/company-provider.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { dashboardUrl, signIn } from '../../support/operator.ts';

describe('operators of a company with a sign-in of its own', () => {
  let company: CompanyProvider;
  let test: TestGateway;
  beforeAll(async () => {
    company = await startCompanyProvider({
      olga: ['staff', 'Gateway operators'],
      vera: ['staff', 'gateway-viewers'],
      both: ['gateway-viewers', 'Gateway operators'],
      stranger: ['staff', 'gateway', 'operators'],
      nobody: undefined,
      single: 'gateway-viewers',
    });
    const assemblyFolder = await ensureAssembly({
      mode: 'auto',
      variant: 'company',
      step: (_name, work) => work(),
      stackOptions: {
        operatorIdentityProvider: {
          name: 'Company',
          oidc: {
            issuer: 'https://login.company.example',
            clientId: COMPANY_CLIENT.client_id,
            clientSecretArn: 'arn:aws:secretsmanager:us-east-1:111122223333:secret:gateway/operators-AbCdEf',
          },
          operatorGroups: ['Gateway operators'],
          viewerGroups: ['gateway-viewers'],
        },
      },
    });
    const { issuer } = company;
    test = await startTestGateway({ assemblyFolder, company: { issuer, clientSecret: COMPANY_CLIENT.client_secret } });
    company.knowClient(`${dashboardUrl(test.gateway)}/issuer/oauth2/idpresponse`);
  });
  afterAll(async () => {
    await test?.[Symbol.asyncDispose]();
    await company?.[Symbol.asyncDispose]();
  });

  /** Signs in at the company. @returns the gateway's answer for a method and path */
  async function as(login: string) {
    const { accessToken } = await signIn(test.gateway, async (address) => {
      const away = await fetch(address, { redirect: 'manual' });
      const back = await signInAt(away.headers.get('location') ?? '', company.issuer, login);
      return (await fetch(back, { redirect: 'manual' })).headers.get('location') ?? '';
    });
    return (method: string, path: string, body?: unknown) => test.json(method, path, body, accessToken);
  }
  const WEBHOOK = { url: 'https://hooks.example.com/gateway' };

  it.each(['olga', 'both'])('lets %s, a member of a group for operators, read and write', async (login) => {
    const call = await as(login);
    expect((await call('GET', '/integrations')).status).toBe(200);
    expect((await call('POST', '/webhooks', WEBHOOK)).status).toBe(201);
  });

  it.each(['vera', 'single'])('lets %s, a member of a group for viewers, read only, and says why', async (login) => {
    const call = await as(login);
    expect((await call('GET', '/webhooks')).status).toBe(200);
    const refused = await call('POST', '/webhooks', WEBHOOK);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('as a viewer') });
  });

  it.each(['stranger', 'nobody'])('refuses %s, who is in neither, on every path', async (login) => {
    const call = await as(login);
    const refused = await call('GET', '/integrations');
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('in no group');
  });

  it('grants no right to read tokens to a sign-in whose second factor nobody states (AK-17)', async () => {
    const call = await as('olga');
    const key = { name: 'Reader', right: 'read', can_read_credentials: true };
    expect((await call('POST', '/account/keys', key)).body.error).toMatchObject({ code: 'second_factor_required' });
    expect((await call('POST', '/account/keys', { name: 'Plain', right: 'read' })).status).toBe(201);
  });

  it('takes no answer that nobody waits for, and none twice', async () => {
    const back = `${dashboardUrl(test.gateway)}/issuer/oauth2/idpresponse`;
    expect((await fetch(`${back}?code=x&state=y`, { redirect: 'manual' })).status).toBe(400);
    let used = '';
    await signIn(test.gateway, async (address) => {
      const away = await fetch(address, { redirect: 'manual' });
      used = await signInAt(away.headers.get('location') ?? '', company.issuer, 'olga');
      return (await fetch(used, { redirect: 'manual' })).headers.get('location') ?? '';
    });
    expect((await fetch(used, { redirect: 'manual' })).status).toBe(400);
  });
});

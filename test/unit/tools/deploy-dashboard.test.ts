import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { dashboardTarget, readIssuerEndpoints, siteObjects, uploadSite } from '../../../dev/tools/deploy-dashboard.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OUTPUTS = {
  BaseUrl: 'https://abc.execute-api.eu-central-1.amazonaws.com/v1',
  FirstSecretKeyArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:First-x',
  DashboardUrl: 'https://d1.cloudfront.net',
  DashboardBucketName: 'files',
  OperatorIssuer: 'https://cognito-idp.eu-central-1.amazonaws.com/pool',
  OperatorClientId: 'client',
  EventBusName: 'bus',
};
const CONFIG = { api_base_url: OUTPUTS.BaseUrl, issuer: OUTPUTS.OperatorIssuer, client_id: OUTPUTS.OperatorClientId };

describe('the outputs of a deploy', () => {
  it('the outputs of a deploy say where the site is and what it has to know', () => {
    const site = { url: 'https://d1.cloudfront.net', bucketName: 'files', region: 'eu-central-1' };
    expect(dashboardTarget({ IntegrationGateway: OUTPUTS })).toEqual({ ...site, config: CONFIG });
  });

  it('the outputs of a deploy name the features that the dashboard does not show', () => {
    const target = dashboardTarget({ IntegrationGateway: { ...OUTPUTS, FeaturesLeftOut: 'agents,undo' } });
    expect(target?.config).toEqual({ ...CONFIG, without: ['agents', 'undo'] });
  });

  it('the outputs of a deploy of a stack without a dashboard name no site', () => {
    expect(dashboardTarget({ IntegrationGateway: { BaseUrl: OUTPUTS.BaseUrl } })).toBeUndefined();
  });

  it.each([
    ['no stack', {}],
    ['two stacks', { A: OUTPUTS, B: OUTPUTS }],
    ['half a dashboard', { A: { ...OUTPUTS, OperatorClientId: undefined } }],
    ['something else', []],
  ])('the outputs of a deploy with %s are refused', (_, outputs) => {
    expect(() => dashboardTarget(outputs)).toThrow();
  });
});

describe('the addresses of the issuer', () => {
  /** An issuer whose document is this text. */
  async function issuerWith(text: string, look: (issuer: string) => Promise<void>): Promise<void> {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/pool/.well-known/openid-configuration' ? 200 : 404;
      response.end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const address = server.address();
      await look(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/pool`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it('the addresses of the issuer are those of its own document that a sign-in needs', async () => {
    const needed = {
      authorization_endpoint: 'https://sign-in.example.com/oauth2/authorize',
      token_endpoint: 'https://sign-in.example.com/oauth2/token',
      end_session_endpoint: 'https://sign-in.example.com/logout',
    };
    const document = JSON.stringify({
      ...needed,
      issuer: 'https://issuer.example.com',
      response_types_supported: ['code'],
    });
    await issuerWith(document, async (issuer) => expect(await readIssuerEndpoints(issuer)).toEqual(needed));
  });

  it('the addresses of the issuer are left to the browser where the issuer gives none', async () => {
    await issuerWith('<p>busy</p>', async (issuer) => expect(await readIssuerEndpoints(issuer)).toBeUndefined());
  });
});

describe('the upload', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    const write = (path: string) => {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), path);
    };
    for (const path of ['index.html', 'icon.svg', 'assets/index-1.js', '.vite/manifest.json', 'config.json'])
      write(path);
  });

  it('holds every file with type and lifetime, and this deployment’s config.json', async () => {
    const objects = await siteObjects(folder, CONFIG);
    expect(objects.map(({ key, contentType, cacheControl }) => [key, contentType, cacheControl])).toEqual([
      ['assets/index-1.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
      ['icon.svg', 'image/svg+xml', 'no-store'],
      ['config.json', 'application/json', 'no-store'],
      ['index.html', 'text/html; charset=utf-8', 'no-store'],
    ]);
    const config = objects.find(({ key }) => key === 'config.json');
    expect(JSON.parse(Buffer.from(config?.body ?? []).toString())).toEqual(CONFIG);
  });

  it('sends the page last, after all it names has arrived', async () => {
    const order: string[] = [];
    await uploadSite(await siteObjects(folder, CONFIG), async ({ key }) => {
      order.push(`begin ${key}`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`end ${key}`);
    });
    expect(order.slice(-4)).toEqual(['begin config.json', 'end config.json', 'begin index.html', 'end index.html']);
    expect(order).toHaveLength(8);
  });

  it('ends without a page when a file does not arrive', async () => {
    const arrived: string[] = [];
    const upload = uploadSite(await siteObjects(folder, CONFIG), async ({ key }) => {
      if (key === 'icon.svg') throw new Error('no access');
      arrived.push(key);
    });
    await expect(upload).rejects.toThrow('no access');
    expect(arrived).not.toContain('index.html');
  });

  it('says how to build what is not there', async () => {
    await expect(siteObjects(join(folder, 'assets'), CONFIG)).rejects.toThrow(
      'npm run build --workspace @integration-gateway/dashboard',
    );
  });
});

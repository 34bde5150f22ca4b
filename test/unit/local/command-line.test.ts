import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCredentialBook } from '../../../dev/local/aws/credentials.ts';
import { fullDiskMessage } from '../../../dev/local/full-disk.ts';
import {
  endpointVariables,
  parseGoogleEndpoints,
  parseProviderEndpoints,
} from '../../../dev/local/google-endpoints.ts';
import { parseOptions } from '../../../dev/local/options.ts';
import { type SummaryInput, summary } from '../../../dev/local/summary.ts';
import { FEATURE_IDS } from '../../../lambdas/features/index.ts';
import { ADDRESS_NAMES, FUNCTION_NAMES } from '../../../lambdas/gateway/core/contract.ts';
import { google } from '../support/google.ts';

describe('the options', () => {
  it('the options have defaults', () => {
    const files = { dataDir: '.gateway', googleEndpointsFile: undefined, providerEndpointsFile: undefined };
    const others = { dynamoDb: undefined, allowedOrigins: [], returnUrls: [] };
    const here = { watch: false, inspect: [] };
    expect(parseOptions([])).toEqual({
      ...{ help: false, port: 3000, fresh: false, stackOptions: {} },
      ...{ ...files, ...others, ...here },
    });
  });

  it('the options name an app, which sets the options of its gateway itself', () => {
    expect(parseOptions(['--app', 'examples/indexer'])).toMatchObject({
      ...{ app: 'examples/indexer', stackOptions: {}, dataDir: '.gateway-indexer' },
    });
    expect(parseOptions(['--app', 'examples/indexer', '--data', 'd']).dataDir).toBe('d');
    expect(() => parseOptions(['--app', 'examples/indexer', '--iam-callers'])).toThrow(
      'With --app, the app itself sets iamCallers of its gateway.',
    );
  });

  it('the options are read', () => {
    const origin = 'http://localhost:4000';
    const folders = ['--port', '0', '--data', 'd', '--fresh', '--google-endpoints', 'g.json'];
    const addresses = ['--allow-origin', origin, '--return-url', `${origin}/connected`];
    const args = [
      ...folders,
      '--dynamodb',
      'http://127.0.0.1:8000',
      ...addresses,
      '--watch',
      '--inspect',
      'proxy,feeds',
    ];
    const files = { dataDir: 'd', googleEndpointsFile: 'g.json', providerEndpointsFile: undefined };
    const read = { dynamoDb: 'http://127.0.0.1:8000', allowedOrigins: [origin], returnUrls: [`${origin}/connected`] };
    const here = { watch: true, inspect: ['proxy', 'feeds'] };
    expect(parseOptions(args)).toEqual({
      ...{ help: false, port: 0, fresh: true, stackOptions: {} },
      ...{ ...files, ...read, ...here },
    });
    expect(parseOptions(['--inspect', 'all']).inspect).toEqual(FUNCTION_NAMES);
  });

  it('the options take a front door that a deployment may have, and no other', () => {
    expect(parseOptions(['--front-door', 'function-url']).stackOptions).toEqual({ frontDoor: 'function-url' });
    expect(() => parseOptions(['--front-door', 'http-api'])).toThrow(/must be one of rest-api, function-url/);
  });

  it('the options take features to leave out by name, or all of them, and no others', () => {
    expect(parseOptions(['--without', 'agents,undo', '--without', 'undo']).stackOptions).toEqual({
      without: ['agents', 'undo'],
    });
    expect(parseOptions(['--without', 'all']).stackOptions).toEqual({ without: [...FEATURE_IDS] });
    expect(() => parseOptions(['--without', 'moons'])).toThrow(
      /takes all or names of features, not "moons": approvals/,
    );
  });

  it('the options name the functions there are for one that is none', () => {
    expect(() => parseOptions(['--inspect', 'proxi'])).toThrow(/not "proxi": proxy, .*npm start -- --help/);
  });

  it('the options give the stack a brand as a deployment would', () => {
    const name = ['--connect-app-name', 'Example CRM'];
    const looks = ['--connect-logo', 'l.svg', '--connect-accent', '#7b1fa2,#e1bee7'];
    expect(parseOptions([...name, ...looks]).stackOptions).toEqual({
      connectAppName: 'Example CRM',
      connectLogo: resolve('l.svg'),
      connectAccent: { light: '#7b1fa2', dark: '#e1bee7' },
    });
    expect(parseOptions(['--connect-accent', '#7b1fa2']).stackOptions).toEqual({ connectAccent: { light: '#7b1fa2' } });
  });

  it.each(
    [
      ...[['--bogus'], ['stray'], ['--port'], ['--data', '']],
      ...['x', '-1', '65534', '', ' ', '0x10', '3e3'].map((port) => ['--port', port]),
      ...['localhost:4000', 'http://localhost:4000/#done'].map((url) => ['--return-url', url]),
    ].map((args) => ({ args })),
  )('$args are refused with a pointer to the usage', ({ args }) => {
    expect(() => parseOptions(args)).toThrow('npm start -- --help');
  });

  // What npm 11 sets and hands on for `npm start --port 3300`, `--port=3300 --fresh` and `--data x --port 3300`.
  it.each([
    [['3300'], { npm_config_port: 'true' }, 'npm start -- --port 3300'],
    [[], { npm_config_port: '3300', npm_config_fresh: 'true' }, 'npm start -- --port 3300 --fresh'],
    [['http://localhost:4000/'], { npm_config_return_url: 'true' }, 'npm start -- --return-url http://localhost:4000/'],
  ])(
    '%j with %j: options that npm took for its own are not dropped, but shown where they belong',
    (args, env, told) => {
      expect(() => parseOptions(args, env)).toThrow(told);
    },
  );
});

describe('a full disk', () => {
  const engine = new Error('InternalServerError: backend: database or disk is full');
  const node = Object.assign(new Error('write'), { code: 'ENOSPC' });

  it.each([
    ['as SQLite tells it', engine, 1e9],
    ['as Node tells it', node, 1e9],
    ['as the cause of something else', new Error('The data cannot be read', { cause: node }), 1e9],
    ['by the room that is left', new Error('local.json is no valid JSON. Start over with --fresh'), 1000],
  ])('a full disk is named, %s, and nobody learns to erase anything', (_how, error, free) => {
    const told = fullDiskMessage(error, '/d/.gateway', () => free);
    expect(told).toMatch(/^The disk is full: .* free where \/d\/\.gateway is\. Free some space and start again/);
    expect(told).not.toMatch(/fresh|erase|start over/i);
  });

  it('a full disk is not blamed for anything else', () => {
    expect(fullDiskMessage(new Error('The port is taken'), '/d', () => 1e9)).toBeUndefined();
  });
});

describe('the addresses of a Google', () => {
  const complete = {
    issuer: 'https://accounts.google.com',
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
    userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    api_base_url: 'http://127.0.0.1:8080',
  };

  it('the addresses of a Google are read, with a client where there is one', () => {
    expect(parseGoogleEndpoints(complete, 'f')).toEqual(complete);
    const withClient = { ...complete, client_id: 'i', client_secret: 's' };
    expect(parseGoogleEndpoints(withClient, 'f')).toEqual(withClient);
  });

  it('the addresses of a Google report every problem at once', () => {
    const { issuer: _issuer, ...rest } = complete;
    const addresses = { token_endpoint: 'token', jwks_uri: 'http://example.com/certs' };
    const broken = { ...rest, ...addresses, api_base_url: 'https://u:p@x.example', extra: 1, client_id: 'i' };
    expect(() => parseGoogleEndpoints(broken, 'file.json')).toThrow(
      /file\.json:.*extra is not a known.*issuer is missing.*token_endpoint must be an absolute URL.*jwks_uri must be https.*api_base_url must have no credentials.*client_id and client_secret go together/s,
    );
    expect(() => parseGoogleEndpoints([], 'f')).toThrow('f must hold a JSON object');
  });

  it('the addresses of a Google may say where the other APIs are, and become the functions’ variables', () => {
    const mcp = { drive_mcp_endpoint: 'http://127.0.0.1:9/mcp/v1', calendar_mcp_endpoint: 'https://c.example/mcp/v1' };
    const others = { drive_activity_base_url: 'https://a.example', caldav_base_url: 'http://127.0.0.1:9', ...mcp };
    expect(parseGoogleEndpoints({ ...complete, ...others }, 'f')).toEqual({ ...complete, ...others });
    expect(endpointVariables({ ...complete, ...others })).toMatchObject({
      GOOGLE_TOKEN_ENDPOINT: complete.token_endpoint,
      GOOGLE_API_BASE_URL: complete.api_base_url,
      GOOGLE_DRIVE_ACTIVITY_BASE_URL: 'https://a.example',
      GOOGLE_CALDAV_BASE_URL: 'http://127.0.0.1:9',
      GOOGLE_DRIVE_MCP_ENDPOINT: 'http://127.0.0.1:9/mcp/v1',
      GOOGLE_CALENDAR_MCP_ENDPOINT: 'https://c.example/mcp/v1',
    });
    expect(Object.keys(endpointVariables(complete))).not.toContain('GOOGLE_CALDAV_BASE_URL');
  });

  it.each([
    ['api_base_url', 'https://x.example/drive', 'api_base_url must be an origin without a path'],
    ['api_base_url', 'https://x.example/?a=b', 'api_base_url must have no credentials, no query'],
    ['caldav_base_url', 'https://x.example/caldav/v2', 'caldav_base_url must be an origin without a path'],
    ['token_endpoint', 'https://x.example/token?a=b', 'token_endpoint must have no credentials, no query'],
  ])('the addresses of a Google are refused by their own name: %s %s', (name, address, message) => {
    expect(() => parseGoogleEndpoints({ ...complete, [name]: address }, 'f')).toThrow(message);
  });
});

describe('addresses of authorization servers', () => {
  it('addresses of authorization servers are read by server, each optional, and every problem is named', () => {
    const google = { token_endpoint: 'https://a.example/token', caldav_base_url: 'http://127.0.0.1:9', client_id: 'c' };
    expect(parseProviderEndpoints({ google }, 'f')).toEqual({ google });
    const wrong = { revoke: 'x', issuer: 'http://a.example', api_base_url: 'https://a.example/v1' };
    expect(() => parseProviderEndpoints({ google: wrong, acme: {} }, 'f')).toThrow(
      /google\.revoke is not a known[\s\S]*google\.issuer must be https[\s\S]*an origin without a path[\s\S]*acme is no/,
    );
  });
});

describe('examples/google-endpoints.json', () => {
  it('holds Google’s addresses as the functions of a deployed gateway have them', () => {
    const path = 'examples/google-endpoints.json';
    const file = parseGoogleEndpoints(JSON.parse(readFileSync(resolve(path), 'utf8')), path);
    const own = Object.entries(ADDRESS_NAMES).map(([member, name]) => [name, Reflect.get(google.addresses, member)]);
    expect(file).toEqual(Object.fromEntries(own));
  });
});

describe('the summary', () => {
  const gateway: SummaryInput = {
    gatewayUrl: 'http://127.0.0.1:3000',
    dashboardAddress: 'http://127.0.0.1:3001/open/code',
    simulatorPageAddress: 'http://127.0.0.1:3002/__ui/open/code',
    simulatorUrl: 'http://127.0.0.1:3002',
    simulatorControlUrl: 'http://127.0.0.1:3002/__sim/key',
    secretKey: 'sk_default_x',
    dataDir: '/d/.gateway',
    readyAfterMs: 1234,
    inspectors: [],
    connections: [
      { integration_id: 'google-drive', connection_id: 'c1' },
      { integration_id: 'google-calendar', connection_id: "c'2" },
    ],
  };

  it('says where a debugger attaches', () => {
    expect(summary({ ...gateway, inspectors: [{ functionName: 'proxy', port: 9229 }] })).toMatch(
      /Inspector +127\.0\.0\.1:9229 +\(proxy; .*CONTRIBUTING/,
    );
  });

  it('the summary has a command for each function of an app, and what of the app is different here', () => {
    const credentials = openCredentialBook();
    const app = {
      ...{ functions: ['Indexer-Indexer1'], notRun: ['Agent (AWS::Bedrock::Agent)'] },
      ...{ failure: 'Feed: ConnectionId: There is no connection.', replaced: ['Crm: the endpoint is not verified'] },
    };
    const text = summary({ ...gateway, app, credentials, awsEndpoint: 'http://127.0.0.1:4000' });
    expect(text).toContain(
      `'http://127.0.0.1:4000/2015-03-31/functions/Indexer-Indexer1/invocations' -d '{"connectionId":"c1"}'`,
    );
    const connections = [{ integration_id: 'drive-index', connection_id: 'c1' }];
    expect(summary({ ...gateway, app, credentials, connections })).toContain('"allowed_integrations":["drive-index"]');
    for (const line of [app.notRun, app.failure, app.replaced].flat()) expect(text).toContain(`\n  ${line}\n`);
  });

  it('the summary has two calls that a shell reads as meant', () => {
    const calls = summary(gateway)
      .split('\n')
      .filter((line) => line.trim().startsWith("curl '") && line.includes('/proxy/'));
    const argumentsOf = (line: string): string[] =>
      execFileSync('/bin/sh', ['-c', line.trim().replace(/^curl/, "printf '%s\\n'")], { encoding: 'utf8' })
        .trim()
        .split('\n');
    const call = (path: string, integration: string, connection: string) => [
      `http://127.0.0.1:3000/proxy/${path}`,
      ...['-H', 'Authorization: Bearer sk_default_x'],
      ...['-H', `Provider-Config-Key: ${integration}`],
      ...['-H', `Connection-Id: ${connection}`],
    ];
    expect(calls.map(argumentsOf)).toEqual([
      call('drive/v3/files?pageSize=5', 'google-drive', 'c1'),
      call('calendar/v3/users/me/calendarList?maxResults=5', 'google-calendar', "c'2"),
    ]);
  });

  it('names addresses, time, data folder, how to connect another account, and what is not emulated', () => {
    const addresses = [
      'http://127.0.0.1:3001/open/code',
      'http://127.0.0.1:3002 ',
      'http://127.0.0.1:3002/__sim/key/',
      'http://127.0.0.1:3002/__ui/open/code',
      '/connect/sessions',
      'connect_link',
    ];
    const others = ['ready after 1.2 s', '/d/.gateway', '--fresh', 'Not emulated: TLS'];
    for (const part of [...addresses, ...others]) expect(summary(gateway)).toContain(part);
  });

  it('says which gateway commands go to where the shell names another', () => {
    const told = 'GATEWAY_BASE_URL is https://gateway.example.com/v1 in this shell';
    expect(summary(gateway, { GATEWAY_BASE_URL: 'https://gateway.example.com/v1' })).toContain(told);
    expect(summary(gateway, { GATEWAY_BASE_URL: 'http://127.0.0.1:3000/' })).not.toContain('GATEWAY_BASE_URL');
    expect(summary(gateway, {})).not.toContain('GATEWAY_BASE_URL');
  });

  it('starts over with the data folder it speaks of', () => {
    expect(summary(gateway)).toContain("npm start -- --data '/d/.gateway' --fresh");
    expect(summary({ ...gateway, dataDir: resolve('.gateway') })).toContain('(start over: npm start -- --fresh)');
    const ofApp = { ...gateway, appFolder: 'examples/indexer', dataDir: resolve('.gateway-indexer') };
    expect(summary(ofApp)).toContain("(start over: npm start -- --app 'examples/indexer' --fresh)");
  });

  it('says how to begin where nothing is connected', () => {
    const text = summary({
      ...gateway,
      simulatorUrl: null,
      simulatorControlUrl: null,
      simulatorPageAddress: null,
      dashboardAddress: null,
      connections: [],
    });
    expect(text).toContain('/integrations/quickstart');
    expect(text).toContain('http://127.0.0.1:3000/oauth/callback');
    expect(text).toContain('Then connect an account');
    expect(text).not.toContain('Simulator');
    expect(text).not.toContain('Dashboard');
  });
});

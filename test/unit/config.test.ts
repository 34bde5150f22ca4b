import { describe, expect, it } from 'vitest';
import { readConfig as readConfigOf } from '../../lambdas/gateway/config.ts';
import { allProviders } from '../../lambdas/gateway/providers/index.ts';
import { DEFAULT_REFRESH_POLICY } from '../../lambdas/gateway/tokens/freshness.rules.ts';

const REQUIRED = {
  TABLE_NAME: 'gateway',
  BASE_URL: 'https://gateway.example.com/v1',
  TOKEN_KEY_ARN: 'arn:aws:kms:eu-central-1:123456789012:key/1',
  SECRET_PREFIX: 'gateway',
  METRIC_NAMESPACE: 'IntegrationGateway/gateway',
  GOOGLE_DRIVE_TEST_CREDENTIALS_NAME: 'arn:drive',
  GOOGLE_CALENDAR_TEST_CREDENTIALS_NAME: 'arn:calendar',
};
const readConfig = (environment: Record<string, string | undefined>) => readConfigOf(allProviders(), environment);
const messageOf = (environment: Record<string, string | undefined>) => {
  try {
    readConfig(environment);
    return 'nothing was refused';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

describe('readConfig', () => {
  it('reads the environment, with Google\u2019s own addresses where none is set', () => {
    const config = readConfig(REQUIRED);
    expect(config).toMatchObject({
      tableName: 'gateway',
      baseUrl: 'https://gateway.example.com/v1',
      connectAllowedOrigins: [],
      loopbackProvider: false,
    });
    expect(config.endpointsOf('google-drive')).toMatchObject({
      tokenEndpoint: 'https://oauth2.googleapis.com/token',
      apiOrigin: 'https://www.googleapis.com',
    });
    expect(config.testCredentialsSecretOf('google-calendar')).toBe('arn:calendar');
  });

  it('cuts a trailing slash and splits lists', () => {
    const config = readConfig({
      ...REQUIRED,
      BASE_URL: 'https://gateway.example.com/',
      CONNECT_ALLOWED_ORIGINS: ' https://a.example ,, https://b.example',
    });
    expect(config.baseUrl).toBe('https://gateway.example.com');
    expect(config.connectAllowedOrigins).toEqual(['https://a.example', 'https://b.example']);
  });

  it('FD-21: knows where proxied calls go, and takes no secret of a distribution without its address', () => {
    expect(readConfig(REQUIRED).proxyDoor).toEqual({ proxyUrl: undefined, secret: undefined });
    const both = { PROXY_URL: 'https://proxy.example.com/', PROXY_DOOR_SECRET: 'secret' };
    expect(readConfig({ ...REQUIRED, ...both }).proxyDoor).toEqual({
      proxyUrl: 'https://proxy.example.com',
      secret: 'secret',
    });
    expect(messageOf({ ...REQUIRED, PROXY_DOOR_SECRET: 'secret' })).toContain('PROXY_DOOR_SECRET needs PROXY_URL');
    expect(messageOf({ ...REQUIRED, PROXY_URL: 'proxy.example.com' })).toContain('PROXY_URL');
  });

  it('reads the refresh policy, or keeps that of the defaults, and the namespace of the metrics', () => {
    expect(readConfig(REQUIRED).refreshPolicy).toEqual(DEFAULT_REFRESH_POLICY);
    const times = { REFRESH_ACTIVE_WINDOW_SEC: '3600', REFRESH_KEEP_ALIVE_SEC: '600' };
    const config = readConfig({ ...REQUIRED, REFRESH_AHEAD: 'on-use', ...times });
    expect(config.refreshPolicy).toEqual({ ahead: 'on-use', activeWindowSec: 3600, keepAliveSec: 600 });
    expect(config.metricNamespace).toBe('IntegrationGateway/gateway');
  });

  it('names every wrong member of the refresh policy, a keep-alive near six months among them', () => {
    const message = messageOf({
      ...REQUIRED,
      REFRESH_AHEAD: 'sometimes',
      REFRESH_ACTIVE_WINDOW_SEC: '0',
      REFRESH_KEEP_ALIVE_SEC: String(179 * 86_400),
    });
    expect(message).toContain('REFRESH_AHEAD must be one of recently-used, always, on-use');
    expect(message).toContain('REFRESH_ACTIVE_WINDOW_SEC must be a whole number of seconds');
    expect(message).toContain('REFRESH_KEEP_ALIVE_SEC must be a whole number of seconds from 1 to 12960000');
  });

  it('names every missing setting at once (IN-3)', () => {
    const message = messageOf({});
    for (const name of Object.keys(REQUIRED)) expect(message).toContain(`${name} is not set`);
    expect(messageOf({ ...REQUIRED, TABLE_NAME: '' })).toContain('TABLE_NAME is not set');
  });

  it('names missing and malformed settings together', () => {
    const message = messageOf({
      ...REQUIRED,
      TABLE_NAME: undefined,
      BASE_URL: 'gateway',
      GOOGLE_TOKEN_ENDPOINT: 'http://oauth2.example.com/token',
      GOOGLE_API_BASE_URL: 'https://user@www.example.com',
    });
    for (const name of ['TABLE_NAME', 'BASE_URL', 'GOOGLE_TOKEN_ENDPOINT', 'GOOGLE_API_BASE_URL'])
      expect(message).toContain(name);
    expect(message).not.toContain('SECRET_PREFIX');
  });
});

describe('provider addresses (PX-17)', () => {
  const google = [
    ...['GOOGLE_ISSUER', 'GOOGLE_AUTHORIZATION_ENDPOINT', 'GOOGLE_TOKEN_ENDPOINT', 'GOOGLE_REVOCATION_ENDPOINT'],
    ...['GOOGLE_USERINFO_ENDPOINT', 'GOOGLE_JWKS_URI', 'GOOGLE_API_BASE_URL'],
    ...['GOOGLE_DRIVE_ACTIVITY_BASE_URL', 'GOOGLE_CALDAV_BASE_URL'],
  ];

  it.each(['GOOGLE_API_BASE_URL', 'GOOGLE_DRIVE_ACTIVITY_BASE_URL', 'GOOGLE_CALDAV_BASE_URL'])(
    '%s is an origin: a path in it would be dropped',
    (name) => {
      expect(messageOf({ ...REQUIRED, [name]: 'https://google.example/api' })).toContain(`${name} must be an origin`);
      expect(() => readConfig({ ...REQUIRED, [name]: 'https://google.example/' })).not.toThrow();
    },
  );

  it('TK-10: another Google serves every API unless the deployment says where; Google’s own has hosts of their own', () => {
    const origins = (more: Record<string, string>) => {
      const { endpointsOf, apiOrigins } = readConfig({ ...REQUIRED, ...more });
      const { apiOrigin, otherOrigins } = endpointsOf('google-drive');
      const found = [apiOrigin, otherOrigins.drive_activity, endpointsOf('google-calendar').otherOrigins.caldav];
      expect(apiOrigins).toEqual([...new Set(found)]);
      return found;
    };
    const own = ['www.googleapis.com', 'driveactivity.googleapis.com', 'apidata.googleusercontent.com'];
    expect(origins({})).toEqual(own.map((host) => `https://${host}`));
    const [other, dav] = ['https://google.example', 'https://dav.example'];
    expect(origins({ GOOGLE_API_BASE_URL: other })).toEqual([other, other, other]);
    expect(origins({ GOOGLE_API_BASE_URL: other, GOOGLE_CALDAV_BASE_URL: dav })).toEqual([other, other, dav]);
  });

  it('TK-10: another Google has the MCP servers that the deployment names, and never Google’s own', () => {
    const endpoints = (more: Record<string, string>) => {
      const { endpointsOf } = readConfig({ ...REQUIRED, ...more });
      return [endpointsOf('google-drive').toolServerEndpoint, endpointsOf('google-calendar').toolServerEndpoint];
    };
    const own = ['https://drivemcp.googleapis.com/mcp/v1', 'https://calendarmcp.googleapis.com/mcp/v1'];
    expect(endpoints({})).toEqual(own);
    const other = { GOOGLE_API_BASE_URL: 'https://google.example' };
    expect(endpoints(other)).toEqual([undefined, undefined]);
    const named = 'https://google.example/drivemcp.googleapis.com/mcp/v1';
    expect(endpoints({ ...other, GOOGLE_DRIVE_MCP_ENDPOINT: named })).toEqual([named, undefined]);
    expect(messageOf({ ...REQUIRED, GOOGLE_CALENDAR_MCP_ENDPOINT: 'mcp' })).toContain('GOOGLE_CALENDAR_MCP_ENDPOINT');
  });

  it.each([...google, 'BASE_URL'])('%s may not be plain http, but on loopback', (name) => {
    const elsewhere = ['www.example.com', '127.0.0.1.example.com', 'localhost.example.com', '10.0.0.1'];
    for (const value of [...elsewhere.map((host) => `http://${host}`), 'HTTP://10.0.0.1', 'ftp://localhost'])
      expect(messageOf({ ...REQUIRED, [name]: value })).toContain(`${name} must use https`);
    for (const host of ['127.0.0.1:4000', 'localhost:4000', '[::1]:4000', '127.8.8.8'])
      expect(messageOf({ ...REQUIRED, [name]: `http://${host}` })).toBe('nothing was refused');
  });

  it.each(['https://a:b@www.example.com', 'https://www.example.com/?x=1', 'https://www.example.com/#x'])(
    'refuses %s',
    (value) => {
      expect(messageOf({ ...REQUIRED, GOOGLE_TOKEN_ENDPOINT: value })).toContain('must be a plain address');
    },
  );

  it.each([
    [{ GOOGLE_TOKEN_ENDPOINT: 'http://127.0.0.1:4001/token' }, true],
    [{ BASE_URL: 'http://127.0.0.1:3000' }, false],
    [{ GOOGLE_TOKEN_ENDPOINT: 'https://127.0.0.1.example.com/token' }, false],
  ])('knows a loopback provider by its token endpoint alone: %j is %s', (more, isLoopback) => {
    expect(readConfig({ ...REQUIRED, ...more }).loopbackProvider).toBe(isLoopback);
  });

  describe('of operators', () => {
    const OPERATORS = {
      ...REQUIRED,
      OPERATOR_ISSUER: 'https://cognito-idp.eu-central-1.amazonaws.com/pool',
      OPERATOR_CLIENT_ID: 'client',
      DASHBOARD_ORIGIN: 'https://dashboard.example',
    };

    it('operators are nobody where nothing is set', () => {
      const { operators, dashboardOrigin } = readConfig({ ...REQUIRED, OPERATOR_ISSUER: '', OPERATOR_CLIENT_ID: '' });
      expect([operators, dashboardOrigin]).toEqual([undefined, undefined]);
    });

    it('operators are those of the issuer, and the dashboard counts as an origin of connect pages', () => {
      const config = readConfig({ ...OPERATORS, CONNECT_ALLOWED_ORIGINS: 'https://a.example' });
      const operators = {
        issuer: OPERATORS.OPERATOR_ISSUER,
        clientId: 'client',
        mfa: 'optional',
        requiresRole: false,
        loopbackIssuer: false,
      };
      expect(config.operators).toEqual(operators);
      expect(config.dashboardOrigin).toBe('https://dashboard.example');
      expect(config.connectAllowedOrigins).toEqual(['https://a.example', 'https://dashboard.example']);
    });

    it('operators may sign in at an issuer of this computer', () => {
      const here = { OPERATOR_ISSUER: 'http://127.0.0.1:3001/issuer', DASHBOARD_ORIGIN: 'http://127.0.0.1:3001' };
      expect(readConfig({ ...OPERATORS, ...here }).operators?.loopbackIssuer).toBe(true);
      // Without a word of it, as from an older template, nobody counts as having one.
      const factors = ['required', 'optional', 'else', undefined].map(
        (OPERATOR_MFA) => readConfig({ ...OPERATORS, OPERATOR_MFA }).operators?.mfa,
      );
      expect(factors).toEqual(['required', 'optional', 'optional', 'optional']);
      expect(readConfig({ ...OPERATORS, OPERATOR_ROLE_CLAIM: 'required' }).operators?.requiresRole).toBe(true);
    });

    it.each([
      ['an issuer without a client', { OPERATOR_CLIENT_ID: undefined }, 'OPERATOR_CLIENT_ID is not set'],
      ['a client without an issuer', { OPERATOR_ISSUER: undefined }, 'OPERATOR_ISSUER is not set'],
      ['an issuer over plain http', { OPERATOR_ISSUER: 'http://issuer.example' }, 'OPERATOR_ISSUER must use https'],
      [
        'an origin with a slash',
        { DASHBOARD_ORIGIN: 'https://dashboard.example/' },
        'DASHBOARD_ORIGIN must be an origin',
      ],
      ['every origin', { DASHBOARD_ORIGIN: '*' }, 'DASHBOARD_ORIGIN is not a URL'],
    ])('are refused with %s', (_, changes, message) => {
      expect(messageOf({ ...OPERATORS, ...changes })).toContain(message);
    });
  });
});

describe('calls of a connection', () => {
  const limitsOf = (environment: Record<string, string>) => readConfig({ ...REQUIRED, ...environment }).callLimits;

  it('PC-4: calls of a connection are those that Google lets one user make where they are fewer than the default: 600 of Calendar', () => {
    const limits = { perConnection: 12_000, perConnectionOf: { 'google-calendar': 600 } };
    expect(limitsOf({})).toMatchObject(limits);
    // The stack sets the default, too.
    expect(limitsOf({ CALLS_PER_MINUTE_PER_CONNECTION: '12000' })).toMatchObject(limits);
  });

  it.each([0, 100, 700, 50_000])(
    'PC-4: calls of a connection are %i of every API where a deployment says so',
    (perConnection) => {
      const limits = limitsOf({ CALLS_PER_MINUTE_PER_CONNECTION: String(perConnection) });
      expect(limits).toMatchObject({ perConnection, perConnectionOf: {} });
    },
  );
});

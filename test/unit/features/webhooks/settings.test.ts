import { describe, expect, it } from 'vitest';
import { readDeliveryConfig } from '../../../../lambdas/gateway/config.ts';

const ENVIRONMENT = {
  TABLE_NAME: 'table',
  TOKEN_KEY_ARN: 'arn:aws:kms:us-east-1:111122223333:key/1',
  METRIC_NAMESPACE: 'IntegrationGateway/test',
  BASE_URL: 'https://gateway.example.com/v1',
  DASHBOARD_ORIGIN: 'https://dashboard.example.com',
};

describe('settings of webhooks', () => {
  it('WH-11: endpoints on this computer need the setting and a gateway on this computer', () => {
    const allowed = (more: Record<string, string>) =>
      readDeliveryConfig({ ...ENVIRONMENT, ...more }).endpointTargets.allowLoopback;
    expect(allowed({ WEBHOOKS_TO_LOOPBACK: 'true', BASE_URL: 'http://127.0.0.1:3000' })).toBe(true);
    expect(allowed({ WEBHOOKS_TO_LOOPBACK: 'true' })).toBe(false);
    expect(allowed({ WEBHOOKS_TO_LOOPBACK: 'false', BASE_URL: 'http://127.0.0.1:3000' })).toBe(false);
    expect(allowed({ BASE_URL: 'http://127.0.0.1:3000' })).toBe(false);
  });

  it('WH-11: knows the gateway’s own hosts', () => {
    expect(readDeliveryConfig(ENVIRONMENT).endpointTargets.ownHosts).toEqual([
      'gateway.example.com',
      'dashboard.example.com',
    ]);
  });

  it('IN-3: names every setting that is missing', () => {
    expect(() => readDeliveryConfig({ TABLE_NAME: 'table' })).toThrow(
      'TOKEN_KEY_ARN is not set; METRIC_NAMESPACE is not set; BASE_URL is not set',
    );
  });
});

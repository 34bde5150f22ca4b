import { expect, it } from 'vitest';
import { flatten, onlyResource, synthesize } from '../../../dev/support/synthesize.ts';

it('rotates its material', async () => {
  const { Properties } = onlyResource(await synthesize(), 'AWS::KMS::Key');
  expect(Properties.EnableKeyRotation).toBe(true);
});

it('trusts nobody but the account itself, whose policies decide', async () => {
  const { Properties } = onlyResource(await synthesize(), 'AWS::KMS::Key');
  expect(Properties.KeyPolicy).toEqual({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'kms:*', Resource: '*', Principal: { AWS: expect.anything() } }],
  });
  expect(JSON.stringify(Properties.KeyPolicy)).toContain(':root');
});

it.each(['GatewayData', 'GatewayCallLog'])('encrypts the table %s', async (name) => {
  const { Properties } = onlyResource(await synthesize(), 'AWS::DynamoDB::GlobalTable', name);
  expect(Properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
  expect(Properties.Replicas).toEqual([
    expect.objectContaining({ SSESpecification: { KMSMasterKeyId: { 'Fn::GetAtt': [expect.any(String), 'Arn'] } } }),
  ]);
  expect(flatten({ 'Fn::GetAtt': ['GatewayTokenKeyB115D86C', 'Arn'] })).toBe('<GatewayTokenKey.Arn>');
});

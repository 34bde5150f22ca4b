import { beforeAll, describe, expect, it } from 'vitest';
import { TABLE } from '../../../lambdas/gateway/contract.ts';
import { onlyResource, synthesize, type TemplateResource } from '../synthesize.ts';

describe('GatewayTable', () => {
  let properties: TemplateResource['Properties'];
  beforeAll(async () => {
    properties = onlyResource(await synthesize(), 'AWS::DynamoDB::GlobalTable', 'GatewayData').Properties;
  });

  it('is keyed by two strings and indexed three ways', () => {
    expect(properties.KeySchema).toEqual([
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ]);
    expect(properties.AttributeDefinitions).toEqual([
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
      { AttributeName: 'accountListKey', AttributeType: 'S' },
      { AttributeName: 'listSortKey', AttributeType: 'S' },
      { AttributeName: 'dueShard', AttributeType: 'N' },
      { AttributeName: 'refreshAt', AttributeType: 'N' },
      { AttributeName: 'grantKey', AttributeType: 'S' },
      { AttributeName: 'grantClientId', AttributeType: 'S' },
    ]);
  });

  it('projects what the readers of each index ask for', () => {
    expect(properties.GlobalSecondaryIndexes).toEqual([
      {
        IndexName: 'byAccount',
        KeySchema: [
          { AttributeName: 'accountListKey', KeyType: 'HASH' },
          { AttributeName: 'listSortKey', KeyType: 'RANGE' },
        ],
        Projection: {
          ProjectionType: 'INCLUDE',
          NonKeyAttributes: TABLE.indexes.byAccount.projected,
        },
      },
      {
        IndexName: 'due',
        KeySchema: [
          { AttributeName: 'dueShard', KeyType: 'HASH' },
          { AttributeName: 'refreshAt', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
      {
        IndexName: 'byGrant',
        KeySchema: [
          { AttributeName: 'grantKey', KeyType: 'HASH' },
          { AttributeName: 'grantClientId', KeyType: 'RANGE' },
        ],
        Projection: {
          ProjectionType: 'INCLUDE',
          NonKeyAttributes: TABLE.indexes.byGrant.projected,
        },
      },
    ]);
  });

  it('keeps what token writes and use change out of the projections', () => {
    const projected: readonly string[] = [...TABLE.indexes.byAccount.projected, ...TABLE.indexes.byGrant.projected];
    const changing = ['Token', 'Lease', 'epoch', 'refreshAt', 'lastUsed', 'lastRefreshed', 'failureCount', 'updatedAt'];
    expect(projected.filter((name) => changing.some((part) => name.includes(part)))).toEqual([]);
  });

  it('projects no more attributes into one index than DynamoDB takes', () => {
    for (const { projected } of [TABLE.indexes.byAccount, TABLE.indexes.byGrant]) {
      expect(projected.length).toBeLessThanOrEqual(20);
    }
  });

  it('is billed on demand', () => {
    expect(properties.BillingMode).toBe('PAY_PER_REQUEST');
  });

  it('CR-8: can be put back to any second of 35 days and cannot be deleted by accident', () => {
    expect(properties.Replicas).toEqual([
      expect.objectContaining({
        Region: 'us-east-1',
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
      }),
    ]);
  });

  it('expires items by one attribute and streams both images', () => {
    expect(properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAtEpochSec', Enabled: true });
    expect(properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  });
});

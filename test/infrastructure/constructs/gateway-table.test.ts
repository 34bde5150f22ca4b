import { describe, expect, it } from 'vitest';
import { onlyResource, synthesize } from '../../../dev/support/synthesize.ts';
import { TABLE } from '../../../lambdas/gateway/core/contract.ts';

const { Properties: properties } = onlyResource(await synthesize(), 'AWS::DynamoDB::GlobalTable', 'GatewayData');
/** A key by names of attributes: what is hashed, then what is sorted. */
const key = (...names: readonly [string, string]) =>
  names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' }));
const attributes = (AttributeType: string, ...names: string[]) =>
  names.map((AttributeName) => ({ AttributeName, AttributeType }));

describe('GatewayTable', () => {
  it('GatewayTable is keyed by two strings and indexed three ways', () => {
    expect(properties.KeySchema).toEqual(key('pk', 'sk'));
    expect(properties.AttributeDefinitions).toEqual([
      ...attributes('S', 'pk', 'sk', 'accountListKey', 'listSortKey'),
      ...attributes('N', 'dueShard', 'refreshAt'),
      ...attributes('S', 'grantKey', 'grantClientId'),
    ]);
  });

  it('projects what the readers of each index ask for', () => {
    const included = (index: 'byAccount' | 'byGrant') => ({
      IndexName: index,
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: TABLE.indexes[index].projected },
    });
    expect(properties.GlobalSecondaryIndexes).toEqual([
      { ...included('byAccount'), KeySchema: key('accountListKey', 'listSortKey') },
      { IndexName: 'due', KeySchema: key('dueShard', 'refreshAt'), Projection: { ProjectionType: 'KEYS_ONLY' } },
      { ...included('byGrant'), KeySchema: key('grantKey', 'grantClientId') },
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

  it('GatewayTable is billed on demand', () => {
    expect(properties.BillingMode).toBe('PAY_PER_REQUEST');
  });

  it('CR-8: GatewayTable can be put back to any second of 35 days and cannot be deleted by accident', () => {
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

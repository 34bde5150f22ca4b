/** `AWS::DynamoDB::GlobalTable` -> the CreateTable request the engine gets. */
import { asArray, asObject, asString, isObject, type Json, type JsonObject } from '../../tools/json.ts';
import type { ResolvedResource } from './resolved.ts';
import { requireKnownProperties } from './resource.ts';

/** One table: its CreateTable request and, where set, the attribute DynamoDB expires items by. */
export interface LocalTable {
  logicalId: string;
  name: string;
  arn: string;
  /** Name of the partition key's attribute. */
  partitionKey: string;
  /** Indexes, each with the attribute of its partition key. */
  indexes: readonly { name: string; partitionKey: string }[];
  createTable: JsonObject;
  timeToLiveAttribute: string | undefined;
  /** The customer-managed key that encrypts it; undefined: one of DynamoDB's, which needs no right. */
  keyArn: string | undefined;
}

const KNOWN_PROPERTIES = [
  'AttributeDefinitions',
  'BillingMode',
  'GlobalSecondaryIndexes',
  'KeySchema',
  'LocalSecondaryIndexes',
  'Replicas',
  'SSESpecification',
  'StreamSpecification',
  'TableName',
  'TimeToLiveSpecification',
  'WarmThroughput',
  'WriteOnDemandThroughputSettings',
];
const KNOWN_REPLICA_PROPERTIES = [
  'ContributorInsightsSpecification',
  'DeletionProtectionEnabled',
  'GlobalSecondaryIndexes',
  'KinesisStreamSpecification',
  'PointInTimeRecoverySpecification',
  'ReadOnDemandThroughputSettings',
  'Region',
  'ReplicaStreamSpecification',
  'ResourcePolicy',
  'SSESpecification',
  'TableClass',
  'Tags',
];

/**
 * Reads one table. Spend caps and recovery are left to AWS: they change no answer of the engine.
 * @throws Error for provisioned billing, more than one replica, or any property not supported.
 */
export function readTable(resource: ResolvedResource): LocalTable {
  const { logicalId, properties } = resource;
  requireKnownProperties(properties, KNOWN_PROPERTIES, logicalId);
  if (properties.BillingMode !== 'PAY_PER_REQUEST') throw new Error(`${logicalId} must be billed on demand.`);
  const replicas = asArray(properties.Replicas, `${logicalId}.Replicas`);
  if (replicas.length !== 1)
    throw new Error(`${logicalId} has ${replicas.length} replicas; the local runtime has one.`);
  const replica = asObject(replicas[0], `${logicalId}.Replicas[0]`);
  requireKnownProperties(replica, KNOWN_REPLICA_PROPERTIES, `${logicalId}.Replicas[0]`);
  return {
    logicalId,
    name: resource.name,
    arn: resource.arn,
    partitionKey: partitionKeyOf(properties.KeySchema, logicalId),
    indexes: indexesOf(properties, logicalId),
    createTable: {
      TableName: resource.name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: asArray(properties.AttributeDefinitions, `${logicalId}.AttributeDefinitions`),
      KeySchema: asArray(properties.KeySchema, `${logicalId}.KeySchema`),
      ...indexMember('GlobalSecondaryIndexes', properties),
      ...indexMember('LocalSecondaryIndexes', properties),
      ...streamMember(properties.StreamSpecification),
    },
    timeToLiveAttribute: readTimeToLive(properties.TimeToLiveSpecification, logicalId),
    keyArn: readKeyArn(replica.SSESpecification, logicalId),
  };
}

function indexMember(member: string, properties: JsonObject): JsonObject {
  const indexes = properties[member];
  if (!Array.isArray(indexes) || indexes.length === 0) return {};
  const readIndex = (index: Json): JsonObject => {
    const { IndexName, KeySchema, Projection } = asObject(index, member);
    return {
      IndexName: asString(IndexName, member),
      KeySchema: asArray(KeySchema, member),
      Projection: asObject(Projection, member),
    };
  };
  return { [member]: indexes.map(readIndex) };
}

function streamMember(specification: Json | undefined): JsonObject {
  if (!isObject(specification)) return {};
  const viewType = asString(specification.StreamViewType, 'StreamViewType');
  return { StreamSpecification: { StreamEnabled: true, StreamViewType: viewType } };
}

function readKeyArn(specification: Json | undefined, logicalId: string): string | undefined {
  if (!isObject(specification) || specification.KMSMasterKeyId === undefined) return undefined;
  return asString(specification.KMSMasterKeyId, `${logicalId}.SSESpecification.KMSMasterKeyId`);
}

function readTimeToLive(specification: Json | undefined, logicalId: string): string | undefined {
  if (!isObject(specification) || specification.Enabled !== true) return undefined;
  return asString(specification.AttributeName, `${logicalId}.TimeToLiveSpecification.AttributeName`);
}

function indexesOf(properties: JsonObject, logicalId: string): { name: string; partitionKey: string }[] {
  return ['GlobalSecondaryIndexes', 'LocalSecondaryIndexes'].flatMap((kind) =>
    asArray(properties[kind] ?? [], `${logicalId}.${kind}`).map((one) => {
      const index = asObject(one, `${logicalId}.${kind}`);
      const name = asString(index.IndexName, `${logicalId}.${kind}.IndexName`);
      return { name, partitionKey: partitionKeyOf(index.KeySchema, `${logicalId}.${name}`) };
    }),
  );
}

function partitionKeyOf(schema: Json | undefined, logicalId: string): string {
  const keys = asArray(schema, `${logicalId}.KeySchema`).map((key) => asObject(key, `${logicalId}.KeySchema`));
  return asString(keys.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName, `${logicalId}.KeySchema`);
}

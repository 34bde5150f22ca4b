/** What the contract suite bundles twice, with the SDK and with the lean client in its place, as dev/tools/build.ts does the proxy. */
export { DynamoDBClient } from '@aws-sdk/client-dynamodb';
export { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
export { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
export {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
export { pickStore } from '../../../../lambdas/gateway/authorization/pick.store.ts';
export { connectSessionStore } from '../../../../lambdas/gateway/authorization/session.store.ts';
export { callTotals } from '../../../../lambdas/gateway/calls/call-totals.store.ts';
export { rateCounter } from '../../../../lambdas/gateway/calls/rate-counter.store.ts';
export { takeLease } from '../../../../lambdas/gateway/connections/connection.store.ts';
export {
  awsClient,
  endCallsWithInvocation,
  isOutage,
  reportOutages,
} from '../../../../lambdas/gateway/platform/aws-client.ts';
export { batchGet } from '../../../../lambdas/gateway/platform/dynamodb/batch-get.ts';
export { cancelledConditions, openTable } from '../../../../lambdas/gateway/platform/dynamodb/client.ts';
export { kmsDataKeys } from '../../../../lambdas/gateway/platform/kms/token-cipher.ts';
export { openSecretsManager, readSecret } from '../../../../lambdas/gateway/platform/secret-reader.ts';
export { consentLog } from '../../../../lambdas/gateway/tokens/consent-log.store.ts';
export { deathCounter } from '../../../../lambdas/gateway/tokens/death-counter.store.ts';
export { escrowStore } from '../../../../lambdas/gateway/tokens/escrow.store.ts';

import { type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct, type IDependable } from 'constructs';
import { ENVIRONMENT, type KeyPurpose } from '../../lambdas/gateway/core/contract.ts';
import type { GatewayFunction } from './function.ts';

/** Key actions of a principal that reads and writes items of an encrypted table, through DynamoDB only. */
const TABLE_KEY_ACTIONS = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/** The removal policy of the key. */
export interface TokenKeyProps {
  readonly removalPolicy: RemovalPolicy;
}

/**
 * The customer-managed key: it encrypts the table and wraps the data keys that encrypt token fields.
 *
 * The two uses never mix. Field encryption needs the encryption context member `purpose`, which DynamoDB does not send; the table's use
 * is bound to calls from DynamoDB. Losing this key loses every token, so it remains when the stack is deleted.
 */
export class TokenKey extends Construct {
  /** The key itself, for the table. */
  readonly key: Key;

  constructor(scope: Construct, id: string, props: TokenKeyProps) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Encrypts the integration gateway table and wraps the data keys of its token fields',
      enableKeyRotation: true,
      removalPolicy: props.removalPolicy,
    });
  }

  /**
   * Lets a function create and unwrap data keys of some purposes, and sets the key in its environment.
   *
   * @param sid of the statement, where a feature adds purposes of its own
   */
  grantFieldEncryption(fn: GatewayFunction, purposes: readonly KeyPurpose[], sid = 'WrapDataKeys'): void {
    fn.allow({
      sid,
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [this.key.keyArn],
      conditions: { StringEquals: { 'kms:EncryptionContext:purpose': [...purposes] } },
    });
    fn.setEnvironment(ENVIRONMENT.tokenKeyArn, this.key.keyArn);
  }

  /** Lets a function use the table that this key encrypts. */
  grantTableUse(fn: GatewayFunction): void {
    fn.allow({
      sid: 'UseTableKey',
      actions: TABLE_KEY_ACTIONS,
      resources: [this.key.keyArn],
      conditions: this.#throughDynamoDb(),
    });
  }

  /**
   * Lets a trigger read the stream of the table that this key encrypts for a function.
   *
   * @returns dependency of the trigger
   */
  grantStreamRead(fn: GatewayFunction): IDependable {
    return fn.allow({
      sid: 'DecryptTableStream',
      actions: ['kms:Decrypt'],
      resources: [this.key.keyArn],
      conditions: this.#throughDynamoDb(),
    });
  }

  #throughDynamoDb(): Record<string, Record<string, string>> {
    return { StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(this).region}.amazonaws.com` } };
  }
}

import { ArnFormat, type RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ENVIRONMENT, testCredentialsVariable } from '../../lambdas/gateway/core/contract.ts';
import { allProviders } from '../../lambdas/gateway/providers/index.ts';
import { acknowledge } from './acknowledge.ts';
import type { GatewayFunction } from './function.ts';

/** Names of the secrets, and their removal policy. */
export interface GatewaySecretsProps {
  /**
   * First part of the names of secrets created at run time: `<prefix>/integration/<account>/<integration>` and
   * `<prefix>/test-credentials/<provider>`.
   */
  readonly prefix: string;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * The secrets of a gateway: an empty container for the first secret key, and the names under which the function `grants` stores
 * client credentials, each integration's and the operator's for tests. A secret costs money from its first hour, so those are created
 * when they are first set.
 *
 * No value is in the template. The account's own Secrets Manager key encrypts them: access is decided by the policies below, and a
 * customer-managed key would add one more grant to each of them without removing a reader.
 */
export class GatewaySecrets extends Construct {
  /** ARN of the secret that receives the first secret key. */
  readonly firstSecretKeyArn: string;
  /** By provider: name of the secret for the operator's OAuth client, JSON `{client_id, client_secret}`. */
  readonly testCredentialsNames: ReadonlyMap<string, string>;
  readonly #prefix: string;

  constructor(scope: Construct, id: string, props: GatewaySecretsProps) {
    super(scope, id);
    this.#prefix = props.prefix;
    this.firstSecretKeyArn = this.#emptySecret(
      'FirstSecretKey',
      'First secret key of the integration gateway, written by its refresh function',
      'The gateway issues this key itself and replaces it without downtime through its own API.',
      props.removalPolicy,
    );
    this.testCredentialsNames = new Map(
      allProviders().map(({ id: provider }) => [provider, `${props.prefix}/test-credentials/${provider}`]),
    );
  }

  /** Lets a function read the first secret key's container and write the key into it. */
  grantFirstSecretKeyWrite(fn: GatewayFunction): void {
    fn.allow({
      sid: 'KeepFirstSecretKey',
      actions: ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
      resources: [this.firstSecretKeyArn],
    });
    fn.setEnvironment(ENVIRONMENT.firstSecretKeyArn, this.firstSecretKeyArn);
  }

  /** Lets a function read client credentials: each integration's own and the operator's for tests. */
  grantCredentialsRead(fn: GatewayFunction): void {
    fn.allow({
      sid: 'ReadClientCredentials',
      actions: ['secretsmanager:GetSecretValue'],
      resources: [this.#secretsArn('integration'), this.#secretsArn('test-credentials')],
    });
    this.#nameCredentials(fn);
  }

  /** Lets a function keep each integration's client credentials, and the operator's for tests. */
  grantCredentialsWrite(fn: GatewayFunction): void {
    fn.allow({
      sid: 'KeepTestCredentials',
      actions: ['CreateSecret', 'GetSecretValue', 'PutSecretValue'].map((name) => `secretsmanager:${name}`),
      resources: [this.#secretsArn('test-credentials')],
    });
    fn.allow({
      sid: 'KeepIntegrationCredentials',
      actions: ['CreateSecret', 'DeleteSecret', 'GetSecretValue', 'PutSecretValue'].map(
        (name) => `secretsmanager:${name}`,
      ),
      resources: [this.#secretsArn('integration')],
    });
    this.#nameCredentials(fn);
  }

  /** Secrets of a kind, whose names end with a part known at run time and six characters of Secrets Manager. */
  #secretsArn(kind: 'integration' | 'test-credentials'): string {
    return Stack.of(this).formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      resourceName: `${this.#prefix}/${kind}/*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }

  #nameCredentials(fn: GatewayFunction): void {
    // The rule recognizes a pseudo parameter by this notation.
    const named = (value: string, name: string) => (Token.isUnresolved(value) ? `<AWS::${name}>` : value);
    const { partition, region, account } = Stack.of(this);
    const arn = `arn:${named(partition, 'Partition')}:secretsmanager:${region}:${named(account, 'AccountId')}:secret`;
    for (const kind of ['integration', 'test-credentials']) {
      acknowledge(
        fn,
        `AwsSolutions-IAM5[Resource::${arn}:${this.#prefix}/${kind}/*]`,
        'Secrets of OAuth clients are made at run time: only their name prefix is known.',
      );
    }
    fn.setEnvironment(ENVIRONMENT.secretPrefix, this.#prefix);
    for (const [provider, name] of this.testCredentialsNames) {
      fn.setEnvironment(testCredentialsVariable(provider), name);
    }
  }

  #emptySecret(id: string, description: string, rotationReason: string, removalPolicy: RemovalPolicy): string {
    // The L2 construct would generate a value that looks like a chosen key.
    const secret = new CfnSecret(this, id, { description });
    secret.applyRemovalPolicy(removalPolicy);
    acknowledge(secret, 'AwsSolutions-SMG4', rotationReason);
    return secret.ref;
  }
}

/** `google-drive` as part of a logical id: `GoogleDrive`. */
export function pascalCase(id: string): string {
  return id.replace(/(?:^|-)([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
}

/** Registers OAuth clients of integrations in the simulator's console, as a developer would at Google. */
import type { Simulator } from '../../packages/simulator/index.ts';
import { asArray, asObject, errorMessage, isObject, type JsonObject, parseJson } from '../tools/json.ts';
import type { SecretsManager } from './aws/secrets-manager.ts';
import type { DynamoDbClient } from './dynamodb/client.ts';
import type { AnsweredRequest } from './front/server.ts';

/** Dependencies of the registrar. */
export interface RegistrarOptions {
  /** Undefined where someone else plays Google. */
  simulator: Simulator | undefined;
  table: DynamoDbClient;
  tableNames: readonly string[];
  secrets: SecretsManager;
  gatewayUrl: string;
  warn: (message: string) => void;
}

/**
 * Registers the clients of all integrations with the callback of this gateway, and their publishing status and audience as
 * declared, before an answer that made or changed an integration leaves. A client that the simulator knows otherwise stays.
 */
export function clientRegistrar(options: RegistrarOptions): (answered: AnsweredRequest) => Promise<void> {
  const { simulator, warn } = options;
  return async ({ method, path, status }) => {
    const isChange = method !== 'GET' && status >= 200 && status < 300 && /^\/integrations(\/|$)/.test(path);
    if (simulator === undefined || !isChange) return;
    try {
      for (const integration of await ownIntegrations(options)) register(simulator, integration, options);
    } catch (error) {
      warn(`The OAuth client of an integration is not registered at the simulator: ${errorMessage(error)}`);
    }
  };
}

async function ownIntegrations({ table, tableNames }: RegistrarOptions): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (const TableName of tableNames) {
    let after: JsonObject = {};
    do {
      const page = await table.call('Scan', {
        TableName,
        FilterExpression: '#type = :integration AND attribute_exists(secretId)',
        ExpressionAttributeNames: { '#type': 'type' },
        ExpressionAttributeValues: { ':integration': { S: 'integration' } },
        ...after,
      });
      found.push(...asArray(page.Items ?? [], 'Items').map((item) => asObject(item, 'item')));
      after = isObject(page.LastEvaluatedKey) ? { ExclusiveStartKey: page.LastEvaluatedKey } : {};
    } while ('ExclusiveStartKey' in after);
  }
  return found;
}

function register(simulator: Simulator, item: JsonObject, { secrets, gatewayUrl }: RegistrarOptions): void {
  const value = secrets.currentValue(textOf(item, 'secretId'));
  if (value === undefined) return;
  const { client_id: clientId, current: clientSecret } = asObject(parseJson(value, 'The client secret'), 'secret');
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string') return;
  simulator.declareClient({
    clientId,
    clientSecret,
    redirectUris: [`${gatewayUrl}/oauth/callback`],
    publishingStatus: textOf(item, 'publishingStatus') === 'testing' ? 'testing' : 'production',
    audience: textOf(item, 'audience') === 'internal' ? 'internal' : 'external',
    agentic: isTrue(item, 'agentic'),
  });
}

function isTrue(item: JsonObject, name: string): boolean {
  const attribute = item[name];
  return isObject(attribute) && attribute.BOOL === true;
}

function textOf(item: JsonObject, name: string): string {
  const attribute = item[name];
  return isObject(attribute) && typeof attribute.S === 'string' ? attribute.S : '';
}

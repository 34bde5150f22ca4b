// @module-tag long
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editedTemplate } from '../faults/support/assemblies.ts';
import { connectSession } from '../support/connect.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/** The project's stack with one action taken out of one role's statement. */
function withoutAction(role: string, sid: string, action: string): Promise<string> {
  return editedTemplate((text) => {
    const template = JSON.parse(text);
    for (const [logicalId, { Type, Properties }] of Object.entries<{ Type: string; Properties: never }>(
      template.Resources,
    )) {
      if (Type !== 'AWS::IAM::Policy' || !logicalId.includes(role)) continue;
      const document = Object(Properties).PolicyDocument;
      for (const statement of document.Statement) {
        if (statement.Sid === sid) statement.Action = [statement.Action].flat().filter((one: string) => one !== action);
      }
      document.Statement = document.Statement.filter(({ Action }: { Action: unknown[] }) => Action.length > 0);
    }
    return JSON.stringify(template);
  });
}

describe('IN-9: a stack that lacks a right', () => {
  let assemblyFolder: string;
  let gateway: TestGateway;
  beforeAll(async () => {
    assemblyFolder = await withoutAction('ConnectRole', 'QueryAccounts', 'dynamodb:Query');
    gateway = await startTestGateway({ assemblyFolder });
  });
  afterAll(async () => {
    await gateway?.gateway.close();
    await gateway?.[Symbol.asyncDispose]();
    rmSync(assemblyFolder, { recursive: true, force: true });
  });

  const readSession = async (token: string) =>
    fetch(`${gateway.gateway.gatewayUrl}/connect/session`, { headers: { authorization: `Bearer ${token}` } });

  test('answers as it would on AWS, and says whose call lacked what', async () => {
    const listed = await readSession(await connectSession(gateway, { allowed_integrations: ['google-drive'] }));
    expect([listed.status, gateway.gateway.takeDenials()]).toEqual([200, []]);
    const unlisted = await readSession(await connectSession(gateway, {}));
    expect(unlisted.status).toBeGreaterThanOrEqual(500);
    const table = `arn:aws:dynamodb:us-east-1:000000000000:table/${gateway.gateway.tableName}`;
    const [denied] = gateway.gateway.takeDenials();
    expect(denied).toMatchObject({ caller: 'connect', action: 'dynamodb:Query', resource: table });
    expect(denied?.message).toMatch(
      /^User: arn:aws:sts::000000000000:assumed-role\/[^/]*ConnectRole[^/]*\/[^/]*ConnectFunction\S* is not authorized to perform: dynamodb:Query on resource: \S+ because no identity-based policy allows the dynamodb:Query action$/,
    );
  });

  test('fails the run with its first denial that nobody expected', async () => {
    await readSession(await connectSession(gateway, {}));
    await expect(gateway.gateway.close()).rejects.toThrow(
      /^AWS would have refused \d+ calls by the policies of the stack:\n {2}connect: User: .* dynamodb:Query on resource/,
    );
  });
});

import { expect, test } from 'vitest';
import { useTestGateway, useWebhookReceiver } from '../../support/use-gateway.ts';

const answers = useWebhookReceiver();
const running = useTestGateway();

const STACK_ID = 'arn:aws:cloudformation:us-east-1:000000000000:stack/shop/5f1c0d0e-0000-4000-8000-000000000001';

/** Sends a request as CloudFormation does, and reads the answer that the function uploads. */
async function request(
  RequestType: 'Create' | 'Update' | 'Delete',
  kind: string,
  ResourceProperties: object,
  PhysicalResourceId?: string,
): Promise<{ Status: string; PhysicalResourceId: string; Reason?: string; Data?: object }> {
  const path = `/answer-${answers.messages.length}?X-Amz-Signature=of-the-answer`;
  await running.gateway.tick('declared', {
    ...{ RequestType, StackId: STACK_ID, RequestId: 'req-1', ResponseURL: `${answers.address}${path}` },
    ...{ LogicalResourceId: 'Declared1', ResourceType: `Custom::Gateway${kind}`, ServiceToken: 'arn' },
    ...(PhysicalResourceId === undefined ? {} : { PhysicalResourceId }),
    ResourceProperties: { ServiceToken: 'arn', ...ResourceProperties },
  });
  const message = await answers.waitFor((one) => one.path === path);
  expect(message.headers['content-type'] ?? '').toBe('');
  return JSON.parse(message.body);
}

test('the function creates, changes and deletes an integration of a stack, and answers CloudFormation', async () => {
  const drive = { Provider: 'google-drive', UniqueKey: 'of-a-stack', Scopes: ['drive.file'] };
  const made = await request('Create', 'Integration', drive);
  expect(made).toMatchObject({
    ...{ Status: 'SUCCESS', PhysicalResourceId: 'of-a-stack', StackId: STACK_ID, RequestId: 'req-1' },
    ...{ LogicalResourceId: 'Declared1', Data: { UniqueKey: 'of-a-stack', Provider: 'google-drive' } },
  });
  const show = () => running.json('GET', '/integrations/of-a-stack');
  expect((await show()).body.data).toMatchObject({ managed_by: { stack: 'shop', resources: ['Declared1'] } });
  await request('Update', 'Integration', { ...drive, PublicName: 'Your files' }, 'of-a-stack');
  expect((await show()).body.data).toMatchObject({ public_name: 'Your files' });
  const event = await running.gateway.waitForEvent((one) => one['detail-type'] === 'IntegrationUpdated');
  expect(event.detail).toMatchObject({ actor: 'stack:shop', integration_id: 'of-a-stack' });
  expect(await request('Delete', 'Integration', drive, 'of-a-stack')).toMatchObject({ Status: 'SUCCESS' });
  expect((await show()).status).toBe(404);
});

test('a secret that no stack granted is refused by AWS, and the answer names the property and the grant', async () => {
  const ClientSecretArn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:google/drive-AbCdEf';
  const client = { ClientId: '123456789012-a.apps.googleusercontent.com', ClientSecretArn };
  const properties = { Provider: 'google-drive', UniqueKey: 'no-grant', Scopes: ['drive.file'], ...client };
  const refused = await request('Create', 'Integration', properties);
  expect(refused).toMatchObject({ Status: 'FAILED', PhysicalResourceId: 'nothing-made' });
  expect(refused.Reason).toMatch(/^ClientSecretArn: the secret cannot be read \(AccessDeniedException\); grant /);
  expect((await running.json('GET', '/integrations/no-grant')).status).toBe(404);
  expect(running.gateway.takeDenials()).toHaveLength(1);
});

test('a stack registers a role as a caller and revokes it', async () => {
  const caller = { RoleArn: 'arn:aws:iam::000000000000:role/sync', Allow: ['drive:read'], Day: { Units: '5000' } };
  const { Status, PhysicalResourceId } = await request('Create', 'Caller', caller);
  expect(Status).toBe('SUCCESS');
  const roles = async () => {
    const { body } = await running.json('GET', '/account/keys');
    return body.data.filter(({ id, revoked_at }: Record<string, unknown>) => id === PhysicalResourceId && !revoked_at);
  };
  expect(await roles()).toMatchObject([{ right: 'proxy', limits: { allow: ['drive:read'], day: { units: 5000 } } }]);
  await request('Delete', 'Caller', caller, PhysicalResourceId);
  expect(await roles()).toEqual([]);
});

import type { Page } from 'playwright-core';
import type { TestGateway } from '../../support/gateway.ts';
import { GONE_USER } from './morning.ts';
import type { OperatorsDay } from './operators-day.ts';

/** Buttons that open a dialog, after the address of their page; an address without buttons opens its dialog itself. */
export type DialogPlace = readonly [address: string, ...buttons: (string | RegExp)[]];

/** Everything that the dashboard can show of an operator's day. */
export interface Places {
  /** Addresses of the pages, with the tabs of those that have some. */
  readonly addresses: readonly string[];
  readonly dialogs: readonly DialogPlace[];
}

/** Finds the addresses of all pages, tabs and dialogs of a gateway. @param day what was seeded there */
export async function placesOf(test: TestGateway, day: OperatorsDay): Promise<Places> {
  const keys: { id: string; name: string }[] = (await test.json('GET', '/account/keys')).body.data;
  const keyId = keys.find(({ name }) => name === 'Research agent')?.id.slice(0, 12);
  const observing = keys.find(({ name }) => name === 'Nightly job')?.id.slice(0, 12);
  const approvals = (await test.json('GET', '/approvals')).body.data;
  const gone = (await test.json('GET', `/connections?end_user_id=${GONE_USER}`)).body.connections[0].connection_id;
  const writer = `/connections/drive-writer/${day.writerId}`;
  const tabs = (address: string, ...names: string[]) => names.map((name) => `${address}?tab=${name}`);
  const addresses = [
    '/',
    '/integrations',
    '/new-integration',
    '/new-delegation',
    ...tabs('/integrations/google-drive', 'overview', 'live', 'credentials', 'scopes', 'settings'),
    ...tabs('/integrations/drive-domain', 'overview', 'live', 'credentials', 'scopes', 'settings'),
    '/integrations/no-such-one',
    '/connections',
    '/connections?status=reauthorization_required',
    ...tabs(writer, 'scopes', 'timeline', 'calls', 'writes', 'feeds', 'try'),
    `/connections/google-drive/${gone}`,
    `/connections/google-drive/${day.paused.id}?tab=feeds`,
    `/connections/google-calendar/${day.deletedId}`,
    '/calls',
    '/feeds',
    '/approvals',
    '/agents',
    '/audit',
    '/webhooks',
    `/webhooks/${day.webhookId}`,
    '/reconnect-links',
    '/erase-person',
    '/erase-person?end_user=customer-7',
    '/security-events',
    '/keys',
    ...tabs(`/keys/${keyId}`, 'limits', 'use', 'writes'),
    `/keys/${observing}`,
    `/objects/${day.fileId}`,
    '/getting-started',
    '/nothing-here',
  ];
  const dialogs: DialogPlace[] = [
    ['/', /^Search/],
    ['/connections', 'Create a test connection'],
    ['/connections', 'Share a connect link'],
    [writer, 'Delete'],
    [writer, 'Reconnect'],
    [writer, 'Check'],
    [`/connections/google-drive/${gone}`, 'Create a reconnect link'],
    ['/integrations', 'Replace test credentials of Google Calendar'],
    ['/integrations', 'Remove test credentials of Google Calendar'],
    ['/integrations/google-drive?tab=credentials', 'Use your own client'],
    ['/integrations/calendar-own?tab=credentials', 'Rotate the secret'],
    ['/integrations/google-drive?tab=settings', 'Delete the integration'],
    ['/integrations/drive-domain', 'Connect a user'],
    ['/integrations/drive-domain?tab=credentials', 'Check a domain'],
    ['/integrations/drive-domain?tab=credentials', 'Create a link for an administrator'],
    ['/integrations/drive-domain?tab=credentials', 'Change'],
    ['/security-events', /^Register Cloud project/],
    [`/approvals/${approvals[0].id}`],
    ['/agents', 'Create an agent key'],
    ['/agents', 'Undo what Research agent wrote'],
    ['/keys', 'Create a secret key'],
    ['/keys', 'Register an IAM role'],
    ['/keys', 'Revoke Research agent'],
    [`/keys/${keyId}`, 'Change the limits'],
    [`/keys/${observing}`, 'Change the limits'],
    [`/objects/${day.fileId}`, /^Undo drive\.files\.update/],
    ['/webhooks', 'Add a webhook'],
    [`/webhooks/${day.webhookId}`, 'Replay'],
    [`/webhooks/${day.webhookId}`, 'New secret'],
    [`/webhooks/${day.webhookId}`, 'Delete'],
    ['/reconnect-links', /came back/, 'Withdraw the links'],
    ['/erase-person?end_user=customer-7', 'Erase this person'],
  ];
  return { addresses, dialogs };
}

/** Clicks through to a dialog, on the page of its address. */
export async function openDialog(page: Page, [, ...buttons]: DialogPlace): Promise<void> {
  for (const button of buttons) {
    await page
      .getByRole('button', { name: button, exact: typeof button === 'string' })
      .first()
      .click();
  }
  await page.getByRole('dialog').first().waitFor();
}

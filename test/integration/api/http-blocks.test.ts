// @module-tag long
import { describe, expect, test } from 'vitest';
import { connectAccount, finishFlow, setScopes, startFlow } from '../../support/connect.ts';
import { differences, httpBlockNames, namedBlock, parseHttpBlock, parseShown } from '../../support/http-blocks.ts';
import { control, ownerOf } from '../../support/simulator.ts';
import { changeConnection } from '../../support/table.ts';
import { useTestGateway, useWebhookReceiver } from '../../support/use-gateway.ts';

const RETURN_URL = 'https://app.example.com/connected';
const EDITOR = 'editor@workspace.example';
const DRIVE_FILE = 'https://www.googleapis.com/auth/drive.file';
const DAY_SEC = 86_400;

/** What each `http` block is replayed by: every block of these documents has to be among them. */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['dead-grant'],
  'docs/changes.md': ['watch', 'changes', 'meaning', 'reminders'],
  'docs/connect-page.md': ['connect', 'confirm'],
  'docs/drive-files.md': ['pick'],
  'docs/shared-drives.md': ['list'],
  'docs/webhooks.md': ['register', 'message'],
};

const receiver = useWebhookReceiver();
const gateway = useTestGateway({ rules: true, environmentOverrides: { CONNECT_RETURN_URLS: RETURN_URL } });

interface Replay {
  /** What stands for a text of the block, such as `"connection_id": "…"`; what answers show as `wh_…` is added. */
  readonly fill?: Map<string, string>;
  /** What happens before a request, by method and path as shown. */
  readonly before?: Readonly<Record<string, (fill: Map<string, string>) => Promise<void>>>;
}

/** Sends what a block shows, in order, and compares each answer with the shown one. */
async function replay(document: string, name: string, { fill = new Map(), before = {} }: Replay = {}) {
  const filled = (text: string) => [...fill].reduce((all, [shown, real]) => all.replaceAll(shown, real), text);
  for (const { method, path, headers, body, answer } of parseHttpBlock(namedBlock(document, `http ${name}`))) {
    await before[`${method} ${path}`]?.(fill);
    const sent = Object.entries(headers).map(([header, value]): [string, string] => [
      header,
      filled(`${header}: ${value}`).slice(header.length + 2),
    ]);
    const response = await gateway.call(filled(path), {
      method,
      headers: { ...Object.fromEntries(sent), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: filled(body) }),
    });
    const text = await response.text();
    expect({ method, path, status: response.status, text }).toMatchObject({ status: answer?.status });
    expect(differences(parseShown(answer?.body ?? ''), JSON.parse(text), fill)).toEqual([]);
  }
  return fill;
}

/** Opens the session's link and consents. */
async function consent(fill: Map<string, string>, choice: Parameters<typeof finishFlow>[1]): Promise<string> {
  const page = await finishFlow(await startFlow(gateway, fill.get('cs_…') ?? '', 'google-drive'), choice);
  expect(page.status).toBe(200);
  return page.text();
}

describe('HTTP as documents show it', () => {
  test('every block with requests is replayed here', () => {
    for (const [document, names] of Object.entries(BLOCKS)) {
      expect({ document, names: httpBlockNames(document) }).toEqual({ document, names });
    }
  });

  test('docs/connect-page.md: a user connects', async () => {
    await replay('docs/connect-page.md', 'connect', {
      before: {
        'GET /connect/session': async (fill) => {
          await consent(fill, { account: 'second.user@example.com' });
        },
      },
    });
  });

  test('README.md: a dead grant is answered with its cause', async () => {
    const connectionId = await connectAccount(gateway, 'google-drive', { account: EDITOR });
    const nowEpochSec = Math.floor(Date.now() / 1000);
    // As Google announces it to an app in Testing: seven days after the consent, which is over.
    await changeConnection(gateway, 'google-drive', connectionId, {
      consentedAtEpochSec: nowEpochSec - 7 * DAY_SEC - 60,
      refreshTokenExpiresAtEpochSec: nowEpochSec - 60,
    });
    await control(gateway, 'POST', '/grants/kill', { account: EDITOR, reason: 'testing_7_days' });
    await replay('README.md', 'dead-grant', {
      fill: new Map([['Connection-Id: …', `Connection-Id: ${connectionId}`]]),
    });
  });

  test('docs/changes.md: a feed is made, and a new file is its first batch', async () => {
    const fill = await replay('docs/changes.md', 'watch', {
      fill: new Map([['"connection_id": "…"', `"connection_id": "${gateway.connectionId('google-drive')}"`]]),
    });
    const asOwner = await ownerOf(gateway);
    await asOwner('POST', '/drive/v3/files', { name: 'new', mimeType: 'text/plain' });
    const path = `/feeds/${fill.get('01…')}/changes?after=0`;
    const sequenceOf = async () => (await gateway.json('GET', path)).body.last_sequence;
    await expect.poll(sequenceOf).toBe(1);
    await replay('docs/changes.md', 'changes', { fill });
    await replay('docs/changes.md', 'meaning', { fill });
    const calendar = {
      provider_config_key: 'google-calendar',
      connection_id: gateway.connectionId('google-calendar'),
      resource: 'calendar:primary',
    };
    const { body } = await gateway.json('POST', '/feeds', calendar);
    await replay('docs/changes.md', 'reminders', { fill: new Map([['01…', body.data.id]]) });
  });

  test('docs/connect-page.md: the backend confirms who came back', async () => {
    const shown = /^# .* (\S+)\?confirmation_handle=cf_…$/m.exec(namedBlock('docs/connect-page.md', 'http confirm'));
    expect(shown?.[1]).toBe(RETURN_URL);
    await replay('docs/connect-page.md', 'confirm', {
      before: {
        'POST /connect/sessions/confirm': async (fill) => {
          const page = await consent(fill, { account: 'viewer@workspace.example' });
          const handle = new RegExp(`href="${RETURN_URL}\\?confirmation_handle=(cf_[\\w-]+)"`).exec(page)?.[1];
          fill.set('cf_…', handle ?? 'no handle in the page');
        },
      },
    });
  });

  test('docs/shared-drives.md: a shared drive is found, searched, and refused without its parameters', async () => {
    const connectionId = await connectAccount(gateway, 'google-drive', { account: EDITOR });
    await replay('docs/shared-drives.md', 'list', {
      fill: new Map([['Connection-Id: …', `Connection-Id: ${connectionId}`]]),
    });
  });

  test('docs/drive-files.md: a user selects a file', async () => {
    await setScopes(gateway, 'google-drive', [DRIVE_FILE]);
    const connectionId = await connectAccount(gateway, 'google-drive', { account: EDITOR });
    await replay('docs/drive-files.md', 'pick', {
      fill: new Map([['"connection_id": "…"', `"connection_id": "${connectionId}"`]]),
      before: {
        'GET /connect/session': async (fill) => {
          await consent(fill, { account: EDITOR });
        },
      },
    });
  });

  test('docs/webhooks.md: an endpoint is registered, and receives the event of a dead grant', async () => {
    await replay('docs/webhooks.md', 'register', {
      fill: new Map([['https://hooks.example.com', receiver.address]]),
    });
    await control(gateway, 'POST', '/grants/kill', { account: 'first.user@example.com', reason: 'user_revoked' });
    expect((await gateway.proxy('google-calendar', '/calendar/v3/users/me/settings')).status).toBe(424);
    const [shown] = parseHttpBlock(namedBlock('docs/webhooks.md', 'http message'));
    const message = await receiver.waitFor(({ body }) => !body.includes('endpoint.test'));
    expect(`POST ${message.path}`).toBe(`${shown?.method} ${shown?.path}`);
    const seen = new Map<string, string>();
    for (const [header, value] of Object.entries(shown?.headers ?? {})) {
      expect(differences(value, message.headers[header.toLowerCase()], seen, header)).toEqual([]);
    }
    expect(differences(parseShown(shown?.body ?? ''), JSON.parse(message.body), seen)).toEqual([]);
  });
});

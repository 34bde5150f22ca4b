import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  messageBody,
  secretText,
  signedHeaders,
  wants,
  webhookUrlProblem,
} from '../../../../lambdas/features/webhooks/webhook.rules.ts';
import { verifyWebhook } from '../../../../packages/client/src/index.ts';

const NOW = Math.floor(Date.now() / 1000);
const ID = '01KAMT0V5N7Z2Q4R8S6T1W3X5Z';
const secretBytes = fc.uint8Array({ minLength: 24, maxLength: 64 });
const bodies = fc
  .dictionary(fc.string(), fc.string({ unit: 'grapheme' }))
  .map((data) => messageBody('ConnectionCreated', '2026-11-22T08:00:00.000Z', data));

describe('signatures', () => {
  it('WH-10: the published library verifies messages signed with one secret and with two', () => {
    fc.assert(
      fc.property(bodies, secretBytes, secretBytes, (body, first, second) => {
        const secrets = [first, second].map(secretText);
        const headers = Object.fromEntries(signedHeaders(ID, body, secrets, NOW));
        for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Webhook(secrets[0] ?? '').verify(`${body} `, headers)).toThrow(WebhookVerificationError);
      }),
    );
  });

  it('WH-10: signs exactly as the published library does', () => {
    fc.assert(
      fc.property(bodies, secretBytes, (body, bytes) => {
        const secret = secretText(bytes);
        const [, , [, signature] = []] = signedHeaders(ID, body, [secret], NOW);
        expect(signature).toBe(new Webhook(secret).sign(ID, new Date(NOW * 1000), body));
      }),
    );
  });

  it('WH-10: signs the message that the reference library in Python is asked about', () => {
    const file = join(import.meta.dirname, '../../../../packages/python/tests/signed-message.json');
    const { secrets, body, headers } = JSON.parse(readFileSync(file, 'utf8'));
    const seconds = Number(headers['webhook-timestamp']);
    expect(Object.fromEntries(signedHeaders(headers['webhook-id'], body, secrets, seconds))).toEqual(headers);
  });

  it('WH-10: verifyWebhook takes what the published library signed, also among signatures of other versions', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, secretBytes, async (body, bytes) => {
        const secret = secretText(bytes);
        const signature = `v1a,AAAA ${new Webhook(secret).sign(ID, new Date(NOW * 1000), body)}`;
        const headers = { 'Webhook-Id': ID, 'webhook-timestamp': String(NOW), 'webhook-signature': signature };
        const secrets = ['whsec_QUFBQUFBQUFBQUFBQUFBQQ==', secret];
        expect(await verifyWebhook(body, headers, secrets)).toEqual(JSON.parse(body));
      }),
    );
  });

  const secret = secretText(new Uint8Array(32).fill(7));
  const body = messageBody('ConnectionCreated', '2026-11-22T08:00:00.000Z', { sequence: '1' });
  const headers = Object.fromEntries(signedHeaders(ID, body, [secret], NOW));
  it.each<[string, string, Record<string, string>]>([
    ['a changed body', body.replace('1', '2'), headers],
    ['another id', body, { ...headers, 'webhook-id': 'other' }],
    ['another time', body, { ...headers, 'webhook-timestamp': String(NOW - 1) }],
    [
      'an id that could hide a part of the time',
      body,
      Object.fromEntries(signedHeaders(`${ID}.1`, body, [secret], NOW)),
    ],
    ['no signature', body, { ...headers, 'webhook-signature': '' }],
    ['a signature that is no base64', body, { ...headers, 'webhook-signature': 'v1,***' }],
    ['a time that is none', body, { ...headers, 'webhook-timestamp': '1e9' }],
  ])('WH-10: verifyWebhook refuses %s', async (_what, text, changedHeaders) => {
    const refused = { name: 'WebhookVerificationError' };
    await expect(verifyWebhook(text, changedHeaders, secret)).rejects.toMatchObject(refused);
  });

  it('WH-10: verifyWebhook refuses an old message, one from the future, another secret and a secret that is none', async () => {
    const later = (seconds: number) => ({ now: new Date((NOW + seconds) * 1000) });
    await expect(verifyWebhook(body, new Headers(headers), secret, later(299))).resolves.toBeDefined();
    await expect(verifyWebhook(body, headers, secret, later(302))).rejects.toThrow('too old');
    await expect(verifyWebhook(body, headers, secret, later(-302))).rejects.toThrow('too old');
    await expect(verifyWebhook(body, headers, secretText(new Uint8Array(32)))).rejects.toThrow('No signature');
    await expect(verifyWebhook(body, headers, 'hunter2')).rejects.toThrow(TypeError);
  });
});

describe('headers and secrets that are none', () => {
  const secret = secretText(new Uint8Array(32).fill(7));
  const body = messageBody('ConnectionCreated', '2026-11-22T08:00:00.000Z', { sequence: '1' });
  const headers = Object.fromEntries(signedHeaders(ID, body, [secret], NOW));
  const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const MALFORMED: unknown[] = [
    '',
    '\ud800',
    'ü',
    Buffer.from('v1,x'),
    ['a', 'b'],
    [ID],
    null,
    7,
    'v1,\ud800',
    'v1,\uff11',
  ];

  it.each(NAMES.flatMap((name) => MALFORMED.map((value) => [name, value] as const)))(
    'WH-18: a header %s of %o is a message that is refused',
    async (name, value) => {
      for (const given of [
        { ...headers, [name]: value },
        { ...headers, [name.toUpperCase()]: 'x' },
      ]) {
        // biome-ignore lint/suspicious/noExplicitAny: as a framework hands them on
        const refusal = verifyWebhook(body, given as any, secret);
        await expect(refusal).rejects.toMatchObject({ name: 'WebhookVerificationError' });
      }
    },
  );

  it.each<[string, unknown]>([
    ['empty', ''],
    ['of fifteen bytes', secretText(new Uint8Array(15))],
    ['a list of none', []],
    ['a good and a short one', [secret, secretText(new Uint8Array(15))]],
    ['a number', [7]],
  ])('WH-18: a secret that is %s is an error of the caller', async (_, given) => {
    // biome-ignore lint/suspicious/noExplicitAny: as callers without types have it
    await expect(verifyWebhook(body, headers, given as any)).rejects.toThrow(TypeError);
  });
});

describe('addresses of endpoints', () => {
  const deployed = { ownHosts: ['gateway.example.com'], allowLoopback: false };
  it.each<[string, string | undefined]>([
    ['https://hooks.example.com/a?b=c', undefined],
    ['https://hooks.example.co.uk', undefined],
    ['https://xn--bcher-kva.de/hook', undefined],
    ['http://hooks.example.com/', 'https'],
    ['ftp://hooks.example.com/', 'https'],
    ['https://hooks.example.com:8443/', '443'],
    ['https://user@hooks.example.com/', 'user'],
    ['https://:secret@hooks.example.com/', 'password'],
    ['https://hooks.example.com/#part', 'fragment'],
    ['https://gateway.example.com/anything', 'own'],
    ['https://GATEWAY.Example.Com./WH-17', 'own'],
    ['https://gateway.example.com:443/', 'own'],
    ['https://gateway.example.com.:8443/', 'own'],
    ['http://gateway.example.com:80/', 'own'],
    ['https://gateway%2eexample.com/', 'own'],
    ['https://ｇateway。example．com/', 'own'],
    ['https://10.0.0.1/', 'number'],
    ['https://8.8.8.88/', 'number'],
    ['https://8.8.8.8.example.com/', undefined],
    ['https://0x7f.1/', 'number'],
    ['https://2130706433/', 'number'],
    ['https://127.1/', 'number'],
    ['https://[::1]/', 'number'],
    ['https://[::ffff:7f00:1]/', 'number'],
    ['https://localhost/', 'public internet'],
    ['https://intranet/', 'public internet'],
    ['https://printer/', 'public internet'],
    ['https://db.internal/', 'public internet'],
    ['https://printer.local./', 'public internet'],
    ['https://a..b/', 'public internet'],
    ['http://127.0.0.1:4000/', 'https'],
    ['/hooks', 'absolute'],
    ['https://hooks.example.com/'.padEnd(2000, 'a'), undefined],
    ['https://hooks.example.com/'.padEnd(2001, 'a'), '2000'],
  ])('WH-11: %s', (address, problem) => {
    const expected = problem === undefined ? undefined : expect.stringContaining(problem);
    expect(webhookUrlProblem(address, deployed)).toEqual(expected);
  });

  it('WH-11: this computer is legal on a laptop alone, private networks never', () => {
    const local = { ownHosts: ['127.0.0.1:3000'], allowLoopback: true };
    for (const address of [
      'http://127.0.0.1:4000/hook',
      'http://127.10.20.30',
      'http://localhost:4000',
      'https://[::1]:1/',
    ]) {
      expect(webhookUrlProblem(address, local)).toBeUndefined();
      expect(webhookUrlProblem(address, deployed)).toBeDefined();
    }
    expect(webhookUrlProblem('http://127.0.0.1:3000/webhooks', local)).toContain('own');
    expect(webhookUrlProblem('http://192.168.1.10:4000/', local)).toBeDefined();
    expect(webhookUrlProblem('http://hooks.example.com/', local)).toContain('https');
    expect(webhookUrlProblem('http://127.0.0.1.example.com/', local)).toContain('https');
    expect(webhookUrlProblem('ftp://127.0.0.1/', local)).toBe('must use http or https');
  });
});

describe('filters', () => {
  const event = { accountId: 'default', eventId: ID, eventType: 'ConnectionCreated' };
  it.each([
    [undefined, undefined, true],
    [['ConnectionCreated'], undefined, true],
    [['ConnectionDeleted'], undefined, false],
    [undefined, ['drive', 'calendar'], true],
    [undefined, ['calendar'], false],
    [['ConnectionCreated'], ['calendar'], false],
    [undefined, ['drive'], false, ''],
  ])('types %j and integrations %j: %s', (types, integrationIds, wanted, integrationId = 'drive') => {
    expect(wants({ types, integrationIds }, { ...event, integrationId })).toBe(wanted);
  });
});

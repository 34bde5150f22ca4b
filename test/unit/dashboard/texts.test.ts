import { describe, expect, it } from 'vitest';
import { DEATH_CAUSES } from '../../../lambdas/gateway/core/grant-death.ts';
import { LIFECYCLE_EVENT_TYPES } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { likelyCause } from '../../../lambdas/gateway/openapi/answer-parts.ts';
import { allProviders } from '../../../lambdas/gateway/providers/index.ts';
import { ALL_CAUSES, causeLabel, whoCanFix } from '../../../packages/dashboard/src/model/causes.ts';
import { consoleSteps, originOf } from '../../../packages/dashboard/src/model/console-steps.ts';
import { actorText, eventText, makerText, remarkText } from '../../../packages/dashboard/src/model/event-texts.ts';
import { integrationIdProblem, suggestIntegrationId } from '../../../packages/dashboard/src/model/integration-id.ts';
import { absoluteTime, relativeTime } from '../../../packages/dashboard/src/model/time.ts';
import { prettyBody, tryTargetProblem } from '../../../packages/dashboard/src/model/try-call.ts';

describe('causes', () => {
  it('causes have a few words each, and so has everyone who can fix them', () => {
    const wordless = DEATH_CAUSES.filter((cause) => causeLabel(cause) === cause || causeLabel(cause) === undefined);
    const advice = wordless.map(
      (cause) =>
        `${cause} has no words: add them to DEATH_CAUSE_WORDS in lambdas/gateway/openapi/event-catalog.ts, then run \`npm run generate\`.`,
    );
    expect(advice.join('\n')).toBe('');
    expect(ALL_CAUSES.map(({ cause }) => cause).sort()).toEqual([...DEATH_CAUSES].sort());
    const { who } = likelyCause().shape;
    for (const one of who.options) expect(whoCanFix(one)).not.toBe('Not known');
  });

  it('causes that are not known are shown as they are', () => {
    expect(causeLabel('moon_phase')).toBe('moon_phase');
  });
});

describe('events of a connection', () => {
  it('all have words', () => {
    expect(LIFECYCLE_EVENT_TYPES.length).toBeGreaterThan(30);
    const advice = LIFECYCLE_EVENT_TYPES.filter((type) => eventText(type).title === type).map(
      (type) =>
        `${type} has no words: give it a row in lambdas/gateway/openapi/event-catalog.ts, then run \`npm run generate\`.`,
    );
    expect(advice.join('\n')).toBe('');
  });

  it.each([
    [
      'ConnectionDeleted',
      { reason: 'revocation_requested', cause: 'revocation_requested' },
      'Its grant is being revoked at Google.',
    ],
    ['ConnectionReauthorizationRequired', { cause: 'user_revoked' }, 'User removed the app'],
    ['ConnectionReauthorizationRequired', { cause: 'moon_phase' }, 'moon phase'],
    ['RefreshTokenLimitNear', { live_tokens: '95', token_limit: '100' }, '95 of 100.'],
    ['ConnectionDeleted', { reason: 'moon_phase' }, 'moon phase'],
    ['ConnectSessionCreated', { session_id: '216a9fad5515', cause: 'session:216a9fad5515' }, undefined],
    ['WebhookCreated', { webhook_id: 'wh_1', cause: 'wh_1' }, undefined],
    ['FilesPicked', { files: '1' }, 'One file.'],
    ['WebhookDisabled', { webhook_id: 'wh_1', reason: 'gone' }, 'It answered 410 Gone.'],
    ['SecretKeyRevoked', { key_id: 'f3a1c5d2e4b6' }, 'Secret key f3a1c5d2e4b6.'],
    ['ConnectionTried', { actor: 'key:f3a1c5d2e4b6' }, undefined],
  ])('events of a connection say what %s says with %j in words', (type, data: Record<string, string>, words) => {
    expect(remarkText(type, data)).toBe(words);
  });

  it('events of a connection name a secret key instead of its id where it is known', () => {
    const data = { key_id: 'f3a1c5d2e4b6', cause: 'key:f3a1c5d2e4b6' };
    expect(remarkText('SecretKeyRevoked', data, () => 'Nightly export')).toBe('Secret key Nightly export.');
    expect(remarkText('SecretKeyRevoked', data, () => undefined)).toBeUndefined();
  });

  it('events of a connection say who asked for them', () => {
    expect(actorText(undefined)).toBe('the gateway itself');
    expect(actorText('key:abcdef0123456789')).toBe('secret key abcdef012345');
    expect(actorText('operator:5d6c3d0e-0f0b-4c57-9d57-2b8f3c1e7a01')).toBe('operator 5d6c3d0e');
    expect(actorText('iam:111122223333:nightly-export')).toBe('IAM role nightly-export of AWS account 111122223333');
    expect(actorText('iam:111122223333:nightly-export', 'Export')).toBe('IAM role Export');
    expect(actorText('something')).toBe('something');
    expect(actorText('session:216a9fad5515')).toBe('the end user');
    expect(actorText('session:216a9fad5515', 'user-42')).toBe('the end user user-42');
  });

  it('AK-14: events of a connection say who made a secret key, also one from before makers were kept', () => {
    const operator = 'operator:5d6c3d0e-0f0b-4c57-9d57-2b8f3c1e7a01';
    expect(makerText(operator, undefined)).toBe('Operator 5d6c3d0e');
    expect(makerText(operator, 'first.operator@example.com')).toBe('first.operator@example.com');
    expect(makerText('key:9a793b36663e', 'First key')).toBe('Secret key First key');
    expect(makerText('key:000000000000', undefined)).toBe('Secret key 000000000000');
    expect(makerText('iam:111122223333:nightly-export', 'Export')).toBe('IAM role Export');
    expect(makerText('gateway', undefined)).toBe('The gateway itself');
    expect(makerText(undefined, undefined)).toBe('Not known');
  });
});

describe('times', () => {
  const now = Date.parse('2026-01-10T12:00:00Z');
  it.each([
    ['2026-01-10T11:59:30Z', 'just now'],
    ['2026-01-10T12:00:20Z', 'in less than a minute'],
    ['2026-01-10T09:00:00Z', '3 hours ago'],
    ['2026-01-11T13:00:00Z', 'tomorrow'],
    ['2026-01-17T11:59:30Z', 'in 7 days'],
    ['2026-01-10T12:59:45Z', 'in 1 hour'],
    ['2026-01-10T10:29:00Z', '2 hours ago'],
    ['2027-02-10T12:00:00Z', 'next year'],
    ['no time', 'no time'],
  ])('%s is %s', (iso, text) => {
    expect(relativeTime(iso, now)).toBe(text);
  });

  it('times are shown in full in UTC', () => {
    expect(absoluteTime('2026-01-10T23:30:00Z')).toMatch(/Jan 10, 2026.*11:30.*UTC$/);
  });
});

describe('an id of an integration', () => {
  it('an id of an integration is suggested after the provider, and not twice', () => {
    expect(suggestIntegrationId('google-drive', ['google-drive', 'google-drive-2'])).toBe('google-drive-3');
  });

  it.each(['', ' drive', 'drive/one', 'dr\u00e4ive', 'x'.repeat(256)])(
    'an id of an integration is refused as %j',
    (id) => {
      expect(integrationIdProblem(id)).toBeDefined();
    },
  );

  it.each(['google-drive', 'Drive 2', 'a@b.example'])('an id of an integration is taken as %j', (id) => {
    expect(integrationIdProblem(id)).toBeUndefined();
  });
});

describe('a call to try', () => {
  it.each(['', 'drive/v3', '//evil.example.com', '/drive v3', '/drive#x'])(
    'a call to try is refused as %j',
    (target) => {
      expect(tryTargetProblem(target)).toBeDefined();
    },
  );

  it.each(allProviders())('a call to try has presets for $id that can be sent', ({ sampleCalls, firstCall }) => {
    expect(sampleCalls.length).toBeGreaterThan(0);
    for (const target of [firstCall, ...sampleCalls.map((one) => one.target)])
      expect(tryTargetProblem(target)).toBeUndefined();
  });

  it('a call to try has its JSON indented and everything else left alone', () => {
    expect(prettyBody('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyBody('<html>')).toBe('<html>');
  });
});

describe("the steps in Google's console", () => {
  const facts = {
    provider: {
      displayName: 'Google Drive',
      server: { id: 'google', displayName: 'Google', hasTestingMode: true },
      console: { clientsUrl: 'https://clients.example', enableApiUrl: 'https://api.example' },
    },
    redirectUri: 'https://gateway.example.com/v1/oauth/callback',
    scopes: ['a', 'b'],
    strictest: 'restricted',
    audience: 'external',
  } as const;

  it("the steps in Google's console hold the exact redirect URI, its origin and the scopes to copy", () => {
    const copies = consoleSteps(facts).map(({ copy }) => copy);
    expect(copies).toContain('https://gateway.example.com/v1/oauth/callback');
    expect(copies).toContain('https://gateway.example.com');
    expect(copies).toContain('a\nb');
  });

  it("the steps in Google's console mention verification only where it is needed", () => {
    const titles = (steps: ReturnType<typeof consoleSteps>) => steps.map(({ title }) => title).join();
    const withPicker = { ...facts, scopes: ['https://www.googleapis.com/auth/drive.file'] };
    expect(titles(consoleSteps(withPicker))).toContain('Picker API');
    expect(titles(consoleSteps({ ...facts, scopes: ['x'] }))).not.toContain('Picker API');
    const branding = consoleSteps(facts).find(({ href }) => href?.endsWith('/auth/branding'));
    expect(branding?.detail).toContain('Authorized domains');
    expect(titles(consoleSteps(facts))).toContain('verified');
    expect(titles(consoleSteps({ ...facts, audience: 'internal' }))).not.toContain('verified');
  });

  it("the steps in Google's console take an origin of anything", () => {
    expect(originOf('not an address')).toBe('not an address');
  });
});

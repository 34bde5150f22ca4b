import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../../dev/tools/api-document.ts';
import { EVENTS_PAGE, SHOWN, undescribedTypes } from '../../../dev/tools/event-documents.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { GAP_REASONS } from '../../../lambdas/features/feeds/feed-resource.rules.ts';
import { wants } from '../../../lambdas/features/webhooks/webhook.rules.ts';
import { EVENT_DETAIL_ATTRIBUTES } from '../../../lambdas/gateway/core/contract.ts';
import { eventFromItem, eventToItem } from '../../../lambdas/gateway/events/event.store.ts';
import {
  eventDetail,
  hasFormerCause,
  LIFECYCLE_EVENT_TYPES,
  type LifecycleEvent,
  type LifecycleEventType,
  newEvent,
  OPERATOR_EVENT_TYPES,
  saidBy,
} from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import { EVENTS, wholeExample } from '../../../lambdas/gateway/openapi/event-catalog.ts';
import { messageSchema } from '../../../lambdas/gateway/openapi/event-messages.ts';
import { jsonAt, listAt, textAt } from '../../../lambdas/gateway/openapi/read-document.ts';

const page = readFileSync(join(PROJECT_ROOT, EVENTS_PAGE), 'utf8');

/** The message of the test that fails for a type without its row. */
function rowsMissing(types: readonly string[]): string {
  return undescribedTypes(types)
    .map(
      (type) =>
        `${type} is not described: give it a row in lambdas/gateway/openapi/event-catalog.ts, then run \`npm run generate\`.`,
    )
    .join('\n');
}

/** Where types of events are defined and described, and not reported. */
const DESCRIBING = ['events/lifecycle-event.rules.ts', 'openapi/event-catalog.ts', 'openapi/event-messages.ts'];

/** All code that can report an event: the functions, and the restore of the command line. */
const reporting = globSync('{lambdas,packages/cli}/**/*.ts', { cwd: PROJECT_ROOT })
  .filter((file) => !DESCRIBING.some((name) => file.endsWith(name)))
  .map((file) => readFileSync(join(PROJECT_ROOT, file), 'utf8'))
  .join('\n');

/** One sentence for each type that nothing reports. */
function neverReported(types: readonly string[]): string[] {
  return types
    .filter((type) => !reporting.includes(`'${type}'`))
    .map(
      (type) => `${type} is reported by nothing: give it to newEvent in the write that it reports, or take it away.`,
    );
}

/** Those that have their row; a test of its own says which have none. */
const DESCRIBED = LIFECYCLE_EVENT_TYPES.filter((type) => !undescribedTypes().includes(type));

/** An event that says what an example of its type says, as a writer of events hands it over. */
function eventOf(type: LifecycleEventType): LifecycleEvent {
  const example = wholeExample(type, EVENTS()[type]);
  const {
    account_id = '',
    integration_id = '',
    connection_id = '',
    cause,
    kind,
    changes,
    feed_id,
    resource = '',
  } = example;
  const subject =
    connection_id !== ''
      ? { accountId: account_id, integrationId: integration_id, connectionId: connection_id }
      : integration_id !== ''
        ? { accountId: account_id, integrationId: integration_id }
        : { accountId: account_id };
  const event = newEvent(
    { nowMs: () => Date.parse(example.time ?? '') },
    { bytes: (length) => new Uint8Array(length) },
    type,
    {
      subject,
      sequence: Number(example.sequence),
      endUserId: example.end_user_id,
      remedy: example.remedy,
      actor: example.actor,
      health: example.health,
      ...(hasFormerCause(type) ? {} : { cause }),
      says: saidOf(example),
      requestId: 'r',
      about:
        feed_id === undefined
          ? undefined
          : {
              feed_id,
              resource,
              ...(kind === undefined ? {} : { kind }),
              ...(changes === undefined ? {} : { changes }),
            },
    },
  );
  return { ...event, eventId: example.event_id ?? '' };
}

const SHARED = new Set(Object.keys(EVENT_DETAIL_ATTRIBUTES));
function saidOf(example: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(example).filter(([name]) => !SHARED.has(name)));
}

const textOf = (item: Readonly<Record<string, unknown>>) => (name: string) =>
  typeof item[name] === 'string' ? item[name] : undefined;

describe('every type of event', () => {
  it('every type of event has its row in the catalogue', () => {
    expect(rowsMissing(LIFECYCLE_EVENT_TYPES)).toBe('');
    expect(Object.keys(EVENTS()).sort()).toEqual([...LIFECYCLE_EVENT_TYPES].sort());
  });

  it('every type of event is missed where it has none, with a message that says where to go', () => {
    expect(rowsMissing([...DESCRIBED, 'MoonRisen'])).toMatch(
      /^MoonRisen is not described: give it a row in lambdas\/gateway\/openapi\/event-catalog\.ts/,
    );
  });

  it('every type of event is reported somewhere, and missed where it is not', () => {
    expect(neverReported(LIFECYCLE_EVENT_TYPES).join('\n')).toBe('');
    expect(neverReported(['BellRung'])).toEqual([expect.stringMatching(/^BellRung is reported by nothing: /)]);
  });

  it('every type of event is about the gateway itself in the catalogue where it is in code', () => {
    const operator = Object.entries(EVENTS()).filter(([, { audience }]) => audience === 'operator');
    expect(operator.map(([type]) => type).sort()).toEqual([...OPERATOR_EVENT_TYPES].sort());
  });

  it.each(DESCRIBED)('%s says what its row shows: stored, on the bus and in lists', (type) => {
    const item = eventToItem(eventOf(type));
    const example = wholeExample(type, EVENTS()[type]);
    const detail = eventDetail(type, textOf(item));
    expect(detail).toEqual(example);
    expect(eventFromItem(item).detail).toEqual(example);
    const message = { type, timestamp: detail.time, data: detail };
    expect(messageSchema(type, EVENTS()[type]).strict().safeParse(message).error?.issues ?? []).toEqual([]);
  });

  // Later types never had it there.
  const formerTypes = DESCRIBED.filter(
    (type) =>
      !/^(ConnectionRefreshRe|ConnectSessionDeleted|BudgetReached|QuotaReached|HigherLimits|Approval|Delegation|ChangesUndone|ServerTools)/.test(
        type,
      ),
  );

  it.each(formerTypes)('%s has the same text for an item that has all of it in `cause`', (type) => {
    const item = eventToItem(eventOf(type));
    const old = Object.fromEntries(Object.entries(item).filter(([name]) => !NEW_ATTRIBUTES.has(name)));
    const { ends_at, ...said } = saidBy(type, textOf(item));
    // An item had one member for all of this.
    const expected = type === 'WebhookDisabled' ? { webhook_id: said.webhook_id } : said;
    expect(saidBy(type, textOf(old))).toEqual(expected);
  });

  it.each(DESCRIBED)('%s has no member that is empty, and none that is no text', (type) => {
    const bare = { ...eventOf(type), endUserId: undefined, remedy: undefined, actor: undefined, says: {} };
    const detail = eventDetail(type, textOf(eventToItem(bare)));
    expect(Object.values(detail).filter((value) => value === '')).toEqual([]);
    expect(detail.actor).toBeUndefined();
  });
});

const NEW_ATTRIBUTES = new Set([
  ...['reason', 'providerError', 'outcome', 'endsAt', 'liveTokens', 'tokenLimit', 'files'],
  ...['credentials', 'provider', 'keyId', 'sessionId', 'webhookId'],
]);

describe('`cause`', () => {
  it('`cause` is why a grant died, of four types', () => {
    const types = LIFECYCLE_EVENT_TYPES.filter((type) => !hasFormerCause(type));
    expect(types).toEqual([
      'ConnectionReauthorizationRequired',
      'ConnectionCauseProven',
      'ConnectionRecovered',
      'IntegrationGrantsFailing',
    ]);
  });

  it('`cause` of all other events continues for two minor versions, marked as deprecated in the types', () => {
    const document = apiDocument('https://gateway.example');
    for (const type of DESCRIBED.filter(hasFormerCause)) {
      const { cause } = EVENTS()[type].data.shape;
      if (cause === undefined) continue;
      const schema = jsonAt(
        document,
        'components',
        'schemas',
        `${type}Event`,
        'properties',
        'data',
        'properties',
        'cause',
      );
      expect(schema, type).toMatchObject({ deprecated: true });
    }
  });

  it('explains every reason for a gap in the changes of a feed', () => {
    const [, section = ''] = page.split(/\n#+ FeedChanged\n/);
    const [text = ''] = section.split(/\n#+ /);
    expect(GAP_REASONS.filter((reason) => !text.includes(`\`${reason}\`: `))).toEqual([]);
  });

  it.each([
    ['SecretKeyCreated', 'key:f3a1c5d2e4b6', { key_id: 'f3a1c5d2e4b6' }],
    ['SecretKeyCreated', 'restored', { reason: 'restored' }],
    ['ConnectSessionCreated', 'session:216a9fad5515', { session_id: '216a9fad5515' }],
    ['RefreshTokenLimitNear', '95_of_100', { live_tokens: '95', token_limit: '100' }],
    ['ConnectionReauthorizationRequired', 'user_revoked', {}],
    ['ConnectionUpdated', '', {}],
  ])('of a stored %s that says %j is sent as %j', (type, cause, said) => {
    expect(saidBy(type, (name) => (name === 'cause' ? cause : undefined))).toEqual(said);
  });
});

describe('what is made of the catalogue', () => {
  it('docs/events.md shows two examples, which fit their schemas', () => {
    const examples = [...page.matchAll(/^```json (\w+)\n([\s\S]*?)^```$/gm)].map(([, type = '', text = '']) => ({
      type: LIFECYCLE_EVENT_TYPES.find((one) => one === type),
      message: JSON.parse(text),
    }));
    const shown = examples.flatMap(({ type, message }) => {
      if (type === undefined) return [];
      expect(messageSchema(type, EVENTS()[type]).strict().safeParse(message).error?.issues ?? [], type).toEqual([]);
      return [type];
    });
    expect(shown.sort()).toEqual([...SHOWN].sort());
  });

  it('the API’s document has a webhook of every type and of the test of an endpoint, each with a schema and an example', () => {
    const document = apiDocument('https://gateway.example');
    const webhooks = jsonAt(document, 'webhooks');
    expect(Object.keys(webhooks).sort()).toEqual([...DESCRIBED, 'endpoint.test'].sort());
    const union = jsonAt(document, 'components', 'schemas', 'WebhookEvent');
    const messages = jsonAt(document, 'components', 'pathItems');
    for (const type of Object.keys(webhooks)) {
      expect(webhooks[type]).toEqual({ $ref: `#/components/pathItems/${type}` });
      const content = jsonAt(messages, type, 'post', 'requestBody', 'content', 'application/json');
      const name = textAt(content, 'schema', '$ref').replace('#/components/schemas/', '');
      expect(jsonAt(document, 'components', 'schemas', name, 'properties', 'type'), type).toMatchObject({
        const: type,
      });
      expect(jsonAt(content, 'example')).toMatchObject({ type });
      const described = DESCRIBED.find((one) => one === type);
      const fits =
        described === undefined || messageSchema(type, EVENTS()[described]).strict().safeParse(content.example).success;
      expect(fits, type).toBe(true);
      expect(listAt(union, 'oneOf')).toContainEqual({ $ref: `#/components/schemas/${name}` });
      expect(jsonAt(union, 'discriminator', 'mapping')).toMatchObject({ [type]: `#/components/schemas/${name}` });
    }
  });
});

describe('a webhook without `types`', () => {
  it('gets every event that is not about the gateway itself', () => {
    const webhook = { types: undefined, integrationIds: undefined };
    const wanted = LIFECYCLE_EVENT_TYPES.filter((eventType) =>
      wants(webhook, { accountId: 'default', eventId: '1', eventType, integrationId: '' }),
    );
    expect(wanted).toEqual(LIFECYCLE_EVENT_TYPES.filter((type) => !OPERATOR_EVENT_TYPES.has(type)));
  });
});

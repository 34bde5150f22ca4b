import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../../dev/tools/api-document.ts';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { jsonAt, listAt, textAt } from '../../../lambdas/gateway/openapi/read-document.ts';
import { ROUTES } from '../../../lambdas/management/routes/index.ts';
import { integratedGateway, managementGateway, member } from './support/gateway.ts';

const document = apiDocument('https://gateway.example');

/** What one name each is for, and spellings of the same that no parameter may have. */
const OTHER_SPELLINGS =
  /^(?:connectionIds?|integrationIds?|integration_id|integration|endUserId|endUser|user|from|to|before|start|end|next)$/;

describe('queries', () => {
  it('queries have one name for one thing, in all routes', () => {
    const names = ROUTES.flatMap(({ method, pattern }) => {
      const parameters = listAt(jsonAt(document, 'paths', pattern, method.toLowerCase()), 'parameters');
      return parameters
        .filter((one) => textAt(one, 'in') === 'query')
        .map((one) => `${method} ${pattern} ${textAt(one, 'name')}`);
    });
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => OTHER_SPELLINGS.test(name.split(' ').at(-1) ?? ''))).toEqual([]);
    expect(names.filter((name) => /[A-Z]/.test(name.split(' ').at(-1) ?? ''))).toEqual([]);
  });

  it('still work in the spellings of Nango’s client and of earlier versions', async () => {
    const gateway = integratedGateway();
    const { connectionId, integrationId, endUser } = await gateway.addConnection();
    const endUserId = endUser?.id ?? 'nobody';
    const pairs = [
      [`/connections?connectionId=${connectionId}`, `/connections?connection_id=${connectionId}`],
      [`/connections?endUserId=${endUserId}`, `/connections?end_user_id=${endUserId}`],
      [`/connections?integrationId=${integrationId}`, `/connections?provider_config_key=${integrationId}`],
      ['/connections?endUserOrganizationId=o', '/connections?end_user_organization_id=o'],
      [`/revocations?integrationId=${integrationId}`, `/revocations?provider_config_key=${integrationId}`],
      ['/usage?from=2026-02-27&to=2026-02-28', '/usage?since=2026-02-27&until=2026-02-28'],
      ['/usage/connections?from=2026-02-27&to=2026-02-28', '/usage/connections?since=2026-02-27&until=2026-02-28'],
    ] as const;
    for (const [former, current] of pairs) {
      const [before, now] = [await gateway.call('GET', former), await gateway.call('GET', current)];
      expect(now.status, current).toBe(200);
      expect(before.body, former).toEqual(now.body);
    }
    const events = `/connections/${connectionId}/events?provider_config_key=${integrationId}`;
    const last = await gateway.call('GET', `${events}&cursor=01JN8Z4H9V6Q3W2X1Y0ZABCDEF`);
    expect(await gateway.call('GET', `${events}&before=01JN8Z4H9V6Q3W2X1Y0ZABCDEF`)).toEqual(last);
    expect(last.status).toBe(200);
  });

  it('queries name the described spelling, also where both are given', async () => {
    const both = await managementGateway().call('GET', '/connections?endUserId=a&end_user_id=b');
    expect(both).toMatchObject({ status: 400, paths: ['endUserId'] });
    expect(member(both.body, 'error', 'errors', 0, 'message')).toBe('is unknown; did you mean end_user_id?');
  });

  it('queries give each cursor a form', () => {
    const cursors = Object.entries(jsonAt(document, 'paths')).flatMap(([path, item]) =>
      listAt(jsonAt(item, 'get'), 'parameters').flatMap((one) =>
        textAt(one, 'name') === 'cursor' ? [[path, textAt(one, 'schema', 'pattern')] as const] : [],
      ),
    );
    expect(cursors.length).toBeGreaterThan(6);
    for (const [path, pattern] of cursors) expect(pattern, path).toMatch(/^\^.+\$$/);
  });
});

/** Answers that differ from the others of their kind, with the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'GET /connections': 'as Nango’s client reads it',
  'GET /connections/{connectionId}/events': '`next_before` is the former name of `next_cursor`',
  'GET /feeds/{feedId}/changes': 'its place is a sequence: `after`',
  'POST /connections': 'the connection itself, as Nango’s client reads it',
  'POST /integrations': '200, as Nango’s client expects',
  'POST /integrations/quickstart': '200, as Nango’s client expects',
  'POST /feeds': '200: the same resource again gives the feed that is there',
  'POST /connect/sessions/confirm': '200: the connection is the session’s',
  'POST /webhooks/{webhookId}/rotate-secret': '200: the webhook is the same',
  'POST /webhooks/{webhookId}/test': '200: what the address answered',
  'POST /webhooks/{webhookId}/replay': '202: sent after the answer',
  'DELETE /connections/{connectionId}/calls/record': 'the setting that is left',
  'DELETE /connect/session': '204, as Nango’s client expects',
};

interface Row {
  readonly kind: 'List' | 'Create' | 'Delete';
  readonly route: string;
  readonly status: string;
  readonly members: readonly string[];
}

function rows(): Row[] {
  return Object.entries(jsonAt(document, 'paths')).flatMap(([path, item]) =>
    ['get', 'post', 'delete'].flatMap((method): Row[] => {
      if (path.startsWith('/proxy') || !Object.hasOwn(Object(item), method)) return [];
      const operation = jsonAt(item, method);
      const [status = '', answer] =
        Object.entries(jsonAt(operation, 'responses')).find(([one]) => /^2/.test(one)) ?? [];
      const schema = resolved(jsonAt(answer, 'content', 'application/json', 'schema'));
      const members = Object.entries(jsonAt(schema, 'properties'));
      const isArray = (one: unknown) => textAt(resolved(jsonAt(one)), 'type') === 'array';
      const creates = listAt(operation, 'parameters').some((one) => textAt(one, 'name') === 'Idempotency-Key');
      const isList =
        method === 'get' && members.some(([name, one]) => isArray(one) && /^(data|connections|events)$/.test(name));
      const kind = creates ? 'Create' : method === 'delete' ? 'Delete' : isList ? 'List' : undefined;
      if (kind === undefined) return [];
      const shown = members.map(([name, one]) => (isArray(one) ? `${name}: […]` : name));
      return [{ kind, route: `${method.toUpperCase()} ${path}`, status, members: shown }];
    }),
  );
}

function resolved(schema: unknown): unknown {
  const name = textAt(schema, '$ref').split('/').at(-1) ?? '';
  return name === '' ? schema : jsonAt(document, 'components', 'schemas', name);
}

function table(): string {
  const shown = (members: readonly string[]) => {
    if (members.length === 0) return 'no body';
    return members.length > 6 ? 'the thing itself' : `\`{${members.join(', ')}}\``;
  };
  const lines = rows()
    .filter(({ route }) => OTHERWISE[route] !== undefined)
    .map(({ route, status, members }) => `| \`${route}\` | ${status} | ${shown(members)} | ${OTHERWISE[route]} |`);
  return ['| Route | Status | Answer | Why otherwise |', '|---|---|---|---|', ...lines].join('\n');
}

describe('answers', () => {
  it('answers of lists, creates and deletes agree with each other but where a reason is given', () => {
    const common = rows().filter(({ route }) => OTHERWISE[route] === undefined);
    for (const { kind, route, status, members } of common) {
      if (kind === 'List') expect([status, members[0]], route).toEqual(['200', 'data: […]']);
      if (kind === 'Create') expect([status, members], route).toEqual(['201', ['data']]);
      if (kind === 'Delete') expect([status, members[0]], route).toEqual(['200', 'success']);
      const paged = members.filter((name) => name.startsWith('next_'));
      expect(paged, route).toEqual(paged.length === 0 ? [] : ['next_cursor']);
    }
    expect(Object.keys(OTHERWISE).filter((route) => !rows().some((row) => row.route === route))).toEqual([]);
  });

  it('answers that differ from their kind stand in docs/api.md', () => {
    const written = readFileSync(join(PROJECT_ROOT, 'docs', 'api.md'), 'utf8');
    if (!written.includes(table())) expect.fail(`docs/api.md lacks this table, as the routes have it:\n${table()}`);
  });
});

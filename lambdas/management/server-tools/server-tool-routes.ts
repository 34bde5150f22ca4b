import * as z from 'zod';
import { GatewayError } from '../../gateway/core/errors.ts';
import { time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import { PROVIDER_IDS } from '../../gateway/providers/provider.rules.ts';
import { ENDPOINT_KINDS } from '../../gateway/server-tools/pins.rules.ts';
import { type Route, route } from '../route.ts';

const described = documented(() =>
  z.object({
    hash: z.string().meta({ description: 'SHA-256 of name, title, description, schema and hints.' }),
    description: z.string(),
    input_schema: z.record(z.string(), z.unknown()),
  }),
);

const toolAnswer = documented(() =>
  z
    .object({
      name: z.string().meta({ description: 'As the provider’s server names it.' }),
      offered_as: z.string().nullable().meta({ description: 'As assistants see it; null = never offered.' }),
      class: z
        .enum(['read', 'write', 'delete', 'share'])
        .nullable()
        .meta({ description: 'What it does; null for a tool that this version does not know, which is refused.' }),
      state: z.enum(['offered', 'changed', 'new', 'unknown', 'gone']).meta({
        description:
          'offered: as it was accepted. changed and new wait for an operator and are hidden. unknown: this version has no class for it. gone: the server lists it no longer.',
      }),
      accepted: described().nullable(),
      waiting: described().nullable().meta({ description: 'What the server says now, where it waits.' }),
    })
    .meta({ id: 'AgentTool' }),
);

const listAnswer = documented(() =>
  z
    .object({
      provider: z.enum(PROVIDER_IDS),
      endpoint: z.enum(ENDPOINT_KINDS).meta({
        description: 'full: all tools, for clients that can show Google’s forms. self: for all others.',
      }),
      fetched_at: time(),
      tools: z.array(toolAnswer()),
    })
    .meta({ id: 'AgentToolList' }),
);

const listsAnswer = documented(() => z.object({ data: z.array(listAnswer()) }).meta({ id: 'AgentToolLists' }));

const acceptBody = z.strictObject({
  endpoint: z.enum(ENDPOINT_KINDS, { error: `must be one of: ${ENDPOINT_KINDS.join(', ')}` }),
  tools: z
    .array(
      z.strictObject({
        name: z.string().min(1, 'must not be empty').max(128, 'has at most 128 characters'),
        hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be the hash under waiting'),
      }),
    )
    .min(1, 'name at least one tool')
    .max(100, 'at most 100 tools'),
});

const tag = 'Integrations';
const EXAMPLE_TOOL = {
  name: 'list_events',
  offered_as: 'calendar_google_list_events',
  class: 'read' as const,
  state: 'changed' as const,
  accepted: { hash: 'a'.repeat(64), description: 'Lists events.', input_schema: { type: 'object' } },
  waiting: { hash: 'b'.repeat(64), description: 'Lists events of a calendar.', input_schema: { type: 'object' } },
};
const EXAMPLE_LIST = {
  provider: 'google-calendar' as const,
  endpoint: 'full' as const,
  fetched_at: '2026-03-01T12:00:00.000Z',
  tools: [EXAMPLE_TOOL],
};

/** Tools of providers' own MCP servers: shown, fetched, accepted (GA-22). */
export const serverToolRoutes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/agent-tools',
    access: { right: 'read', account: true },
    describe: documented(() => ({
      id: 'listAgentTools',
      tag,
      summary: 'List the tools of Google’s MCP servers, with those that wait to be accepted',
      description:
        'Empty until an assistant has asked for tools of an agentic integration, or POST /agent-tools/fetch has fetched them.',
      answer: listsAnswer(),
      errors: [],
      example: { answer: { data: [EXAMPLE_LIST] } },
    })),
    async handle({ caller }, services) {
      const { showLists } = await services.serverTools();
      return { data: await showLists(services, caller.accountId, undefined) };
    },
  }),
  route({
    method: 'POST',
    pattern: '/agent-tools/fetch',
    access: { right: 'full', account: true },
    describe: documented(() => ({
      id: 'fetchAgentTools',
      tag,
      summary: 'Fetch the tools of Google’s MCP servers now; the gateway does so every 15 minutes while they are used',
      description: 'A server that cannot be reached leaves its list as it was.',
      answer: listsAnswer(),
      errors: [],
      example: { answer: { data: [EXAMPLE_LIST] } },
    })),
    async handle({ caller, requestId }, services) {
      const { showLists } = await services.serverTools();
      return { data: await showLists(services, caller.accountId, { requestId }) };
    },
  }),
  route({
    method: 'POST',
    pattern: '/agent-tools/{provider}/accept',
    access: { right: 'full', account: true },
    body: acceptBody,
    describe: documented(() => ({
      id: 'acceptAgentTools',
      tag,
      summary: 'Accept changed or new tools as they are now, so that assistants are offered them',
      description: 'hash is the one under waiting: a tool that has changed again since is a 409, and none is accepted.',
      answer: z.object({ data: listAnswer() }).meta({ id: 'AcceptedAgentTools' }),
      errors: ['not_found', 'conflict'],
      example: {
        params: { provider: 'google-calendar' },
        body: { endpoint: 'full' as const, tools: [{ name: 'list_events', hash: 'b'.repeat(64) }] },
        answer: { data: { ...EXAMPLE_LIST, tools: [{ ...EXAMPLE_TOOL, state: 'offered' as const, waiting: null }] } },
      },
    })),
    async handle({ caller, params, body, requestId }, services) {
      const { accountId, actor } = caller;
      const { acceptTools } = await services.serverTools();
      const of = { accountId, provider: params.provider, endpoint: body.endpoint };
      const accepted = await acceptTools(services, of, body.tools, { requestId, actor });
      if (accepted === 'not_found') {
        const message = 'There is no list of tools of this provider. POST /agent-tools/fetch makes it.';
        throw new GatewayError('not_found', message);
      }
      if (accepted === 'conflict') {
        throw new GatewayError('conflict', 'A tool does not wait in this form. Read GET /agent-tools again.');
      }
      return { data: accepted };
    },
  }),
];

// @module-tag long
/** Calls of tools of Google's own MCP servers that say how far they are: streamed through the gateway as it comes. */
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { mcpMessage } from '../../support/mcp-client.ts';
import { OFFICIAL_MODES, type OfficialProgress } from '../../support/official-mcp-client.ts';
import { control, forgetRequests, requests } from '../../support/simulator.ts';
import { useTestGateway } from '../../support/use-gateway.ts';
import { CALENDAR_AGENTS, googleAgents } from './google-agents.ts';

const SERVER = 'calendarmcp.googleapis.com';
const EVENT = { summary: 'Plan', startTime: '2026-12-01T09:00:00Z', endTime: '2026-12-01T10:00:00Z' };
const WRITER = { limits: { mode: 'enforce', allow: ['calendar:read', 'calendar:write'], approve: ['share'] } };

const gateway = useTestGateway({ rules: true, fresh: true });
const { connect, assistant, agentKey } = googleAgents(gateway);
let connectionId: string;

/** @param waits whether a call waits after its progress until this is called again without it */
const steps = (name: string, progress: number, waits = false) =>
  control(gateway, 'POST', '/mcp', { tools: [{ server: SERVER, name, progress, waits }] });

beforeAll(async () => {
  connectionId = await connect();
});

/** Calls a tool that ends only once its progress has reached the client. */
async function calledWithProgress(
  { client }: Awaited<ReturnType<typeof assistant>>,
  name: string,
  args: Record<string, unknown>,
) {
  await steps(name, 3, true);
  const seen: OfficialProgress[] = [];
  let released: Promise<unknown> | undefined;
  const onprogress = (progress: OfficialProgress) => {
    if (seen.push(progress) === 3) released = steps(name, 3);
  };
  const result = Object(await client.callTool({ name: `calendar_google_${name}`, arguments: args }, { onprogress }));
  await released;
  return { seen, result };
}

const THREE = [1, 2, 3].map((progress) => ({ progress, total: 3, message: `Step ${progress} of 3` }));

describe('progress of calls at Google’s MCP servers', () => {
  test.each(OFFICIAL_MODES)(
    'GA-23: reaches a client of mode %s before Google has answered, and then the result',
    async (_, mode) => {
      const agent = await assistant(undefined, { mode });
      const { seen, result } = await calledWithProgress(agent, 'list_events', {});
      expect(seen).toEqual(THREE);
      expect(result.structuredContent.events).toEqual(expect.any(Array));
      await steps('list_events', 0);
    },
  );

  test('GA-23, GA-26: comes of a journalled write, too, which is in the journal as any other', async () => {
    const agent = await assistant(WRITER);
    const { seen, result } = await calledWithProgress(agent, 'create_event', EVENT);
    await steps('create_event', 0);
    expect(seen).toEqual(THREE);
    const { id } = result.structuredContent;
    const { body } = await gateway.json('GET', `/journal?object_id=${id}`);
    expect(body.data).toMatchObject([{ method: 'tools/create_event', outcome: 'done', not_undoable: null }]);
  });

  test('GA-23: progress of calls at Google’s MCP servers is not asked for by a client that does not ask, which is answered whole', async () => {
    const agent = await assistant();
    await steps('list_events', 2);
    await forgetRequests(gateway);
    expect((await agent.call('list_events', {})).isError).toBeUndefined();
    const sent = async (accept: string, _meta: object) => {
      const key = await agentKey();
      const { headers, body } = mcpMessage('legacy', 'tools/call', {
        ...{ name: 'calendar_google_list_events', arguments: {}, _meta },
      });
      const answer = await fetch(`${gateway.gateway.gatewayUrl}/mcp`, {
        method: 'POST',
        headers: { ...headers, accept, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { type: answer.headers.get('content-type'), text: await answer.text() };
    };
    const whole = await sent('application/json', { progressToken: 'p' });
    expect(whole.type).toContain('application/json');
    const streamed = await sent('application/json, text/event-stream', { progressToken: 7 });
    expect(streamed.type).toBe('text/event-stream');
    const messages = streamed.text
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => JSON.parse(event.replace('event: message\ndata: ', '')));
    expect(messages.map(({ params, id }) => params?.progressToken ?? id)).toEqual([7, 7, 1]);
    expect(messages.at(-1)).toMatchObject({ jsonrpc: '2.0', result: { content: [{ type: 'text' }] } });
    await steps('list_events', 0);
    expect((await requests(gateway)).filter(({ target }) => target.includes(SERVER))).toHaveLength(3);
  });

  test('GA-23: a call whose client leaves is carried through, logged and journalled once', async () => {
    const agent = await assistant(WRITER);
    await steps('create_event', 1, true);
    const leaving = new AbortController();
    const left = agent.client.callTool(
      { name: 'calendar_google_create_event', arguments: { ...EVENT, summary: 'Left' } },
      { onprogress: () => leaving.abort(), signal: leaving.signal },
    );
    await expect(left).rejects.toThrow();
    await steps('create_event', 0);
    const of = new URLSearchParams({ provider_config_key: CALENDAR_AGENTS, connection_id: connectionId });
    const journal = async () => (await gateway.json('GET', `/journal?${of}`)).body.data;
    await eventually(async () => expect((await journal())[0]).toMatchObject({ outcome: 'done' }));
    const before = (await journal()).length;
    const { events } = (await agent.call('list_events', { fullText: 'Left' })).structuredContent;
    expect(events).toHaveLength(1);
    expect(await journal()).toHaveLength(before);
  });

  test('GA-23, GA-26: an answer that breaks off behind its progress is a failure, and leaves the write unknown', async () => {
    const agent = await assistant(WRITER);
    await steps('create_event', 1);
    const match = { origin: 'api', pathPrefix: `/${SERVER}/mcp/v1` };
    await control(gateway, 'POST', '/faults', { match, times: 1, action: { truncateAfterBytes: 200 } });
    const seen: OfficialProgress[] = [];
    const cut = agent.client.callTool(
      { name: 'calendar_google_create_event', arguments: EVENT },
      { onprogress: (progress) => void seen.push(progress) },
    );
    expect(await cut).toMatchObject({ isError: true, structuredContent: { code: 'upstream_unreachable' } });
    expect(seen).toHaveLength(1);
    await steps('create_event', 0);
    const of = new URLSearchParams({ provider_config_key: CALENDAR_AGENTS, connection_id: connectionId });
    expect((await gateway.json('GET', `/journal?${of}`)).body.data[0]).toMatchObject({ outcome: 'unknown' });
  });
});

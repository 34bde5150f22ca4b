import { describe, expect, test } from 'vitest';
import { SERVER_TOOL_NAMES, TOOL_NAMES } from '../../../lambdas/features/agents/agent.rules.ts';
import { MethodFinder } from '../../../lambdas/gateway/calls/find-methods.rules.ts';
import { PROVIDERS } from '../../../lambdas/gateway/providers/catalogue.ts';
import { classesOf } from '../../../lambdas/gateway/providers/change-classes.rules.ts';
import { CHANGES } from '../../../lambdas/gateway/providers/changes.ts';
import { PROVIDER_IDS } from '../../../lambdas/gateway/providers/provider.rules.ts';
import { KNOWN_SERVERS, offeredName, standInFor } from '../../../lambdas/gateway/server-tools/known-tools.rules.ts';

const tools = PROVIDER_IDS.flatMap((provider) => {
  const server = KNOWN_SERVERS[provider];
  return (server?.tools ?? []).map((tool) => ({ provider, server: server ?? { prefix: '', tools: [] }, tool }));
});
const named = (name: string) => {
  const found = tools.find(({ tool }) => tool.name === name);
  if (found === undefined) throw new Error(`No tool ${name}`);
  return found;
};
const classes = (name: string, args: object) => {
  const { server, tool } = named(name);
  return classesOf(CHANGES, tool.method, standInFor(server, tool, args));
};

describe('known tools of Google’s servers', () => {
  test.each(tools.map((one) => [one.tool.name, one] as const))(
    'GA-22: %s is judged as the REST method that does the same',
    (_, { provider, server, tool }) => {
      const finder = new MethodFinder(PROVIDERS[provider].methods ?? []);
      expect(finder.find(standInFor(server, tool, {})).map(({ id }) => id)).toContain(tool.method);
      const changes = CHANGES.get(tool.method);
      expect(tool.class === 'read').toBe(changes === undefined);
    },
  );

  test('GA-22: known tools of Google’s servers have names of at most 56 characters that no other tool has', () => {
    const all = [...TOOL_NAMES, ...SERVER_TOOL_NAMES];
    expect(new Set(all).size).toBe(all.length);
    expect(tools.map(({ server, tool }) => offeredName(server, tool.name)).sort()).toEqual(
      [...SERVER_TOOL_NAMES].sort(),
    );
    for (const name of SERVER_TOOL_NAMES) expect(name.length).toBeLessThanOrEqual(56);
  });

  test('GA-23: known tools of Google’s servers count as inviting and mailing whatever the arguments that say so are called', () => {
    expect(classes('create_event', { summary: 'a' })).toEqual(['write']);
    expect(classes('create_event', { attendeeEmails: ['a@example.com'] })).toContain('invite');
    expect(classes('update_event', { guestList: [] })).toContain('invite');
    expect(classes('delete_event', { notificationLevel: 'ALL' })).toContain('invite');
    expect(classes('delete_event', { notificationLevel: 'NONE' })).not.toContain('invite');
    expect(classes('create_event', { visibility: 'public' })).toContain('share');
    expect(classes('copy_file', {})).toContain('share');
  });

  test('GA-23: search in contents where the query does', () => {
    const { server, tool } = named('search_files');
    const { target } = standInFor(server, tool, { query: "fullText contains 'x'" });
    expect(target).toBe('/drive/v3/files?q=fullText+contains+%27x%27');
  });
});

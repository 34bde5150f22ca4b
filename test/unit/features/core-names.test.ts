import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../dev/tools/run.ts';
import { FEATURE_IDS } from '../../../lambdas/features/index.ts';
import { namesIn, wordsOf } from '../../support/names.ts';

/**
 * Words that name a feature in code, and how many files of the core may have one: a number here only falls. Folders that are the
 * feature's alone are not counted, as they will not be once it lies in one folder.
 */
const NAMES: Readonly<
  Record<
    string,
    {
      readonly words: readonly string[];
      readonly own?: readonly string[];
      /** Names of the API and of the construct, which stay: each is a promise to callers. With a path: only below it. */
      readonly promised?: readonly (string | readonly [name: string, path: string])[];
      readonly files: number;
    }
  >
> = {
  'security-events': {
    words: ['security event', 'security events', 'security project', 'security projects'],
    files: 0,
  },
  undo: { words: ['undo', 'undone', 'undoes', 'undoable', 'journal', 'journals', 'journalled'], files: 0 },
  approvals: {
    words: ['approval', 'approvals', 'approver', 'approvers'],
    promised: [
      // Calls that limits of keys do not let pass at once: without approvals, they are refused with the second.
      ...['approval_required', 'approval_impossible'],
      // The limit of keys that says who asks about tools of providers: the provider itself may.
      'approval',
      // Options of the construct.
      ['approvers', 'lib/gateway-options.ts'],
      ['approvals', 'lib/gateway-options.ts'],
    ],
    files: 0,
  },
  agents: {
    words: ['agent', 'agents', 'mcp'],
    promised: [
      // Node's and the SDK's word for what holds sockets, and the browser's name.
      ...['Agent', 'agent', 'agents', 'HttpAgent', 'HttpsAgent'].map(
        (name) => [name, 'lambdas/gateway/platform/'] as const,
      ),
      'userAgent',
      // The stored member of a key that is bound to one end user.
      ['agent', 'lambdas/gateway/keys/'],
      ['agent', 'lambdas/management/keys/'],
      // The member of readiness about integrations whose OAuth client is marked for AI agents.
      ['agents', 'lambdas/management/integrations/readiness-route.ts'],
      // Options of the construct.
      ...['agentSignIn', 'agentsOverRest', 'mcp'].map((name) => [name, 'lib/gateway-options.ts'] as const),
      // Addresses of Google's MCP servers.
      ...['driveMcpEndpoint', 'calendarMcpEndpoint'],
    ],
    files: 0,
  },
  feeds: {
    words: ['feed', 'feeds'],
    promised: [
      // Options and members of the construct.
      ...['feedShare', 'feeds'].map((name) => [name, 'lib/gateway-options.ts'] as const),
      'feedSchedule',
      // Words of stacks that declare feeds.
      ...['GatewayFeed', 'GatewayFeedProps', 'addFeed', 'feedId'].map((name) => [name, 'lib/'] as const),
      // The path of lifecycle events to their bus, which has no other name in the construct.
      ...['EventFeed', 'EventFeedProps', 'lib/constructs/event-feed.ts'],
    ],
    files: 0,
  },
  webhooks: {
    words: ['webhook', 'webhooks'],
    promised: [
      // Members that other gateways give a meaning, and that are always null or false here.
      ...['webhook_url_override', 'forward_webhooks', 'webhook_secret', 'webhook_url'],
      // Words of stacks that declare webhooks.
      ...['GatewayWebhook', 'GatewayWebhookProps', 'addWebhook'],
    ],
    files: 0,
  },
};

const CORE = globSync('{lambdas,lib,bin}/**/*.ts', { cwd: PROJECT_ROOT })
  .filter((path) => !path.startsWith('lambdas/features/'))
  .map((path) => ({ path, names: namesIn(path, readFileSync(join(PROJECT_ROOT, path), 'utf8')) }));

describe('files of the core that name a feature', () => {
  it.each(Object.entries(NAMES))('%s: are no more than they were', (_, { words, own = [], promised = [], files }) => {
    const others = CORE.filter(({ path }) => !own.some((folder) => path.startsWith(folder)));
    const naming = others
      .filter(({ path, names }) => {
        const isPromised = (name: string) =>
          promised.some((one) => (typeof one === 'string' ? one === name : one[0] === name && path.startsWith(one[1])));
        const found = wordsOf(names.filter((name) => !isPromised(name)));
        return words.some((word) => found.has(word));
      })
      .map(({ path }) => path);
    expect(naming.length, naming.join('\n')).toBeLessThanOrEqual(files);
  });

  it('files of the core that name a feature are none for a feature in a folder of its own', () => {
    expect(FEATURE_IDS.map((id) => [id, NAMES[id]?.files])).toEqual(FEATURE_IDS.map((id) => [id, 0]));
  });

  it('files of the core that name a feature are found by names and imports, and not by comments, texts or parts of words', () => {
    const text = "import { a } from './webhooks/x.ts';\n// undo\nconst foundOrLong = 'feeds';\nconst undoChanges = 1;";
    const names = wordsOf(namesIn('lambdas/a.ts', text));
    expect(['webhooks', 'undo', 'changes', 'undo changes', 'found'].every((word) => names.has(word))).toBe(true);
    expect(['feeds', 'undoor'].some((word) => names.has(word))).toBe(false);
  });
});

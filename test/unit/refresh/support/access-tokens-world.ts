import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import type { CallContext } from '../../../../lambdas/gateway/core/ports.ts';
import { CallerDirectory } from '../../../../lambdas/gateway/keys/authenticate-caller.ts';
import { AccessTokens } from '../../../../lambdas/gateway/tokens/access-tokens.ts';
import { DEFAULT_REFRESH_POLICY } from '../../../../lambdas/gateway/tokens/freshness.rules.ts';
import type { RefreshOptions, RefreshOutcome } from '../../../../lambdas/gateway/tokens/refresher.ts';
import { unlimitedCalls } from '../../support/unlimited-calls.ts';
import { connection, integration, START_SEC } from './connection.ts';

const KEY = {
  accountId: 'default',
  keyHash: '',
  name: 'key',
  right: 'full',
  integrationIds: undefined,
  canReadCredentials: false,
  createdAt: '',
  createdBy: undefined,
  lastUsedAtEpochSec: undefined,
  revokedAt: undefined,
} as const;

/** Access tokens for callers, on fakes that note what they were asked. */
export function accessTokensWorld(row: Connection) {
  const asked: RefreshOptions[] = [];
  const noted: number[][] = [];
  const counted: string[] = [];
  const logged: string[] = [];
  const decrypted: string[] = [];
  const works: Promise<unknown>[] = [];
  const context: CallContext = {
    requestId: 'request-1',
    waitUntil: (work) => void (work === undefined || works.push(work)),
  };
  let reads = 0;
  const clock = { nowMs: () => START_SEC * 1000 };
  const directory = new CallerDirectory(
    {
      load: async () => ({ key: undefined, integration: undefined, connection: row }),
      unconfirmed: async () => undefined,
    },
    clock,
    unlimitedCalls(clock),
  );
  const script = {
    outcome: async (): Promise<RefreshOutcome> => ({ kind: 'busy', connection: row }),
    decrypt: async (text: string): Promise<string> => text.replace('enc:', ''),
    stored: row as Connection | undefined,
    noteUse: async (): Promise<void> => {},
  };
  const log = (message: string) => void logged.push(message);
  const tokens = new AccessTokens({
    directory,
    clock,
    refresher: {
      refresh: (_connection, _integration, options) => {
        asked.push(options);
        return script.outcome();
      },
    },
    connections: {
      read: async () => {
        reads++;
        return script.stored;
      },
      noteUse: (_connection, now, refreshAt) => {
        noted.push([now, refreshAt]);
        return script.noteUse();
      },
    },
    cipher: {
      encrypt: async (_context, text) => `enc:${text}`,
      decrypt: (context, text) => {
        decrypted.push(`${context.field} ${text}`);
        return script.decrypt(text);
      },
    },
    metrics: { count: (name, dimensions) => void counted.push([name, ...Object.values(dimensions ?? {})].join(' ')) },
    logger: { info: log, warn: log, error: log },
    refreshPolicy: DEFAULT_REFRESH_POLICY,
  });
  return {
    tokens,
    directory,
    script,
    asked,
    noted,
    counted,
    logged,
    decrypted,
    reads: () => reads,
    /** A call of the row as it is remembered. */
    call: (accessToken?: string) =>
      tokens.forCall({ key: KEY, integration: integration(), live: { connection: row, accessToken } }, context),
    /** What may outlive the call's answer. */
    works,
    /** A call, and all that outlives its answer. */
    async wholeCall(accessToken?: string) {
      const used = await this.call(accessToken);
      await Promise.all(works);
      return used;
    },
    refusal: (used = row) => tokens.afterRefusal(used, integration(), 'request-1'),
  };
}

/** A connection whose token still works for `leftSec`. */
export function working(leftSec: number, changes: Partial<Connection> = {}): Connection {
  return connection({ accessTokenExpiresAtEpochSec: START_SEC + leftSec, ...changes });
}

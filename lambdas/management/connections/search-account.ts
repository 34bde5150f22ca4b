import { folded, holdsWords, matchScore, searchWords } from '../../gateway/connections/index-rows.rules.ts';
import type { ConnectionSearch, ListedConnection } from '../../gateway/connections/ports.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import type { SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import type { SecretKeyStore } from '../../gateway/keys/ports.ts';

export interface SearchDependencies {
  readonly search: ConnectionSearch;
  readonly integrations: IntegrationStore;
  readonly secretKeys: SecretKeyStore;
}

export interface AccountSearch {
  readonly accountId: string;
  /** Integrations the caller is limited to; undefined = all. */
  readonly integrationIds: readonly string[] | undefined;
  readonly text: string;
  /** Of each kind. */
  readonly limit: number;
  readonly withKeys: boolean;
}

/** The best matches of each kind. */
export interface AccountFindings {
  readonly connections: readonly ListedConnection[];
  /** Number of matching connections, of which the best are shown. */
  readonly total: number;
  /** False where there are more than a search counts. */
  readonly complete: boolean;
  readonly integrations: readonly Integration[];
  readonly keys: readonly SecretKeyRecord[];
}

/** Finds everything that contains every word of a text, in any case and position; best match first, then the newest. */
export async function searchAccount(deps: SearchDependencies, wanted: AccountSearch): Promise<AccountFindings> {
  const { accountId, integrationIds, limit } = wanted;
  const words = searchWords(wanted.text);
  if (words.length === 0) return { connections: [], total: 0, complete: true, integrations: [], keys: [] };
  const best = <T>(all: readonly T[], textOf: (one: T) => string): T[] =>
    all
      .map((one) => ({ one, text: textOf(one) }))
      .filter(({ text }) => holdsWords(text, words))
      .map(({ one, text }) => ({ one, score: matchScore(text, words) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ one }) => one);
  const lines = (...texts: readonly (string | undefined)[]) =>
    texts.flatMap((text) => (text === undefined ? [] : [folded(text)])).join('\n');
  const [{ found, complete }, integrations, keys] = await Promise.all([
    deps.search.find(accountId, wanted.text, integrationIds),
    deps.integrations.list(accountId),
    wanted.withKeys ? deps.secretKeys.listAll(accountId) : [],
  ]);
  const newestFirst = found.toSorted((a, b) => b.numericId - a.numericId);
  return {
    connections: await deps.search.summaries(best(newestFirst, ({ text }) => text)),
    total: found.length,
    complete,
    integrations: best(integrations, ({ integrationId, displayName }) => lines(displayName, integrationId)),
    keys: best(keys, ({ name, keyHash }) => lines(name, keyHash)),
  };
}

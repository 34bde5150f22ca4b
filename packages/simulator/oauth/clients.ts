import { ShapeError } from '../parse.ts';
import { sha256Hex } from '../random.ts';
import type { SimulatorState } from '../state/store.ts';

/** Client that a seed calls the APIs as; it is gone when the seed is there. */
export const SEED_CLIENT = '1-seed.apps.googleusercontent.com';

/** An OAuth client of a Cloud project: `<project number>-<name>.apps.googleusercontent.com`. */
export interface SimulatorClient {
  clientId: string;
  clientSecret: string;
  /** Compared byte for byte; https, or http for loopback hosts. */
  redirectUris: string[];
  /** @default 'production' */
  publishingStatus?: 'testing' | 'production';
  /** `internal` lets in Workspace accounts only. @default 'external' */
  audience?: 'external' | 'internal';
  /**
   * Marked as the client of an AI-powered agent, which Google's MCP servers ask for. It is fixed when the client is made.
   * @default false, or as it was made
   */
  agentic?: boolean;
}

const CLIENT_ID = /^\d+-[a-z0-9_-]+\.apps\.googleusercontent\.com$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function judgeRedirectUri(redirectUri: string): string | undefined {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  if (url === undefined) return 'is not an absolute URL';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.has(url.hostname))) {
    return 'must use https (http is for localhost only)';
  }
  if (redirectUri.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  return redirectUri.includes('*') ? 'must not have a wildcard' : undefined;
}

/**
 * Adds a client, or gives a known one new settings; its grants stay, and a deleted or disabled client comes back.
 * @throws {ShapeError} for what Google's console would not accept either
 */
export function upsertClient(state: SimulatorState, client: SimulatorClient, declared = false): void {
  if (!CLIENT_ID.test(client.clientId)) {
    throw new ShapeError(
      `Client id "${client.clientId}" must look like 123456789012-name.apps.googleusercontent.com (digits, hyphen, name).`,
    );
  }
  if (client.clientSecret === '') throw new ShapeError(`Client ${client.clientId} needs a secret.`);
  for (const redirectUri of client.redirectUris) {
    const fault = judgeRedirectUri(redirectUri);
    if (fault !== undefined) throw new ShapeError(`Redirect URI "${redirectUri}" ${fault}.`);
  }
  const { agenticClients } = state.agents;
  const wasAgentic = state.clients.has(client.clientId) ? agenticClients.has(client.clientId) : undefined;
  const isAgentic = client.agentic ?? wasAgentic ?? false;
  if (wasAgentic !== undefined && wasAgentic !== isAgentic) {
    throw new ShapeError(
      `Client ${client.clientId} was made ${wasAgentic ? 'with' : 'without'} the mark of an agent, which cannot be changed. Make another client.`,
    );
  }
  if (isAgentic) agenticClients.add(client.clientId);
  state.clients.set(client.clientId, {
    clientId: client.clientId,
    secretSha256: sha256Hex(client.clientSecret),
    redirectUris: [...client.redirectUris],
    publishingStatus: client.publishingStatus ?? 'production',
    audience: client.audience ?? 'external',
    deleted: false,
    disabled: false,
  });
  if (declared) state.declaredClients.add(client.clientId);
  else state.declaredClients.delete(client.clientId);
  state.markChanged();
}

/**
 * Adds a client that a program declares, or follows what the program declares now.
 * @returns false where somebody registered the client otherwise, or nothing is new: then nothing is changed
 * @throws {ShapeError} for what Google's console would not accept either
 */
export function declareClient(state: SimulatorState, client: SimulatorClient): boolean {
  const known = state.clients.get(client.clientId);
  if (known !== undefined && !state.declaredClients.has(client.clientId)) return false;
  const isSame =
    known?.secretSha256 === sha256Hex(client.clientSecret) &&
    known.publishingStatus === client.publishingStatus &&
    known.audience === client.audience &&
    known.redirectUris.join() === client.redirectUris.join();
  if (isSame) return false;
  // The mark stays as the client was made, whatever the program declares later.
  const { agentic, ...rest } = client;
  upsertClient(state, known === undefined && agentic !== undefined ? { ...rest, agentic } : rest, true);
  return true;
}

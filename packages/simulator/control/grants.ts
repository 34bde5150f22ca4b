import { ACCOUNTS, findAccount, type SimAccount } from '../accounts.ts';
import { endProjectGrant } from '../oauth/revoke.ts';
import { object, oneOf, optional, parseJson, ShapeError, text } from '../parse.ts';
import { stateToProjects } from '../risc/statements.ts';
import type { Simulation } from '../simulation.ts';
import { projectOf } from '../state/store.ts';

/** Why a control request may end grants. */
export const KILL_REASONS = [
  'user_revoked',
  'password_change',
  'admin_policy',
  'account_restricted',
  'advanced_protection',
  'session_length',
  'reauthentication',
  'account_disabled',
  'account_deleted',
  'client_deleted',
  'client_disabled',
  'testing_7_days',
  'six_months',
] as const;

const killBody = object({
  account: optional(text),
  clientId: optional(text),
  reason: oneOf(...KILL_REASONS),
  /** Of `account_disabled`: what the security event says. */
  why: optional(oneOf('hijacking', 'bulk-account')),
});
const restoreBody = object({ account: optional(text), clientId: optional(text) });

/** The account a control request names. @throws {ShapeError} when there is none */
export function requireAccount(email: string): SimAccount {
  const account = findAccount(email);
  if (account !== undefined) return account;
  throw new ShapeError(`No account "${email}". Use ${ACCOUNTS.map((entry) => entry.email).join(', ')}.`);
}

function requireClient(sim: Simulation, clientId: string | undefined): string {
  const client = sim.state.clients.get(clientId ?? '');
  if (client !== undefined) return client.clientId;
  throw new ShapeError(`clientId must be one of ${[...sim.state.clients.keys()].join(', ') || '(no client yet)'}.`);
}

/** Ends refresh tokens with a reason; access tokens follow the rules of `token-life.ts`. */
function endTokens(
  sim: Simulation,
  sub: string,
  clientId: string | undefined,
  reason: 'password_change' | 'session_length' | 'reauthentication' | 'account_deleted' | 'six_months',
): void {
  for (const token of sim.state.refreshTokens.values()) {
    if (token.sub === sub && (clientId === undefined || token.clientId === clientId) && token.death === null) {
      token.death = reason;
    }
  }
}

function revokeProjects(
  sim: Simulation,
  sub: string,
  clientId: string | undefined,
  reason: 'user_revoked' | 'testing_7_days',
): void {
  const clientIds = clientId === undefined ? [...sim.state.clients.keys()] : [clientId];
  const projects = new Set(clientIds.map(projectOf));
  for (const project of projects) endProjectGrant(sim, project, sub, reason);
  if (reason === 'user_revoked') {
    stateToProjects(sim, { type: 'tokens-revoked', sub }, (project) => projects.has(project));
  }
}

/**
 * Ends the grants of an account, for one client or all. `admin_policy`, `account_restricted`, `advanced_protection`,
 * `account_disabled`, `client_deleted` and `client_disabled` are blocks that `restoreGrants` lifts; the others are final. The two of the client
 * need no account.
 */
export function killGrants(sim: Simulation, body: string): unknown {
  const { account, clientId, reason, why } = parseJson(body, killBody, 'body');
  sim.state.markChanged();
  if (reason === 'client_deleted' || reason === 'client_disabled') {
    const client = sim.state.clients.get(requireClient(sim, clientId));
    if (client !== undefined) client[reason === 'client_deleted' ? 'deleted' : 'disabled'] = true;
    return { reason };
  }
  const { sub } = requireAccount(account ?? '');
  if (clientId !== undefined) requireClient(sim, clientId);
  switch (reason) {
    case 'account_disabled':
      sim.state.disabledSubs.add(sub);
      stateToProjects(sim, { type: 'account-disabled', sub, reason: why });
      break;
    case 'admin_policy':
    case 'account_restricted':
    case 'advanced_protection':
      sim.state.adminBlocks.push({ sub, clientId: clientId ?? null, reason });
      break;
    case 'user_revoked':
    case 'testing_7_days':
      revokeProjects(sim, sub, clientId, reason);
      break;
    case 'password_change':
    case 'session_length':
    case 'reauthentication':
    case 'account_deleted':
    case 'six_months':
      endTokens(sim, sub, clientId, reason);
      if (reason === 'account_deleted') stateToProjects(sim, { type: 'account-purged', sub });
      break;
  }
  return { reason };
}

/** Lifts blocks and restrictions, enables a disabled account, brings a deleted or disabled client back. */
export function restoreGrants(sim: Simulation, body: string): unknown {
  const { account, clientId } = parseJson(body, restoreBody, 'body');
  if (account === undefined && clientId === undefined) throw new ShapeError('body needs account, clientId or both.');
  const client = clientId === undefined ? undefined : sim.state.clients.get(requireClient(sim, clientId));
  if (client !== undefined) Object.assign(client, { deleted: false, disabled: false });
  if (account !== undefined) {
    const { sub } = requireAccount(account);
    if (sim.state.disabledSubs.delete(sub)) stateToProjects(sim, { type: 'account-enabled', sub });
    sim.state.adminBlocks = sim.state.adminBlocks.filter(
      (block) =>
        block.sub !== sub || (clientId !== undefined && block.clientId !== null && block.clientId !== clientId),
    );
  }
  sim.state.markChanged();
  return {};
}

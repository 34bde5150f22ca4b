import type { Connection } from '../connections/connection.rules.ts';
import type { GatewayRequest } from '../core/http-message.ts';
import { cloudProjectOf } from '../core/identifiers.ts';
import { PICKED_FILES_MAX } from '../core/limits.ts';
import type { Provider } from '../providers/provider.rules.ts';
import { IDENTITY_SCOPES, missingScopes, uniqueScopes } from '../providers/scopes.rules.ts';

/** Options of a pick (Google, "Integrate the Google Picker into desktop and mobile apps"). */
export interface PickOptions {
  readonly multiple: boolean;
  /** Empty = files of every type. */
  readonly mimeTypes: readonly string[];
  /** Shows only these, to request them again; empty = all of the user's. */
  readonly fileIds: readonly string[];
  readonly folders: boolean;
}

/** The returned ids, or that the value is no list of ids. */
export type PickedIds =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'malformed'; readonly message: string };

const FILE_ID = /^[A-Za-z0-9_-]{10,200}$/;
const PARAMETER = 'picked_file_ids';

/** Whether a text has the form of a file's id. */
export function isFileId(text: string): boolean {
  return FILE_ID.test(text);
}

/**
 * Reads `picked_file_ids` of a callback, repeats removed; absent and empty mean that nothing was picked. One invalid id invalidates the
 * whole list, because an answer that was changed on the way must not be used in part (PK-12).
 */
export function readPickedIds(query: GatewayRequest['query']): PickedIds {
  const values = query.filter(([name]) => name === PARAMETER).map(([, value]) => value);
  if (values.length > 1) return { kind: 'malformed', message: `The parameter ${PARAMETER} came twice.` };
  const [value = ''] = values;
  if (value === '') return { kind: 'ids', ids: [] };
  const ids = [...new Set(value.split(','))];
  if (ids.length > PICKED_FILES_MAX) {
    return { kind: 'malformed', message: `More than ${PICKED_FILES_MAX} files came back.` };
  }
  // The message omits the ids, because it may be logged (PK-14).
  if (!ids.every(isFileId)) return { kind: 'malformed', message: `The parameter ${PARAMETER} has an invalid value.` };
  return { kind: 'ids', ids };
}

/** Whether a grant covers only picked files, so that a missing file may just not have been picked (PK-15). */
export function reachesPickedOnly({ picker }: Provider, grantedScopes: readonly string[]): boolean {
  if (picker === undefined || missingScopes([picker.scope], grantedScopes).length > 0) return false;
  return missingScopes(grantedScopes, [picker.scope, ...IDENTITY_SCOPES]).length === 0;
}

/** Whether an integration requests the picker's scope, because a session can add none (CS-17). */
export function mayPick({ picker }: Provider, integrationScopes: readonly string[]): boolean {
  return picker !== undefined && uniqueScopes(integrationScopes).includes(picker.scope);
}

/** Why a pick for an existing connection is impossible, as a sentence; undefined where it is possible. */
export function pickObstacle(provider: Provider, connection: Connection, clientId?: string): string | undefined {
  if (connection.status !== 'active') return 'The connection has ended: have its user connect again, then pick.';
  if (!mayPick(provider, connection.grantedScopes)) {
    return `The connection does not have ${provider.picker?.scope ?? 'a scope with a picker'}: have its user connect again with it, then pick.`;
  }
  if (clientId !== undefined && cloudProjectOf(connection.clientId) !== cloudProjectOf(clientId)) {
    return 'The connection was created in a different Google Cloud project from the integration’s present one: have its user connect again, then pick.';
  }
  return undefined;
}

import type { Simulation } from '../simulation.ts';
import { FOLDER_TYPE } from '../state/drive.ts';
import type { PickRequest } from '../state/flows.ts';
import type { AccessTokenRecord } from '../state/records.ts';
import { grantKey, projectOf } from '../state/store.ts';
import { scopeUrl, splitScopes } from './scopes.ts';

/** Rows of the picker page; any other fitting file can be picked by its id. */
const SHOWN_FILES = 40;

function list(value: string | null): string[] {
  return (value ?? '').split(',').filter((entry) => entry !== '');
}

/**
 * The picker that a request asks for, if it asks for one.
 * @returns text that says why it cannot be had: `drive.file` stands alone, nothing earlier is included, and consent is shown
 */
export function readPick(query: URLSearchParams): PickRequest | string | undefined {
  if (query.get('trigger_onepick') !== 'true') return undefined;
  const scopes = splitScopes(query.get('scope') ?? '');
  if (scopes.length !== 1 || scopes[0] !== scopeUrl('drive.file')) {
    return `trigger_onepick needs ${scopeUrl('drive.file')} as the only scope.`;
  }
  if (query.get('include_granted_scopes') === 'true') return 'trigger_onepick excludes include_granted_scopes=true.';
  if (!(query.get('prompt') ?? '').split(' ').includes('consent')) return 'trigger_onepick needs prompt=consent.';
  return {
    multiple: query.get('allow_multiple') === 'true',
    mimeTypes: list(query.get('mimetypes')),
    fileIds: list(query.get('file_ids')),
    folders: query.get('allow_folder_selection') === 'true',
  };
}

/** A file that the picker offers. */
export interface Pickable {
  id: string;
  name: string;
  mimeType: string;
  modifiedTime: string;
}

function fits(pick: PickRequest, file: Pickable & { trashed: boolean }): boolean {
  if (file.trashed || (file.mimeType === FOLDER_TYPE && !pick.folders)) return false;
  if (pick.fileIds.length > 0 && !pick.fileIds.includes(file.id)) return false;
  return pick.mimeTypes.length === 0 || pick.mimeTypes.includes(file.mimeType);
}

/** What the picker page shows of an account: the newest files that fit. */
export function offeredFiles(sim: Simulation, sub: string, pick: PickRequest): Pickable[] {
  const fitting = sim.drive
    .of(sub)
    .files()
    .filter((file) => fits(pick, file));
  return fitting.sort((a, b) => b.modifiedTime.localeCompare(a.modifiedTime)).slice(0, SHOWN_FILES);
}

/** Of the ids a person chose, those the request allows: each fits, one alone unless several may be picked. */
export function allowedChoice(sim: Simulation, sub: string, pick: PickRequest, ids: readonly string[]): string[] {
  const drive = sim.drive.of(sub);
  const fitting = [...new Set(ids)].filter((id) => {
    const file = drive.find(id);
    return file !== undefined && fits(pick, file);
  });
  return pick.multiple ? fitting : fitting.slice(0, 1);
}

/** Opens files to the Cloud project of a client for one user. */
export function openPicked(
  sim: Simulation,
  clientId: string,
  sub: string,
  fileIds: readonly string[],
  consentedAtMs: number,
): void {
  for (const fileId of fileIds) {
    sim.state.picks.push({ project: projectOf(clientId), sub, fileId, consentedAtMs });
  }
  sim.state.markChanged();
}

/** Forgets what a user picked for a project: removing the app from the account takes its files along. */
export function forgetPicked(sim: Simulation, project: string, sub: string): void {
  sim.state.picks = sim.state.picks.filter((pick) => grantKey(pick.project, pick.sub) !== grantKey(project, sub));
}

/**
 * Whether a token may use a file because its user picked it. What Google does not document is a switch of
 * `POST /__sim/picker`: whether a picked folder opens what lies in it, and whether the pick counts for every token of the
 * project or only for those of the authorization that brought it.
 * @param ancestorsOf ids of the folders that a file lies in, nearest first
 */
export function isPicked(
  sim: Simulation,
  token: AccessTokenRecord,
  fileId: string,
  ancestorsOf: (fileId: string) => string[],
): boolean {
  const { foldersOpenChildren, grantsHoldFor } = sim.state.picker;
  const key = grantKey(projectOf(token.clientId), token.sub);
  const picked = new Set<string>();
  for (const pick of sim.state.picks) {
    if (grantKey(pick.project, pick.sub) !== key) continue;
    if (grantsHoldFor === 'project' || pick.consentedAtMs === token.consentedAtMs) picked.add(pick.fileId);
  }
  if (picked.size === 0) return false;
  return picked.has(fileId) || (foldersOpenChildren && ancestorsOf(fileId).some((id) => picked.has(id)));
}

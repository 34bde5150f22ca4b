import { authenticate, requireScope } from '../api/authenticate.ts';
import { jsonBody } from '../api/call.ts';
import { API_HEADERS, ApiError, apiErrorResponse, badRequest, invalidParameter } from '../api/envelope.ts';
import type { MethodRule } from '../api/method-table.ts';
import { compareOrder } from '../drive/search-compare.ts';
import { jsonResponse, type SimRequest, type SimResponse } from '../http/exchange.ts';
import { scopeUrl } from '../oauth/scopes.ts';
import type { Simulation } from '../simulation.ts';
import { type ActivityRecord, type DriveFile, FOLDER_TYPE } from '../state/drive.ts';

/** The one path of the Drive Activity API v2. */
export const ACTIVITY_PATH = '/v2/activity:query';

const RULE: MethodRule = {
  id: 'driveactivity.activity.query',
  api: 'drive',
  verb: 'POST',
  path: 'activity:query',
  response: 'QueryDriveActivityResponse',
  scopes: ['drive.activity', 'drive.activity.readonly'].map(scopeUrl),
  parameters: [],
  allowsUpload: false,
  allowsMedia: false,
};
const PAGE_SIZE = 50;

/** Made from what the files themselves tell, for those whose past is generated. */
function generatedActivities(
  file: DriveFile,
  recorded: readonly ActivityRecord[],
  folders: string[],
): ActivityRecord[] {
  const about = { sub: file.modifiedBy, fileId: file.id, name: file.name, mimeType: file.mimeType, folders };
  const made = { ...about, timeMs: Date.parse(file.createdTime), detail: { create: { new: {} } } };
  if (recorded.some(({ detail }) => detail.create !== undefined)) return [];
  if (recorded.length > 0 || file.modifiedTime <= file.createdTime) return [made];
  return [made, { ...about, timeMs: Date.parse(file.modifiedTime), detail: { edit: {} } }];
}

/** What happened to the files a user sees, and what the user removed; newest first. */
function activitiesOf(sim: Simulation, sub: string): ActivityRecord[] {
  const drive = sim.drive.of(sub);
  const files = drive.files();
  const visible = new Set(files.map(({ id }) => id));
  const recorded = sim.drive.activities();
  const byFile = new Map<string, ActivityRecord[]>();
  for (const entry of recorded) byFile.set(entry.fileId, [...(byFile.get(entry.fileId) ?? []), entry]);
  const ofFiles = files.flatMap((file) =>
    generatedActivities(file, byFile.get(file.id) ?? [], sim.drive.foldersOf(file)),
  );
  const shown = recorded.filter((entry) => visible.has(entry.fileId) || entry.sub === sub);
  // Newest first, also within one millisecond.
  return [...ofFiles, ...shown].reverse().sort((one, other) => other.timeMs - one.timeMs);
}

function nameIn(body: Record<string, unknown>, member: string): string | undefined {
  const value = body[member];
  if (value === undefined) return undefined;
  const id = typeof value === 'string' ? /^items\/([^/]+)$/.exec(value)?.[1] : undefined;
  if (id === undefined) throw badRequest(`${member} must be items/ITEM_ID.`);
  return id;
}

/** Kind of an activity as the filter names it: `permissionChange` is `PERMISSION_CHANGE`. */
function caseOf({ detail }: ActivityRecord): string {
  return (Object.keys(detail)[0] ?? '').replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

type ActivityFilter = (activity: ActivityRecord) => boolean;

const TIME_TERM = /^time\s*(?<operator><=|>=|<|>|=)\s*(?:"(?<text>[^"]+)"|(?<ms>\d+))$/;
const CASE_TERM = /^(?<not>-?)detail\.action_detail_case:\s*(?:\((?<list>[A-Z_ ]+)\)|(?<one>[A-Z_]+))$/;
const CASES = new Set([
  ...['CREATE', 'EDIT', 'MOVE', 'RENAME', 'DELETE', 'RESTORE', 'PERMISSION_CHANGE', 'COMMENT', 'DLP_CHANGE'],
  ...['REFERENCE', 'SETTINGS_CHANGE', 'APPLIED_LABEL_CHANGE'],
]);

function readTerm(term: string): ActivityFilter {
  const time = TIME_TERM.exec(term)?.groups;
  if (time !== undefined) {
    const wanted = time.ms === undefined ? Date.parse(time.text ?? '') : Number(time.ms);
    const { operator = '' } = time;
    if (!Number.isNaN(wanted)) return ({ timeMs }) => compareOrder(timeMs, wanted, 'time', operator);
  }
  const kind = CASE_TERM.exec(term)?.groups;
  const named = (kind?.list ?? kind?.one ?? '').split(' ').filter((name) => name !== '');
  if (kind === undefined || named.length === 0 || named.some((name) => !CASES.has(name))) {
    throw badRequest(`Invalid filter: ${term}`);
  }
  return (activity) => named.includes(caseOf(activity)) !== (kind.not === '-');
}

/** Reads `filter` (Drive Activity API, "QueryDriveActivityRequest"): terms on `time` and on the kind, joined by AND. */
function readFilter(value: unknown): ActivityFilter {
  if (value === undefined || value === '') return () => true;
  if (typeof value !== 'string') throw badRequest('filter must be text.');
  const terms = value.split(/\s+AND\s+/).map((term) => readTerm(term.trim()));
  return (activity) => terms.every((matches) => matches(activity));
}

function describe(activity: ActivityRecord, caller: string): Record<string, unknown> {
  const { sub, fileId, name, mimeType, timeMs, detail } = activity;
  const timestamp = new Date(timeMs).toISOString();
  const isCurrentUser = sub === caller;
  const actor = { user: { knownUser: { personName: `people/${sub}`, ...(isCurrentUser ? { isCurrentUser } : {}) } } };
  const kind = mimeType === FOLDER_TYPE ? { driveFolder: { type: 'STANDARD_FOLDER' } } : { driveFile: {} };
  const target = { driveItem: { name: `items/${fileId}`, title: name, mimeType, ...kind } };
  return { primaryActionDetail: detail, actors: [actor], actions: [{ detail }], targets: [target], timestamp };
}

function query(sim: Simulation, http: SimRequest): SimResponse {
  const caller = authenticate(sim, http);
  requireScope(RULE, caller);
  const body = jsonBody(http);
  const matches = readFilter(body.filter);
  const drive = sim.drive.of(caller.account.sub);
  const itemId = nameIn(body, 'itemName');
  const folderId = nameIn(body, 'ancestorName');
  if (itemId !== undefined && folderId !== undefined) throw badRequest('itemName and ancestorName exclude each other.');
  const start = body.pageToken === undefined ? 0 : Number(body.pageToken);
  if (!Number.isInteger(start) || start < 0) throw invalidParameter('pageToken', 'Invalid Value');
  const size = typeof body.pageSize === 'number' && body.pageSize > 0 ? body.pageSize : PAGE_SIZE;
  const folder = folderId === undefined ? undefined : (drive.find(folderId)?.id ?? folderId);
  const all = activitiesOf(sim, caller.account.sub).filter(
    (activity) =>
      (itemId === undefined || activity.fileId === itemId) &&
      (folder === undefined || activity.folders.includes(folder)) &&
      matches(activity),
  );
  const page = all.slice(start, start + size).map((activity) => describe(activity, caller.account.sub));
  const next = start + size < all.length ? { nextPageToken: String(start + size) } : {};
  const resource = { activities: page, ...next };
  sim.observer?.onResource?.({ methodId: RULE.id, api: 'activity', schema: RULE.response, resource });
  return jsonResponse(200, resource, API_HEADERS);
}

/** How much there is of the API's one method, for the table of all methods. */
export const ACTIVITY_COVERAGE = {
  id: RULE.id,
  depth: 'partial',
  missing: 'consolidation, people who are no simulated account, and what generated files went through before the start',
  page: 'Query for Google Drive activity',
} as const;

/** `activity.query` of the Drive Activity API; failures become Google's error envelope. */
export function handleActivity(sim: Simulation, http: SimRequest): SimResponse {
  try {
    return query(sim, http);
  } catch (error) {
    if (error instanceof ApiError) return apiErrorResponse(error.failure, error.headers);
    throw error;
  }
}

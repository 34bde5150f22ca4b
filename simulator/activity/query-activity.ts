import { authenticate, requireScope } from '../api/authenticate.ts';
import { jsonBody } from '../api/call.ts';
import {
  API_HEADERS,
  ApiError,
  apiErrorResponse,
  badRequest,
  invalidParameter,
  notImplemented,
} from '../api/envelope.ts';
import type { MethodRule } from '../api/method-table.ts';
import type { DriveFile } from '../drive/records.ts';
import type { AccountDrive } from '../drive/store.ts';
import { jsonResponse, type SimRequest, type SimResponse } from '../http/exchange.ts';
import { scopeUrl } from '../oauth/scopes.ts';
import type { Simulation } from '../simulation.ts';

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

/** What happened to one file at one moment. */
interface Activity {
  fileId: string;
  timestamp: string;
  action: 'create' | 'edit' | 'delete';
  file: DriveFile | undefined;
}

/** Made from what the Drive knows: each file's making and last change, and every removal; newest first. */
function activitiesOf(drive: AccountDrive): Activity[] {
  const ofFiles = drive.files().flatMap((file): Activity[] => {
    const made: Activity = { fileId: file.id, timestamp: file.createdTime, action: 'create', file };
    if (file.modifiedTime <= file.createdTime) return [made];
    return [made, { ...made, timestamp: file.modifiedTime, action: 'edit' }];
  });
  const removals = drive.changesFrom(0).flatMap(({ fileId, removed, timeMs }): Activity[] => {
    if (!removed) return [];
    return [{ fileId, timestamp: new Date(timeMs).toISOString(), action: 'delete', file: undefined }];
  });
  return [...ofFiles, ...removals].sort((one, other) => other.timestamp.localeCompare(one.timestamp));
}

function isBelow(drive: AccountDrive, file: DriveFile | undefined, folderId: string): boolean {
  const parents = file?.parents ?? [];
  return parents.some((parent) => parent === folderId || isBelow(drive, drive.find(parent), folderId));
}

function nameIn(body: Record<string, unknown>, member: string): string | undefined {
  const value = body[member];
  if (value === undefined) return undefined;
  const id = typeof value === 'string' ? /^items\/([^/]+)$/.exec(value)?.[1] : undefined;
  if (id === undefined) throw badRequest(`${member} must be items/ITEM_ID.`);
  return id;
}

function describe({ fileId, timestamp, action, file }: Activity, sub: string): Record<string, unknown> {
  const detail = {
    create: { create: { new: {} } },
    edit: { edit: {} },
    delete: { delete: { type: 'PERMANENT_DELETE' } },
  };
  const actor = { user: { knownUser: { personName: `people/${sub}`, isCurrentUser: true } } };
  const title = file === undefined ? {} : { title: file.name, mimeType: file.mimeType };
  const target = { driveItem: { name: `items/${fileId}`, ...title } };
  return {
    primaryActionDetail: detail[action],
    actors: [actor],
    actions: [{ detail: detail[action] }],
    targets: [target],
    timestamp,
  };
}

function query(sim: Simulation, http: SimRequest): SimResponse {
  const caller = authenticate(sim, http);
  requireScope(RULE, caller);
  const body = jsonBody(http);
  if (body.filter !== undefined) throw notImplemented('the filter of driveactivity.activity.query');
  const drive = sim.drive.of(caller.account.sub);
  const itemId = nameIn(body, 'itemName');
  const folderId = nameIn(body, 'ancestorName');
  if (itemId !== undefined && folderId !== undefined) throw badRequest('itemName and ancestorName exclude each other.');
  const start = body.pageToken === undefined ? 0 : Number(body.pageToken);
  if (!Number.isInteger(start) || start < 0) throw invalidParameter('pageToken', 'Invalid Value');
  const size = typeof body.pageSize === 'number' && body.pageSize > 0 ? body.pageSize : PAGE_SIZE;
  const folder = folderId === undefined ? undefined : (drive.find(folderId)?.id ?? folderId);
  const all = activitiesOf(drive).filter(
    ({ fileId, file }) =>
      (itemId === undefined || fileId === itemId) && (folder === undefined || isBelow(drive, file, folder)),
  );
  const page = all.slice(start, start + size).map((activity) => describe(activity, caller.account.sub));
  const next = start + size < all.length ? { nextPageToken: String(start + size) } : {};
  const resource = { activities: page, ...next };
  sim.observer?.onResource?.({ methodId: RULE.id, api: 'activity', schema: RULE.response, resource });
  return jsonResponse(200, resource, API_HEADERS);
}

/** `activity.query` of the Drive Activity API; failures become Google's error envelope. */
export function handleActivity(sim: Simulation, http: SimRequest): SimResponse {
  try {
    return query(sim, http);
  } catch (error) {
    if (error instanceof ApiError) return apiErrorResponse(error.failure, error.headers);
    throw error;
  }
}

import type { ApiCall } from '../api/call.ts';
import { ApiError, badRequest, invalidParameter } from '../api/envelope.ts';
import { schemaFields } from '../api/schemas.ts';
import { isRecord } from '../parse.ts';
import type { DriveFile, UserView } from '../state/drive.ts';
import { projectOf } from '../state/store.ts';
import { viewOf } from './file-resource.ts';
import { checkPropertyCount, mergeProperties } from './property-rules.ts';
import { describeUser } from './user-resource.ts';

/** Members of a File that a client may set and that the simulator only keeps. */
const KEPT = [
  ...['contentHints', 'copyRequiresWriterPermission', 'downloadRestrictions', 'folderColorRgb', 'originalFilename'],
  ...['writersCanShare', 'inheritedPermissionsDisabled', 'shortcutDetails'],
];

const INTERPRETED = [
  ...['name', 'mimeType', 'description', 'starred', 'trashed', 'createdTime', 'modifiedTime', 'viewedByMeTime'],
  ...['properties', 'appProperties', 'contentRestrictions', 'viewersCanCopyContent'],
];
const WRITABLE = new Set([...KEPT, ...INTERPRETED, 'id', 'parents', 'kind']);

/** Members that are each user's own: a reader may set them, and they are no change of the file. */
const OWN_VIEW = new Set(['starred', 'viewedByMeTime', 'kind', 'id']);

/** True when a body changes nothing but what the user alone sees. */
export function isOwnViewOnly(metadata: Record<string, unknown>): boolean {
  return Object.keys(metadata).every((name) => OWN_VIEW.has(name));
}

function textMember(metadata: Record<string, unknown>, name: string): string | undefined {
  const value = metadata[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw badRequest(`Invalid value at '${name}': text is wanted.`);
  return value;
}

function timeMember(metadata: Record<string, unknown>, name: string): string | undefined {
  const value = textMember(metadata, name);
  if (value === undefined) return undefined;
  if (Number.isNaN(Date.parse(value))) throw invalidParameter(name, `Invalid value for: ${value} is not a date-time`);
  return new Date(value).toISOString();
}

function flagMember(metadata: Record<string, unknown>, name: string): boolean | undefined {
  const value = metadata[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw badRequest(`Invalid value at '${name}': true or false is wanted.`);
  return value;
}

function mimeTypeMember(metadata: Record<string, unknown>): string | undefined {
  const value = textMember(metadata, 'mimeType');
  if (value !== undefined && !/^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7e]*)?$/.test(value)) {
    throw badRequest(`Invalid MIME type provided: ${value}`);
  }
  return value;
}

/** Refuses members of the File schema that only Google sets; members it does not know are ignored, as there. */
export function refuseReadOnly(metadata: Record<string, unknown>): void {
  const schema = schemaFields('drive', 'File');
  const readOnly = Object.keys(metadata).find((name) => schema?.has(name) === true && !WRITABLE.has(name));
  if (readOnly === undefined) return;
  const message = `The resource body includes fields which are not directly writable: ${readOnly}.`;
  throw new ApiError({ code: 403, reason: 'fieldNotWritable', message });
}

function readRestrictions(call: ApiCall, wanted: unknown): unknown[] {
  if (wanted === null) return [];
  if (!Array.isArray(wanted)) throw badRequest("Invalid value at 'contentRestrictions': a list is wanted.");
  const { account } = call.caller;
  return wanted.filter(isRecord).flatMap(({ readOnly, reason, ownerRestricted }) => {
    if (readOnly !== true) return [];
    return [
      {
        readOnly: true,
        ...(typeof reason === 'string' ? { reason } : {}),
        ...(ownerRestricted === true ? { ownerRestricted: true } : {}),
        restrictingUser: describeUser(account, account),
        restrictionTime: new Date(call.sim.clock.nowMs()).toISOString(),
        type: 'globalContentRestriction',
      },
    ];
  });
}

function changedExtra(call: ApiCall, file: DriveFile, metadata: Record<string, unknown>): Record<string, unknown> {
  const project = projectOf(call.caller.token.clientId);
  const extra: Record<string, unknown> = { ...file.extra };
  for (const name of KEPT) {
    if (metadata[name] === null) delete extra[name];
    else if (metadata[name] !== undefined) extra[name] = metadata[name];
  }
  const copying = flagMember(metadata, 'viewersCanCopyContent');
  if (copying !== undefined) extra.copyRequiresWriterPermission = !copying;
  if (metadata.properties !== undefined) {
    extra.properties = mergeProperties('properties', extra.properties, metadata.properties);
  }
  if (metadata.appProperties !== undefined) {
    const all = isRecord(extra.appProperties) ? extra.appProperties : {};
    const own = mergeProperties('appProperties', all[project], metadata.appProperties);
    extra.appProperties = { ...all, [project]: own };
  }
  checkPropertyCount(extra);
  if (metadata.contentRestrictions !== undefined) {
    const restrictions = readRestrictions(call, metadata.contentRestrictions);
    // The member is there only while a restriction is.
    if (restrictions.length === 0) delete extra.contentRestrictions;
    else extra.contentRestrictions = restrictions;
  }
  return extra;
}

/** Lays the writable members of a body over a file, in the caller's name. */
export function applyMetadata(call: ApiCall, file: DriveFile, metadata: Record<string, unknown>): DriveFile {
  const { sub } = call.caller.account;
  const now = new Date(call.sim.clock.nowMs()).toISOString();
  const trashed = flagMember(metadata, 'trashed') ?? file.trashed;
  const view = viewOf(file, sub);
  const modifiedTime = timeMember(metadata, 'modifiedTime') ?? file.modifiedTime;
  const ownView: UserView = {
    ...view,
    starred: flagMember(metadata, 'starred') ?? view.starred,
    viewedTime: timeMember(metadata, 'viewedByMeTime') ?? view.viewedTime,
    modifiedTime: isOwnViewOnly(metadata) ? view.modifiedTime : modifiedTime,
  };
  return {
    ...file,
    name: textMember(metadata, 'name') ?? file.name,
    mimeType: mimeTypeMember(metadata) ?? file.mimeType,
    description: metadata.description === null ? '' : (textMember(metadata, 'description') ?? file.description),
    trashed,
    trashedTime: trashed ? (file.trashed ? file.trashedTime : now) : null,
    trashedBy: trashed ? (file.trashed ? file.trashedBy : sub) : null,
    createdTime: timeMember(metadata, 'createdTime') ?? file.createdTime,
    modifiedTime,
    users: { ...file.users, [sub]: ownView },
    extra: changedExtra(call, file, metadata),
  };
}

/** Id a client chose beforehand, if any. */
export function chosenId(metadata: Record<string, unknown>): string | undefined {
  return textMember(metadata, 'id');
}

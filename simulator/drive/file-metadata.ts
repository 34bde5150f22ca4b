import type { ApiCall } from '../api/call.ts';
import { ApiError, badRequest, invalidParameter } from '../api/envelope.ts';
import { schemaFields } from '../api/schemas.ts';
import { rootFolderId } from './dataset.ts';
import { type DriveFile, FOLDER_TYPE } from './records.ts';
import { requireFile } from './visibility.ts';

/** Members of a File that a client may set and that the simulator only keeps. */
const KEPT = [
  ...['appProperties', 'contentHints', 'copyRequiresWriterPermission', 'folderColorRgb', 'originalFilename'],
  ...['properties', 'writersCanShare', 'inheritedPermissionsDisabled', 'shortcutDetails'],
];

const INTERPRETED = ['name', 'mimeType', 'description', 'starred', 'trashed', 'createdTime', 'modifiedTime'];
const WRITABLE = new Set([...KEPT, ...INTERPRETED, 'id', 'parents', 'kind']);

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
  if (value === undefined) return undefined;
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

/** Checks that a folder exists and resolves `root`. */
export function resolveParent(call: ApiCall, parentId: string): string {
  if (parentId === 'root') return rootFolderId(call.caller.account);
  const parent = requireFile(call, parentId);
  if (parent.mimeType !== FOLDER_TYPE) {
    const message = 'The specified parent is not a folder.';
    throw new ApiError({ code: 403, reason: 'parentNotAFolder', message });
  }
  return parent.id;
}

/** Parents named in a body: at most one, My Drive when there is none. */
export function readParents(call: ApiCall, metadata: Record<string, unknown>): string[] {
  const { parents } = metadata;
  if (parents === undefined || parents === null) return [rootFolderId(call.caller.account)];
  const ids = Array.isArray(parents) ? parents.filter((id) => typeof id === 'string') : [];
  if (!Array.isArray(parents) || ids.length !== parents.length) throw badRequest("Invalid value at 'parents'.");
  if (ids.length > 1) {
    const message = 'A file cannot be placed in more than one folder.';
    throw new ApiError({ code: 403, reason: 'multipleParentsNotAllowed', message });
  }
  return ids.length === 0 ? [rootFolderId(call.caller.account)] : ids.map((id) => resolveParent(call, id));
}

/** Lays the writable members of a body over a file. */
export function applyMetadata(file: DriveFile, metadata: Record<string, unknown>): DriveFile {
  const kept = KEPT.filter((name) => metadata[name] !== undefined).map((name) => [name, metadata[name]]);
  return {
    ...file,
    name: textMember(metadata, 'name') ?? file.name,
    mimeType: mimeTypeMember(metadata) ?? file.mimeType,
    description: textMember(metadata, 'description') ?? file.description,
    starred: flagMember(metadata, 'starred') ?? file.starred,
    trashed: flagMember(metadata, 'trashed') ?? file.trashed,
    createdTime: timeMember(metadata, 'createdTime') ?? file.createdTime,
    modifiedTime: timeMember(metadata, 'modifiedTime') ?? file.modifiedTime,
    extra: { ...file.extra, ...Object.fromEntries(kept) },
  };
}

/** Id a client chose beforehand, if any. */
export function chosenId(metadata: Record<string, unknown>): string | undefined {
  const id = textMember(metadata, 'id');
  if (id !== undefined && !/^[A-Za-z0-9_-]{15,}$/.test(id)) {
    throw new ApiError({ code: 400, reason: 'invalid', message: 'The provided file ID is not usable.' });
  }
  return id;
}

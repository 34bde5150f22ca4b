import type { ApiCall } from '../api/call.ts';
import { ApiError } from '../api/envelope.ts';
import { randomText } from '../random.ts';
import { projectOf } from '../state/store.ts';
import { applyMetadata, chosenId, readParents, refuseReadOnly, resolveParent } from './file-metadata.ts';
import { describeFile } from './file-resource.ts';
import type { DriveFile, FileContent } from './records.ts';
import { callersDrive, requireFile } from './visibility.ts';

/** Bytes that come with a create or update. */
export interface Media {
  contentType: string;
  bytes: Buffer;
}

const DEFAULT_TYPE = 'application/octet-stream';

/** A new file id of Google's form. */
export function newFileId(): string {
  return `1${randomText(24)}`;
}

function storeMedia(call: ApiCall, media: Media): FileContent {
  const key = call.sim.drive.blobs.put(media.bytes);
  return { kind: 'blob', key, mimeType: media.contentType, size: media.bytes.length };
}

function nowText(call: ApiCall): string {
  return new Date(call.sim.clock.nowMs()).toISOString();
}

/** Stores a changed file and tells the channels that watch it or the account's changes. */
export function storeFile(call: ApiCall, file: DriveFile): DriveFile {
  callersDrive(call).put(file);
  const { sub } = call.caller.account;
  call.sim.channels.notify(sub, `drive/files/${file.id}`, file.trashed ? 'trash' : 'update');
  call.sim.channels.notify(sub, 'drive/changes', 'change');
  return file;
}

/** Creates a file from metadata and, if given, bytes. */
export function createFile(call: ApiCall, metadata: Record<string, unknown>, media: Media | undefined): DriveFile {
  refuseReadOnly(metadata);
  const id = chosenId(metadata) ?? newFileId();
  if (callersDrive(call).find(id) !== undefined) {
    const message = 'A file already exists with the provided ID.';
    throw new ApiError({ code: 409, reason: 'fileIdInUse', message });
  }
  const now = nowText(call);
  const fresh: DriveFile = {
    id,
    name: 'Untitled',
    mimeType: media?.contentType ?? DEFAULT_TYPE,
    parents: readParents(call, metadata),
    createdTime: now,
    modifiedTime: now,
    description: '',
    trashed: false,
    starred: false,
    content: null,
    version: 1,
    appProject: projectOf(call.caller.token.clientId),
    extra: {},
  };
  const file = applyMetadata(fresh, metadata);
  const isGoogleType = file.mimeType.startsWith('application/vnd.google-apps.');
  if (isGoogleType && media !== undefined) {
    const message = 'The simulator does not convert uploads to Google types.';
    throw new ApiError({ code: 501, reason: 'notImplementedBySimulator', message });
  }
  const bytes = media ?? { contentType: file.mimeType, bytes: Buffer.alloc(0) };
  return storeFile(call, isGoogleType ? file : { ...file, content: storeMedia(call, bytes) });
}

function moveParents(call: ApiCall, file: DriveFile): string[] {
  const ids = (name: string) => (call.query.get(name) ?? '').split(',').filter((id) => id !== '');
  const removed = ids('removeParents').map((id) => resolveParent(call, id));
  const added = ids('addParents').map((id) => resolveParent(call, id));
  if (added.length === 0 && removed.length === 0) return file.parents;
  const parents = [...new Set([...file.parents.filter((id) => !removed.includes(id)), ...added])];
  if (parents.length <= 1) return parents;
  const message = 'A file cannot be placed in more than one folder: use removeParents.';
  throw new ApiError({ code: 403, reason: 'cannotAddParent', message });
}

/** Changes a file's metadata, its bytes, or both. */
export function updateFile(
  call: ApiCall,
  fileId: string,
  metadata: Record<string, unknown>,
  media: Media | undefined,
): DriveFile {
  const file = requireFile(call, fileId);
  refuseReadOnly(metadata);
  if (metadata.parents !== undefined) {
    const message =
      'The parents field is not directly writable in update requests. Use the addParents and removeParents parameters instead.';
    throw new ApiError({ code: 403, reason: 'fieldNotWritable', message });
  }
  if (media !== undefined && file.content === null) {
    const message = 'The simulator does not convert uploads to Google types.';
    throw new ApiError({ code: 501, reason: 'notImplementedBySimulator', message });
  }
  const touched = { ...file, modifiedTime: nowText(call), version: file.version + 1, parents: moveParents(call, file) };
  const changed = applyMetadata(touched, metadata);
  if (media === undefined) return storeFile(call, changed);
  const mimeType = metadata.mimeType === undefined ? media.contentType : changed.mimeType;
  return storeFile(call, { ...changed, mimeType, content: storeMedia(call, media) });
}

/** The File resource of a just written file. */
export function describeWritten(call: ApiCall, file: DriveFile): Record<string, unknown> {
  return describeFile(call.sim.drive, call.caller.account, file, call.fields !== undefined);
}

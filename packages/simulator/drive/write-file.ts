import type { ApiCall } from '../api/call.ts';
import { booleanParameter } from '../api/call.ts';
import { ApiError, badRequest } from '../api/envelope.ts';
import { refusal } from '../api/refusals.ts';
import { SEED_CLIENT } from '../oauth/clients.ts';
import { isRecord } from '../parse.ts';
import { randomText } from '../random.ts';
import { type DriveFile, type FileContent, FOLDER_TYPE, type RevisionRecord, SHORTCUT_TYPE } from '../state/drive.ts';
import { projectOf } from '../state/store.ts';
import { applyChange, type FileNews } from './apply-change.ts';
import { capabilitiesOf, isLocked } from './capabilities.ts';
import { newFile } from './dataset.ts';
import { checkChosenId, newFileId } from './file-ids.ts';
import { applyMetadata, chosenId, isOwnViewOnly, refuseReadOnly } from './file-metadata.ts';
import { describeFile } from './file-resource.ts';
import { importContent } from './import-content.ts';
import { checkFits, readMove, readParent } from './parent-rules.ts';
import { isAtLeast } from './permissions.ts';
import { revisionsOf } from './revision-resource.ts';
import { checkCrossing, checkSettable } from './shared-drive-rules.ts';
import { insufficientPermissions, refuseAppData, requireFile, requireRole, roleOf } from './visibility.ts';

/** Bytes that come with a create or update. */
export interface Media {
  contentType: string;
  bytes: Buffer;
}

const DEFAULT_TYPE = 'application/octet-stream';
const GOOGLE_TYPE = /^application\/vnd\.google-apps\./;

function storeMedia(call: ApiCall, media: Media): FileContent {
  const key = call.sim.drive.blobs.put(media.bytes);
  return { kind: 'blob', key, mimeType: media.contentType, size: media.bytes.length };
}

function nowText(call: ApiCall): string {
  return new Date(call.sim.clock.nowMs()).toISOString();
}

function newRevision(call: ApiCall, file: DriveFile): RevisionRecord {
  return {
    id: `0B${randomText(24)}`,
    modifiedTime: file.modifiedTime,
    modifiedBy: call.caller.account.sub,
    content: file.content,
    mimeType: file.mimeType,
    originalFilename: file.name,
    keepForever: booleanParameter(call, 'keepRevisionForever', false),
    published: false,
    publishAuto: false,
    publishedOutsideDomain: false,
  };
}

/** Puts bytes, or what a Google type makes of them, into a file. */
function withMedia(call: ApiCall, file: DriveFile, media: Media): DriveFile {
  if (!GOOGLE_TYPE.test(file.mimeType)) return { ...file, content: storeMedia(call, media) };
  const imported = importContent(file.mimeType, media.contentType, media.bytes);
  const extra = { ...file.extra, importedFrom: media.contentType };
  if (imported !== undefined) return { ...file, content: null, imported, extra };
  const message = `The requested conversion of ${media.contentType} to ${file.mimeType} is not supported.`;
  throw new ApiError({ code: 400, reason: 'conversionUnsupportedConversionPath', message });
}

function checkShortcut(call: ApiCall, file: DriveFile): DriveFile {
  if (file.mimeType !== SHORTCUT_TYPE) return file;
  const details = file.extra.shortcutDetails;
  const targetId = isRecord(details) ? details.targetId : undefined;
  if (typeof targetId !== 'string') throw badRequest('A shortcut needs shortcutDetails.targetId.');
  const target = requireFile(call, targetId);
  if (target.mimeType === SHORTCUT_TYPE) {
    const message = 'A shortcut cannot have another shortcut as its target.';
    throw new ApiError({ code: 403, reason: 'shortcutTargetInvalid', message });
  }
  return { ...file, extra: { ...file.extra, shortcutDetails: { targetId, targetMimeType: target.mimeType } } };
}

/** The id of a new file: one that the body chose beforehand, or one of its own. */
export function idFor(call: ApiCall, metadata: Record<string, unknown>, type: string): string {
  const chosen = chosenId(metadata);
  if (chosen === undefined) return newFileId();
  // A seed names its files as it likes: it describes a world, and asks nothing of Google.
  const id = call.caller.token.clientId === SEED_CLIENT ? chosen : checkChosenId(chosen, type);
  if (call.sim.drive.find(id) !== undefined) throw refusal('idInUse');
  return id;
}

/** Creates a file from metadata and, if given, bytes. */
export function createFile(call: ApiCall, metadata: Record<string, unknown>, media: Media | undefined): DriveFile {
  refuseReadOnly(metadata);
  const { sub } = call.caller.account;
  const type = typeof metadata.mimeType === 'string' ? metadata.mimeType : (media?.contentType ?? DEFAULT_TYPE);
  const id = idFor(call, metadata, type);
  const parent = readParent(call, metadata);
  checkSettable(parent.driveId, metadata);
  const time = nowText(call);
  const fresh: DriveFile = {
    ...newFile({ id, name: 'Untitled', mimeType: media?.contentType ?? DEFAULT_TYPE, time, sub }),
    parents: [parent.id],
    ownerSub: parent.driveId === null ? sub : null,
    driveId: parent.driveId,
    space: parent.space,
    appProject: projectOf(call.caller.token.clientId),
    users: { [sub]: { starred: false, viewedTime: time, modifiedTime: time, sharedTime: null, sharedBy: null } },
  };
  const described = checkShortcut(call, applyMetadata(call, fresh, metadata));
  checkFits(call, described, parent);
  const isGoogleType = GOOGLE_TYPE.test(described.mimeType);
  const bytes = media ?? (isGoogleType ? undefined : { contentType: described.mimeType, bytes: Buffer.alloc(0) });
  const filled = bytes === undefined ? described : withMedia(call, described, bytes);
  const hasRevision = filled.mimeType !== FOLDER_TYPE && filled.mimeType !== SHORTCUT_TYPE;
  const file = hasRevision ? { ...filled, revisions: [newRevision(call, filled)] } : filled;
  const detail = { create: media === undefined ? { new: {} } : { upload: {} } };
  applyChange(call, { fileIds: [id], apply: () => call.sim.drive.put(file) }, 'update', detail);
  return file;
}

/** A file and what is below it, in the folder where it goes; a shared drive owns what is in it. */
function movedTree(call: ApiCall, file: DriveFile, folder: DriveFile): DriveFile[] {
  const { driveId } = folder;
  const moved = { ...file, parents: [folder.id] };
  if (driveId === file.driveId) return [moved];
  const { sub } = call.caller.account;
  const below = call.sim.drive.treeOf(file.id).slice(1);
  return [moved, ...below].map((entry) => ({ ...entry, driveId, ownerSub: driveId === null ? sub : null }));
}

function checkUpdate(
  call: ApiCall,
  file: DriveFile,
  metadata: Record<string, unknown>,
  media: Media | undefined,
): void {
  const role = roleOf(call, file) ?? 'reader';
  const onlyOwnView = isOwnViewOnly(metadata) && media === undefined;
  const moves = call.query.has('addParents') || call.query.has('removeParents');
  const isTrashOnly = Object.keys(metadata).every((name) => name === 'trashed') && media === undefined && !moves;
  if (!onlyOwnView && !isTrashOnly && !isAtLeast(role, 'writer')) throw insufficientPermissions(file.id);
  if (moves && !isAtLeast(role, 'writer')) throw insufficientPermissions(file.id);
  const can = capabilitiesOf(call.sim.drive, file, call.caller.account, role);
  if (typeof metadata.trashed === 'boolean' && metadata.trashed !== file.trashed) {
    refuseAppData(file);
    if (can.canTrash !== true) throw insufficientPermissions(file.id);
  }
  if (isLocked(file) && (media !== undefined || metadata.name !== undefined)) throw insufficientPermissions(file.id);
}

function newsOf(before: DriveFile, after: DriveFile): FileNews {
  if (before.trashed === after.trashed) return 'update';
  return after.trashed ? 'trash' : 'untrash';
}

/** What Drive Activity calls an update. */
function detailOf(call: ApiCall, before: DriveFile, after: DriveFile, media: Media | undefined) {
  if (before.trashed !== after.trashed) {
    return after.trashed ? { delete: { type: 'TRASH' } } : { restore: { type: 'UNTRASH' } };
  }
  if (before.parents[0] !== after.parents[0]) {
    const folder = (id: string | undefined) => {
      const found = id === undefined ? undefined : call.sim.drive.find(id);
      if (found === undefined) return [];
      return [
        { driveItem: { name: `items/${found.id}`, title: found.name, driveFolder: { type: 'STANDARD_FOLDER' } } },
      ];
    };
    return { move: { addedParents: folder(after.parents[0]), removedParents: folder(before.parents[0]) } };
  }
  if (media !== undefined) return { edit: {} };
  if (before.name !== after.name) return { rename: { oldTitle: before.name, newTitle: after.name } };
  return before.modifiedTime === after.modifiedTime ? undefined : { edit: {} };
}

/** Changes a file's metadata, its bytes, its folder, or all of them. */
export function updateFile(
  call: ApiCall,
  fileId: string,
  metadata: Record<string, unknown>,
  media: Media | undefined,
): DriveFile {
  const file = requireRole(call, fileId, 'reader');
  refuseReadOnly(metadata);
  if (metadata.parents !== undefined) {
    const message =
      'The parents field is not directly writable in update requests. Use the addParents and removeParents parameters instead.';
    throw new ApiError({ code: 403, reason: 'fieldNotWritable', message });
  }
  checkUpdate(call, file, metadata, media);
  checkSettable(file.driveId, metadata);
  const folder = readMove(call, file);
  if (folder !== undefined) {
    checkCrossing(call, file, folder);
    checkFits(call, file, folder);
  }
  const { trashed: _trashed, ...others } = metadata;
  const isEdit = media !== undefined || !isOwnViewOnly(others);
  const edited = isEdit ? { modifiedTime: nowText(call), modifiedBy: call.caller.account.sub } : {};
  const changed = applyMetadata(call, { ...file, ...edited, version: file.version + 1 }, metadata);
  const written = media === undefined ? changed : withNewContent(call, changed, metadata, media);
  const [result = written, ...below] = folder === undefined ? [written] : movedTree(call, written, folder);
  const apply = () => {
    for (const entry of [result, ...below]) call.sim.drive.put(entry);
  };
  const accessMoves = folder !== undefined || metadata.inheritedPermissionsDisabled !== undefined;
  const fileIds = accessMoves ? call.sim.drive.treeOf(file.id).map(({ id }) => id) : [file.id];
  applyChange(call, { fileIds, apply }, newsOf(file, result), detailOf(call, file, result, media));
  return result;
}

function withNewContent(call: ApiCall, file: DriveFile, metadata: Record<string, unknown>, media: Media): DriveFile {
  const keepsType = metadata.mimeType !== undefined || GOOGLE_TYPE.test(file.mimeType);
  const typed = keepsType ? file : { ...file, mimeType: media.contentType };
  if (typed.mimeType === FOLDER_TYPE || typed.mimeType === SHORTCUT_TYPE) {
    const message = 'This file has no content that could be replaced.';
    throw new ApiError({ code: 403, reason: 'fileNotDownloadable', message });
  }
  const earlier = revisionsOf(file);
  const filled = withMedia(call, typed, media);
  return { ...filled, revisions: [...earlier, newRevision(call, filled)] };
}

/** The File resource of a just written file. */
export function describeWritten(call: ApiCall, file: DriveFile): Record<string, unknown> {
  return describeFile(call, file);
}

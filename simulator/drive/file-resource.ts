import { createHash } from 'node:crypto';
import { displayName, type SimAccount } from '../accounts.ts';
import type { RangeSource } from './content.ts';
import { exportLinks, isExportable } from './export-formats.ts';
import { type DriveFile, FOLDER_TYPE } from './records.ts';
import type { DriveStore } from './store.ts';

const checksums = new WeakMap<object, Record<string, string>>();

function hashSource(source: RangeSource): Record<string, string> {
  const hashes = [createHash('md5'), createHash('sha1'), createHash('sha256')];
  for (const chunk of source.read(0, source.length)) for (const hash of hashes) hash.update(chunk);
  const [md5Checksum = '', sha1Checksum = '', sha256Checksum = ''] = hashes.map((hash) => hash.digest('hex'));
  return { md5Checksum, sha1Checksum, sha256Checksum };
}

function checksumsOf(store: DriveStore, file: DriveFile): Record<string, string> {
  const key = file.content;
  if (key === null) return {};
  const known = checksums.get(key);
  if (known !== undefined) return known;
  const source = store.open(file);
  const computed = source === undefined ? {} : hashSource(source);
  checksums.set(key, computed);
  return computed;
}

/** Drive's User resource of an account. */
export function describeUser(account: SimAccount): Record<string, unknown> {
  return {
    kind: 'drive#user',
    displayName: displayName(account),
    me: true,
    permissionId: account.sub.slice(0, 20),
    emailAddress: account.email,
  };
}

function extensionOf(name: string): string | undefined {
  return /\.([A-Za-z0-9]+)$/.exec(name)?.[1];
}

function links(file: DriveFile): Record<string, unknown> {
  if (file.mimeType === FOLDER_TYPE) return { webViewLink: `https://drive.google.com/drive/folders/${file.id}` };
  if (isExportable(file.mimeType)) {
    const kind = file.mimeType.slice(file.mimeType.lastIndexOf('.') + 1);
    return {
      webViewLink: `https://docs.google.com/${kind}/d/${file.id}/edit?usp=drivesdk`,
      exportLinks: exportLinks(file),
    };
  }
  const webViewLink = `https://drive.google.com/file/d/${file.id}/view?usp=drivesdk`;
  return file.content === null
    ? { webViewLink }
    : { webViewLink, webContentLink: `https://drive.google.com/uc?id=${file.id}&export=download` };
}

function byteFields(store: DriveStore, file: DriveFile, withChecksums: boolean): Record<string, unknown> {
  if (file.content === null) return {};
  const extension = extensionOf(file.name);
  return {
    size: String(file.content.size),
    quotaBytesUsed: String(file.content.size),
    originalFilename: file.name,
    headRevisionId: `0B${file.id.slice(0, 20)}${file.version}`,
    ...(extension === undefined ? {} : { fileExtension: extension, fullFileExtension: extension }),
    ...(withChecksums ? checksumsOf(store, file) : {}),
  };
}

/**
 * The File resource of a stored file, with every member the simulator has; callers select what was asked for.
 * @param withChecksums false skips reading the bytes, for answers that show no checksum
 */
export function describeFile(
  store: DriveStore,
  account: SimAccount,
  file: DriveFile,
  withChecksums: boolean,
): Record<string, unknown> {
  const user = describeUser(account);
  return {
    ...file.extra,
    kind: 'drive#file',
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    ...(file.description === '' ? {} : { description: file.description }),
    starred: file.starred,
    trashed: file.trashed,
    explicitlyTrashed: file.trashed,
    parents: file.parents,
    spaces: ['drive'],
    version: String(file.version),
    ...links(file),
    iconLink: `https://drive-thirdparty.googleusercontent.com/16/type/${file.mimeType}`,
    createdTime: file.createdTime,
    modifiedTime: file.modifiedTime,
    modifiedByMe: true,
    modifiedByMeTime: file.modifiedTime,
    viewedByMe: true,
    viewedByMeTime: file.modifiedTime,
    owners: [user],
    lastModifyingUser: user,
    shared: false,
    ownedByMe: true,
    isAppAuthorized: file.appProject !== null,
    capabilities: { canEdit: true, canCopy: true, canDelete: true, canDownload: file.content !== null, canTrash: true },
    viewersCanCopyContent: true,
    copyRequiresWriterPermission: false,
    writersCanShare: true,
    permissionIds: [account.sub.slice(0, 20)],
    ...byteFields(store, file, withChecksums),
  };
}

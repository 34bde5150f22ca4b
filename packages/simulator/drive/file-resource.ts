import { createHash } from 'node:crypto';
import { ACCOUNTS, type SimAccount } from '../accounts.ts';
import type { ApiCall } from '../api/call.ts';
import { isRecord } from '../parse.ts';
import type { DriveStore, RangeSource } from '../state/drive.ts';
import { type DriveFile, FOLDER_TYPE, SHORTCUT_TYPE, type UserView } from '../state/drive.ts';
import { projectOf } from '../state/store.ts';
import { capabilitiesOf } from './capabilities.ts';
import { exportLinks, isExportable } from './export-formats.ts';
import { describeLabel } from './label-resource.ts';
import { describePermission } from './permission-resource.ts';
import { isAtLeast, isExpired } from './permissions.ts';
import { headRevision } from './revision-resource.ts';
import { populated } from './shared-drive-rules.ts';
import { describeSub, describeUser } from './user-resource.ts';
import { callersDrive } from './visibility.ts';

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
  if (file.content === null) return { quotaBytesUsed: '0' };
  const extension = extensionOf(file.name);
  const originalFilename = typeof file.extra.originalFilename === 'string' ? file.extra.originalFilename : file.name;
  return {
    size: String(file.content.size),
    quotaBytesUsed: String(file.content.size),
    originalFilename,
    headRevisionId: headRevision(file).id,
    ...(extension === undefined ? {} : { fileExtension: extension, fullFileExtension: extension }),
    ...(withChecksums ? checksumsOf(store, file) : {}),
  };
}

const NO_VIEW: UserView = { starred: false, viewedTime: null, modifiedTime: null, sharedTime: null, sharedBy: null };

/** What one user has with a file. */
export function viewOf(file: DriveFile, sub: string): UserView {
  return file.users[sub] ?? NO_VIEW;
}

/** True for an item that more than one permission opens. */
function isShared(store: DriveStore, file: DriveFile, nowMs: number): boolean {
  return store.permissionsOf(file).filter(({ record }) => !isExpired(record, nowMs)).length > 1;
}

function userFields(file: DriveFile, caller: SimAccount): Record<string, unknown> {
  const view = viewOf(file, caller.sub);
  return {
    starred: view.starred,
    viewedByMe: view.viewedTime !== null,
    ...(view.viewedTime === null ? {} : { viewedByMeTime: view.viewedTime }),
    modifiedByMe: view.modifiedTime !== null,
    ...(view.modifiedTime === null ? {} : { modifiedByMeTime: view.modifiedTime }),
    ...(view.sharedTime === null ? {} : { sharedWithMeTime: view.sharedTime }),
    ...(view.sharedBy === null ? {} : { sharingUser: describeSub(view.sharedBy, caller) }),
  };
}

function sharingFields(call: ApiCall, file: DriveFile): Record<string, unknown> {
  const store = call.sim.drive;
  const { account } = call.caller;
  const role = callersDrive(call).accessTo(file)?.role ?? 'reader';
  const capabilities = capabilitiesOf(store, file, account, role);
  const permissions = store.permissionsOf(file);
  const shown =
    capabilities.canShare === true
      ? { permissions: permissions.map((permission) => describePermission(permission)) }
      : {};
  const owner = ACCOUNTS.find(({ sub }) => sub === file.ownerSub);
  return {
    ...(owner === undefined ? {} : { owners: [describeUser(owner, account)] }),
    ownedByMe: file.ownerSub === account.sub,
    driveId: file.driveId,
    teamDriveId: file.driveId,
    hasAugmentedPermissions: file.permissions.length > 0,
    shared: isShared(store, file, call.sim.clock.nowMs()),
    capabilities,
    ...(isAtLeast(role, 'writer') ? { permissionIds: permissions.map(({ record }) => record.id) } : {}),
    ...shown,
  };
}

function trashFields(store: DriveStore, file: DriveFile, caller: SimAccount): Record<string, unknown> {
  return {
    trashed: store.isTrashed(file),
    explicitlyTrashed: file.trashed,
    ...(file.trashed && file.trashedTime !== null ? { trashedTime: file.trashedTime } : {}),
    ...(file.trashed && file.trashedBy !== null ? { trashingUser: describeSub(file.trashedBy, caller) } : {}),
  };
}

function shortcutFields(store: DriveStore, file: DriveFile): Record<string, unknown> {
  const details = file.extra.shortcutDetails;
  if (file.mimeType !== SHORTCUT_TYPE || !isRecord(details) || typeof details.targetId !== 'string') return {};
  const target = store.find(details.targetId);
  const targetMimeType = target?.mimeType ?? details.targetMimeType;
  const targetResourceKey = target?.extra.resourceKey;
  return {
    shortcutDetails: {
      targetId: details.targetId,
      ...(typeof targetMimeType === 'string' ? { targetMimeType } : {}),
      ...(typeof targetResourceKey === 'string' ? { targetResourceKey } : {}),
    },
  };
}

/** The key that an old file's link needs since Google's security update of 2021. */
function linkFields(file: DriveFile): Record<string, unknown> {
  const { resourceKey } = file.extra;
  if (typeof resourceKey !== 'string') return {};
  return { resourceKey, linkShareMetadata: { securityUpdateEligible: true, securityUpdateEnabled: true } };
}

/** `properties` are everybody's, `appProperties` the app's that wrote them. */
function propertyFields(call: ApiCall, file: DriveFile): Record<string, unknown> {
  const own = isRecord(file.extra.appProperties)
    ? file.extra.appProperties[projectOf(call.caller.token.clientId)]
    : undefined;
  const shown = { properties: file.extra.properties, appProperties: own };
  return Object.fromEntries(
    Object.entries(shown).filter(([, value]) => isRecord(value) && Object.keys(value).length > 0),
  );
}

function labelFields(call: ApiCall, file: DriveFile): Record<string, unknown> {
  const wanted = (call.query.get('includeLabels') ?? '').split(',').filter((id) => id !== '');
  if (wanted.length === 0) return {};
  const labels = call.sim.drive.notes(file.id).labels.filter(({ id }) => wanted.includes(id));
  return { labelInfo: { labels: labels.map(describeLabel) } };
}

/** Members of `extra` that are shown as they were written. */
const SHOWN_EXTRA = [
  ...['contentRestrictions', 'folderColorRgb', 'inheritedPermissionsDisabled', 'downloadRestrictions'],
];

/**
 * The File resource of a stored file as the caller sees it, with every member the simulator has; `fields` selects.
 * The bytes are read for checksums only when `fields` asks for anything.
 */
export function describeFile(call: ApiCall, file: DriveFile): Record<string, unknown> {
  const store = call.sim.drive;
  const { account } = call.caller;
  const restricted = file.extra.copyRequiresWriterPermission === true;
  const visibleParents = file.parents.filter(
    (id) => callersDrive(call).find(id) !== undefined || file.space !== 'drive',
  );
  return populated(file, {
    ...Object.fromEntries(
      SHOWN_EXTRA.flatMap((name) => (file.extra[name] === undefined ? [] : [[name, file.extra[name]]])),
    ),
    kind: 'drive#file',
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    ...(file.description === '' ? {} : { description: file.description }),
    ...trashFields(store, file, account),
    ...(visibleParents.length === 0 ? {} : { parents: visibleParents }),
    spaces: [file.space],
    version: String(file.version),
    ...links(file),
    iconLink: `https://drive-thirdparty.googleusercontent.com/16/type/${file.mimeType}`,
    hasThumbnail: false,
    thumbnailVersion: '0',
    createdTime: file.createdTime,
    modifiedTime: file.modifiedTime,
    lastModifyingUser: describeSub(file.modifiedBy, account),
    ...userFields(file, account),
    isAppAuthorized: file.appProject === projectOf(call.caller.token.clientId),
    viewersCanCopyContent: !restricted,
    copyRequiresWriterPermission: restricted,
    writersCanShare: file.extra.writersCanShare !== false,
    ...sharingFields(call, file),
    ...shortcutFields(store, file),
    ...linkFields(file),
    ...propertyFields(call, file),
    ...labelFields(call, file),
    ...byteFields(store, file, call.fields !== undefined),
  });
}

import type { SimAccount } from '../accounts.ts';
import {
  anything,
  count,
  flag,
  listOf,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Parser,
  recordOf,
  text,
} from '../parse.ts';

/** MIME type of folders. */
export const FOLDER_TYPE = 'application/vnd.google-apps.folder';

/** MIME type of shortcuts. */
export const SHORTCUT_TYPE = 'application/vnd.google-apps.shortcut';

/** Roles from least to most (Google Drive API, "Roles and permissions"). */
export const ROLES = ['reader', 'commenter', 'writer', 'fileOrganizer', 'organizer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Where a file's bytes come from: made from its id, or uploaded and kept under their SHA-256. */
const fileContent = object({
  kind: oneOf('generated', 'blob'),
  /** SHA-256 hex of a blob; the first name of a generated file, so that renaming changes no byte. */
  key: text,
  /** MIME type the bytes were made or sent as. */
  mimeType: text,
  size: count,
});
export type FileContent = ReturnType<typeof fileContent>;

/** A permission set on one item, or a membership of a shared drive. */
const permissionRecord = object({
  id: text,
  type: oneOf('user', 'group', 'domain', 'anyone'),
  role: oneOf(...ROLES),
  /** Of a user or group. */
  emailAddress: nullable(text),
  domain: nullable(text),
  /** False for link sharing: who has no link does not find the file. */
  allowFileDiscovery: flag,
  /** RFC 3339. */
  expirationTime: nullable(text),
  view: nullable(text),
  pendingOwner: flag,
});
export type PermissionRecord = ReturnType<typeof permissionRecord>;

/** What one user has with a file; absent until there is something. Times are RFC 3339. */
const userView = object({
  starred: flag,
  viewedTime: nullable(text),
  modifiedTime: nullable(text),
  sharedTime: nullable(text),
  /** `sub` of who shared it with this user. */
  sharedBy: nullable(text),
});
export type UserView = ReturnType<typeof userView>;

/** One revision of a file's content. */
const revisionRecord = object({
  id: text,
  modifiedTime: text,
  /** `sub` of the author. */
  modifiedBy: text,
  content: nullable(fileContent),
  mimeType: text,
  originalFilename: text,
  keepForever: flag,
  published: flag,
  publishAuto: flag,
  publishedOutsideDomain: flag,
});
export type RevisionRecord = ReturnType<typeof revisionRecord>;

/** A file or folder as stored; `describeFile` turns it into the API's File resource. */
export const driveFile = object({
  id: text,
  name: text,
  mimeType: text,
  /** One at most; empty for My Drive, a shared drive and the application data folder. */
  parents: listOf(text),
  createdTime: text,
  modifiedTime: text,
  description: text,
  /** Put into the trash itself; what lies in a trashed folder is trashed too. */
  trashed: flag,
  trashedTime: nullable(text),
  trashedBy: nullable(text),
  /** `sub` of the owner; null in a shared drive. */
  ownerSub: nullable(text),
  driveId: nullable(text),
  /** `sub` of who changed it last. */
  modifiedBy: text,
  content: nullable(fileContent),
  /** Rows and lines that an upload was converted to; null for a document whose text is generated. */
  imported: nullable(listOf(text)),
  version: count,
  /** Cloud project of the app that made it; the `drive.file` scope sees no others. */
  appProject: nullable(text),
  space: oneOf('drive', 'appDataFolder'),
  /** The permissions set on the item itself, the owner's left out. */
  permissions: listOf(permissionRecord),
  /** By `sub`. */
  users: recordOf(userView),
  /** Oldest first; empty for the one revision a generated file has. */
  revisions: listOf(revisionRecord),
  /** Writable members that nothing interprets, such as `properties`. */
  extra: recordOf(anything),
});
export type DriveFile = ReturnType<typeof driveFile>;

/** A shared drive; its members are the permissions of its root folder, which has the same id. */
const sharedDrive = object({
  id: text,
  name: text,
  createdTime: text,
  /** Workspace domain that it belongs to. */
  domain: text,
  themeId: nullable(text),
  colorRgb: text,
  backgroundImageLink: text,
  restrictions: recordOf(anything),
  /** `sub` and request id that made it, so that a repeated request makes no second one. */
  createdBy: text,
  requestId: text,
  /** `sub` of everyone who hid it. */
  hiddenBy: listOf(text),
  members: listOf(permissionRecord),
});
export type SharedDrive = ReturnType<typeof sharedDrive>;

const remark = {
  id: text,
  /** `sub` of the author. */
  author: text,
  content: text,
  createdTime: text,
  modifiedTime: text,
  deleted: flag,
};

/** An answer to a comment; `action` resolves or reopens it. */
const replyRecord = object({ ...remark, action: nullable(oneOf('resolve', 'reopen')) });
export type ReplyRecord = ReturnType<typeof replyRecord>;

/** A comment on a file. */
const commentRecord = object({
  ...remark,
  anchor: nullable(text),
  quotedFileContent: nullable(recordOf(text)),
  resolved: nullable(flag),
  replies: listOf(replyRecord),
});
export type CommentRecord = ReturnType<typeof commentRecord>;

/** A label on a file: its fields as the API shows them. */
const labelRecord = object({ id: text, revisionId: text, fields: recordOf(recordOf(anything)) });
export type LabelRecord = ReturnType<typeof labelRecord>;

/** One reviewer of an approval. */
const reviewerRecord = object({ email: text, response: oneOf('NO_RESPONSE', 'APPROVED', 'DECLINED') });

/** An approval of a file. */
const approvalRecord = object({
  id: text,
  /** `sub`. */
  initiator: text,
  status: oneOf('IN_PROGRESS', 'APPROVED', 'CANCELLED', 'DECLINED'),
  createTime: text,
  modifyTime: text,
  completeTime: nullable(text),
  dueTime: nullable(text),
  onChange: oneOf('RESET_APPROVAL', 'NO_APPROVAL_ACTION'),
  approvedRevisionId: nullable(text),
  reviewers: listOf(reviewerRecord),
  comments: listOf(object({ author: text, text, time: text })),
});
export type ApprovalRecord = ReturnType<typeof approvalRecord>;

/** Somebody's request for access to a file. */
const proposalRecord = object({
  id: text,
  createTime: text,
  requester: text,
  recipient: text,
  message: nullable(text),
  role: oneOf('writer', 'commenter', 'reader'),
});
export type ProposalRecord = ReturnType<typeof proposalRecord>;

/** What people attached to a file. */
const fileNotes = object({
  comments: listOf(commentRecord),
  labels: listOf(labelRecord),
  approvals: listOf(approvalRecord),
  proposals: listOf(proposalRecord),
});
export type FileNotes = ReturnType<typeof fileNotes>;

/** One entry of a change log; `driveId` alone for a change of a shared drive itself. */
export const driveChange = object({
  seq: count,
  fileId: nullable(text),
  driveId: nullable(text),
  removed: flag,
  timeMs: number,
});
export type DriveChange = ReturnType<typeof driveChange>;

/** An action as Drive Activity reports it: `detail` is an ActionDetail. */
const activityRecord = object({
  timeMs: number,
  sub: text,
  fileId: text,
  name: text,
  mimeType: text,
  /** Ids of the folders that it lay in, nearest first. */
  folders: listOf(text),
  detail: recordOf(anything),
});
export type ActivityRecord = ReturnType<typeof activityRecord>;

/** Everything in which the simulator's Drive differs from the generated one. */
export const driveChanges: Parser<DriveChanges> = object({
  files: listOf(driveFile),
  removedIds: listOf(text),
  drives: listOf(sharedDrive),
  /** By file id. */
  notes: recordOf(fileNotes),
  /** By `sub` for a user's log, by drive id for a shared drive's. */
  logs: recordOf(listOf(driveChange)),
  activities: optional(listOf(activityRecord)),
});

/** See {@link driveChanges}. */
export interface DriveChanges {
  files: DriveFile[];
  removedIds: string[];
  drives: SharedDrive[];
  notes: Record<string, FileNotes>;
  logs: Record<string, DriveChange[]>;
  activities?: ActivityRecord[] | undefined;
}

/** Bytes that can be read in ranges without being held as a whole. */
export interface RangeSource {
  length: number;
  /** Bytes from `start` up to, not including, `end`. */
  read(start: number, end: number): Iterable<Buffer>;
}

/** Uploaded bytes by their SHA-256. */
export interface BlobStore {
  /** @throws {ApiError} 403 `storageQuotaExceeded` when the store is full */
  put(bytes: Buffer): string;
  get(sha256: string): Buffer | undefined;
  storedBytes(): number;
}

/** Where one permission comes from (Google Drive API, "Permissions", `permissionDetails`). */
export interface PermissionSource {
  permissionType: 'file' | 'member';
  role: Role;
  inherited: boolean;
  inheritedFrom: string | undefined;
}

/** A permission as it counts on an item: its own and what folders and the shared drive add, at the highest role. */
export interface EffectivePermission {
  record: PermissionRecord;
  role: Role;
  sources: PermissionSource[];
}

/** What an account may do with an item; `isNamed` unless only a domain or everybody opens it. */
export interface Access {
  role: Role;
  isNamed: boolean;
}

/** The log of a user, or of a shared drive. */
export interface ChangeLog {
  /** Number the next change will get. */
  next(): number;
  from(seq: number): DriveChange[];
}

/** Drive as one account has it. */
export interface AccountDrive {
  /** Every item the account may see, root folders and application data left out, in no particular order. */
  files(): DriveFile[];
  /** `root` is the My Drive folder. */
  find(id: string): DriveFile | undefined;
  accessTo(file: DriveFile): Access | undefined;
  log: ChangeLog;
}

/** Who did something to what, and what the logs and watchers receive of it. */
export interface Change {
  /** Items whose change is logged; with everyone's access to them before and after. */
  fileIds: readonly string[];
  /** Shared drives whose own change is logged. */
  driveIds?: readonly string[];
  apply(): void;
}

/** The users who see a change. */
export interface ChangeNews {
  /** Everyone who saw a changed item before, or sees it now. */
  readonly seenBy: ReadonlySet<SimAccount>;
  /** Those of them whose own log has it; the others find it in the log of the shared drive. */
  readonly loggedFor: ReadonlySet<SimAccount>;
}

/** All Drives, the shared drives and the uploaded bytes. */
export interface DriveStore {
  blobs: BlobStore;
  of(sub: string): AccountDrive;
  /** Bytes of a file; `undefined` for types without any. */
  open(file: DriveFile): RangeSource | undefined;
  openContent(id: string, content: FileContent | null): RangeSource | undefined;
  /** Every item, root folders left out. */
  all(): DriveFile[];
  /** Any item, no matter who may see it, root folders included. */
  find(id: string): DriveFile | undefined;
  childrenOf(folderId: string): DriveFile[];
  /** An item and everything below it. */
  treeOf(id: string): DriveFile[];
  permissionsOf(file: DriveFile): EffectivePermission[];
  /** True for what was put into the trash or lies in a folder that was. */
  isTrashed(file: DriveFile): boolean;
  /** Ids of the folders above an item, nearest first. */
  foldersOf(file: DriveFile): string[];
  drives(): SharedDrive[];
  notes(fileId: string): FileNotes;
  logOf(key: string): ChangeLog;
  activities(): readonly ActivityRecord[];
  /** Changes items and logs it for everyone who sees them before or after. */
  change(change: Change): ChangeNews;
  put(file: DriveFile): void;
  remove(id: string): void;
  putDrive(drive: SharedDrive): void;
  removeDrive(id: string): void;
  putNotes(fileId: string, notes: FileNotes): void;
  putActivity(activity: ActivityRecord): void;
}

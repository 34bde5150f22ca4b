import { findAccount, type SimAccount } from '../accounts.ts';
import { between, pick, seededRandom, seededText } from '../random.ts';
import {
  type DriveFile,
  type FileContent,
  FOLDER_TYPE,
  type Role,
  type SharedDrive,
  type UserView,
} from '../state/drive.ts';
import { generateContent, isGenerated } from './generated-content.ts';
import { userPermission } from './permissions.ts';

/** Files every account starts with, folders included and the root folder not. */
const FILES_PER_ACCOUNT = 300;

const FOLDER_COUNT = 24;
const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const DAY_MS = 86_400_000;

/** All generated times lie in the two years before this moment, whatever the clock says. */
const NEWEST_MS = Date.UTC(2026, 9, 31, 18, 0, 0);

const SUBJECTS = [
  'Budget',
  'Roadmap',
  'Meeting notes',
  'Contract',
  'Invoice',
  'Travel plan',
  'Report',
  'Draft',
] as const;
const TOPICS = ['Alpha', 'Harbour', 'Orchard', 'Winter', 'Atlas', 'Compass', 'Meridian', 'Lantern'] as const;

interface Kind {
  mimeType: string;
  extension: string;
}

const KINDS: readonly [Kind, ...Kind[]] = [
  { mimeType: 'application/vnd.google-apps.document', extension: '' },
  { mimeType: 'application/vnd.google-apps.document', extension: '' },
  { mimeType: 'application/vnd.google-apps.spreadsheet', extension: '' },
  { mimeType: 'application/pdf', extension: '.pdf' },
  { mimeType: 'image/png', extension: '.png' },
  { mimeType: 'text/plain', extension: '.txt' },
  { mimeType: 'text/csv', extension: '.csv' },
];

/** Files that try readers: odd names, no bytes, many bytes. */
const SPECIAL: readonly { name: string; mimeType: string; noBytes?: true }[] = [
  { name: 'Launch 🚀 "final" l\'été שלום عربي.txt', mimeType: 'text/plain' },
  { name: 'empty.txt', mimeType: 'text/plain', noBytes: true },
  { name: 'Team offsite (5 MB).mp4', mimeType: 'video/mp4' },
];

/** Id of the account's My Drive folder. */
export function rootFolderId(account: Pick<SimAccount, 'sub'>): string {
  return `0A${seededText(`${account.sub}/root`, 14, ID_ALPHABET)}PVA`;
}

/** A file with nothing but what every file has. */
export function newFile({
  id,
  name,
  mimeType,
  time,
  sub,
}: Pick<DriveFile, 'id' | 'name' | 'mimeType'> & { time: string; sub: string }): DriveFile {
  return {
    id,
    name,
    mimeType,
    parents: [],
    createdTime: time,
    modifiedTime: time,
    description: '',
    trashed: false,
    trashedTime: null,
    trashedBy: null,
    ownerSub: sub,
    driveId: null,
    modifiedBy: sub,
    content: null,
    imported: null,
    version: 1,
    appProject: null,
    space: 'drive',
    permissions: [],
    users: {},
    revisions: [],
    extra: {},
  };
}

function makeFile(account: SimAccount, index: number, name: string, mimeType: string, parent: string): DriveFile {
  const seed = `${account.sub}/file/${index}`;
  const random = seededRandom(`${seed}/times`);
  const createdMs = NEWEST_MS - between(random, 30, 730) * DAY_MS - between(random, 0, DAY_MS - 1);
  const modifiedMs = createdMs + Math.floor(random() * (NEWEST_MS - createdMs));
  const modifiedTime = new Date(modifiedMs).toISOString();
  const isTrashed = index % 97 === 50;
  const time = new Date(createdMs).toISOString();
  const { sub } = account;
  return {
    ...newFile({ id: `1${seededText(seed, 32, ID_ALPHABET)}`, name, mimeType, time, sub }),
    parents: [parent],
    modifiedTime,
    trashed: isTrashed,
    trashedTime: isTrashed ? modifiedTime : null,
    trashedBy: isTrashed ? sub : null,
    version: between(random, 1, 40),
    users: {
      [sub]: {
        starred: index % 23 === 0,
        viewedTime: modifiedTime,
        modifiedTime,
        sharedTime: null,
        sharedBy: null,
      },
    },
  };
}

/** The size is read from the bytes when somebody asks: making all of them would be most of the simulator's start. */
function withContent(file: DriveFile): DriveFile {
  const { id, name, mimeType } = file;
  if (!isGenerated(mimeType)) return file;
  let size: number | undefined;
  const content: FileContent = {
    kind: 'generated',
    key: name,
    mimeType,
    get size() {
      size ??= generateContent(id, name, mimeType)?.length ?? 0;
      return size;
    },
  };
  return { ...file, content };
}

function makeFolders(account: SimAccount): DriveFile[] {
  const folders: DriveFile[] = [];
  const random = seededRandom(`${account.sub}/folders`);
  for (let index = 0; index < FOLDER_COUNT; index += 1) {
    const parent = index < 8 ? undefined : folders[between(random, 0, index - 1)]?.id;
    const name = `${pick(random, TOPICS)} ${2024 + (index % 3)}`;
    folders.push(makeFile(account, index, name, FOLDER_TYPE, parent ?? rootFolderId(account)));
  }
  return folders;
}

function buildDrive(account: SimAccount): DriveFile[] {
  const folders = makeFolders(account);
  const random = seededRandom(`${account.sub}/files`);
  const parentOf = () => folders[between(random, 0, folders.length * 2)]?.id ?? rootFolderId(account);
  const special = SPECIAL.map(({ name, mimeType, noBytes }, offset) => {
    const file = makeFile(account, FOLDER_COUNT + offset, name, mimeType, rootFolderId(account));
    if (noBytes !== true) return withContent(file);
    return { ...file, content: { kind: 'generated' as const, key: name, mimeType, size: 0 } };
  });
  const files = [...folders, ...special];
  for (let index = files.length; index < FILES_PER_ACCOUNT; index += 1) {
    const kind = pick(random, KINDS);
    const name = `${pick(random, SUBJECTS)} ${pick(random, TOPICS)} ${index}${kind.extension}`;
    files.push(withContent(makeFile(account, index, name, kind.mimeType, parentOf())));
  }
  return files;
}

const built = new Map<string, DriveFile[]>();

/** Files that are shared from the start: the owner, the index among their files, and the guest with a role. */
const SHARES: readonly { owner: string; index: number; email: string; role: Role }[] = [
  { owner: 'first.user@example.com', index: 30, email: 'second.user@example.com', role: 'commenter' },
  { owner: 'editor@workspace.example', index: 0, email: 'viewer@workspace.example', role: 'reader' },
];

function share(files: DriveFile[], owner: SimAccount): DriveFile[] {
  return files.map((file, index) => {
    const found = SHARES.find((entry) => entry.owner === owner.email && entry.index === index);
    const guest = found === undefined ? undefined : findAccount(found.email);
    if (found === undefined || guest === undefined) return file;
    const view: UserView = {
      starred: false,
      viewedTime: null,
      modifiedTime: null,
      sharedTime: file.modifiedTime,
      sharedBy: owner.sub,
    };
    const permissions = [userPermission(guest, found.role)];
    return { ...file, permissions, users: { ...file.users, [guest.sub]: view } };
  });
}

/** The generated Drive of an account: the same on every start. */
export function generateDrive(account: SimAccount): DriveFile[] {
  const known = built.get(account.sub) ?? share(buildDrive(account), account);
  built.set(account.sub, known);
  return known;
}

const TEAM_DRIVE_ID = `0A${seededText('team drive', 14, ID_ALPHABET)}PVA`;

/** The shared drive of the Workspace domain that is there from the start, with what is in it. */
export function generateSharedDrives(): { drives: SharedDrive[]; files: DriveFile[] } {
  const manager = findAccount('editor@workspace.example');
  const reader = findAccount('viewer@workspace.example');
  if (manager === undefined || reader === undefined) return { drives: [], files: [] };
  const time = new Date(NEWEST_MS - 400 * DAY_MS).toISOString();
  const drive: SharedDrive = {
    id: TEAM_DRIVE_ID,
    name: 'Team projects',
    createdTime: time,
    domain: 'workspace.example',
    themeId: null,
    colorRgb: '#009688',
    backgroundImageLink: 'https://ssl.gstatic.com/team_drive_themes/abacus_background.jpg',
    restrictions: {},
    createdBy: manager.sub,
    requestId: 'generated',
    hiddenBy: [],
    members: [userPermission(manager, 'organizer'), userPermission(reader, 'commenter')],
  };
  const inDrive = (index: number, name: string, mimeType: string, parent: string): DriveFile => {
    const file = newFile({
      id: `1${seededText(`team/${index}`, 32, ID_ALPHABET)}`,
      name,
      mimeType,
      time,
      sub: manager.sub,
    });
    return withContent({ ...file, parents: [parent], ownerSub: null, driveId: drive.id });
  };
  const folder = inDrive(0, 'Plans', FOLDER_TYPE, drive.id);
  const document = inDrive(1, 'Project plan', 'application/vnd.google-apps.document', folder.id);
  const list = inDrive(2, 'Checklist.txt', 'text/plain', drive.id);
  return { drives: [drive], files: [folder, document, list] };
}

/** The My Drive folder itself, which lists never show. */
export function generateRoot(account: SimAccount): DriveFile {
  return {
    ...makeFile(account, -1, 'My Drive', FOLDER_TYPE, ''),
    id: rootFolderId(account),
    parents: [],
    trashed: false,
    trashedTime: null,
    trashedBy: null,
  };
}

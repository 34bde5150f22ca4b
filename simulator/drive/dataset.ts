import type { SimAccount } from '../accounts.ts';
import { between, pick, seededRandom, seededText } from '../random.ts';
import { generateContent } from './generated-content.ts';
import { type DriveFile, FOLDER_TYPE } from './records.ts';

/** Files every account starts with, folders included and the root folder not. */
export const FILES_PER_ACCOUNT = 300;

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
export function rootFolderId(account: SimAccount): string {
  return `0A${seededText(`${account.sub}/root`, 14, ID_ALPHABET)}PVA`;
}

function makeFile(account: SimAccount, index: number, name: string, mimeType: string, parent: string): DriveFile {
  const seed = `${account.sub}/file/${index}`;
  const random = seededRandom(`${seed}/times`);
  const createdMs = NEWEST_MS - between(random, 30, 730) * DAY_MS - between(random, 0, DAY_MS - 1);
  const modifiedMs = createdMs + Math.floor(random() * (NEWEST_MS - createdMs));
  return {
    id: `1${seededText(seed, 32, ID_ALPHABET)}`,
    name,
    mimeType,
    parents: [parent],
    createdTime: new Date(createdMs).toISOString(),
    modifiedTime: new Date(modifiedMs).toISOString(),
    description: '',
    trashed: index % 97 === 50,
    starred: index % 23 === 0,
    content: null,
    version: between(random, 1, 40),
    appProject: null,
    extra: {},
  };
}

function withContent(file: DriveFile): DriveFile {
  const { id, name, mimeType } = file;
  const source = generateContent(id, name, mimeType);
  if (source === undefined) return file;
  return { ...file, content: { kind: 'generated', key: name, mimeType, size: source.length } };
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

/** The generated Drive of an account: the same on every start. */
export function generateDrive(account: SimAccount): DriveFile[] {
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

/** The My Drive folder itself, which lists never show. */
export function generateRoot(account: SimAccount): DriveFile {
  return {
    ...makeFile(account, -1, 'My Drive', FOLDER_TYPE, ''),
    id: rootFolderId(account),
    parents: [],
    trashed: false,
  };
}

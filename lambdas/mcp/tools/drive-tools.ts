import { headerValue } from '../../gateway/core/http-message.ts';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import type { JsonObject } from '../protocol/messages.rules.ts';
import type { ToolResult } from '../protocol/tool.rules.ts';
import { flag, number, text } from './arguments.rules.ts';
import { cut, dataResult, jsonBody, listResult, readPageToken, UNTRUSTED } from './results.rules.ts';
import { bool, choice, definition, FILE_ID, string, whole } from './schemas.ts';
import type { Send, Tool } from './tool.ts';
import { ToolFailure } from './tool-failure.rules.ts';

const FILES = '/drive/v3/files';
const UPLOAD = '/upload/drive/v3/files';
/** Fields of a file that an assistant sees, and no others are asked for. */
const FILE =
  'id,name,mimeType,size,modifiedTime,owners(displayName,emailAddress),parents,shared,trashed,version,webViewLink';
/** Files of shared drives are files like others. */
const ALL_DRIVES = ['supportsAllDrives', 'true'] as const;
const IN_ALL_DRIVES = [ALL_DRIVES, ['includeItemsFromAllDrives', 'true']] as const;

const GOOGLE = 'application/vnd.google-apps.';
/** What documents of Google's own are exported as: text that an assistant reads. */
const EXPORTS: Readonly<Record<string, string>> = {
  [`${GOOGLE}document`]: 'text/markdown',
  [`${GOOGLE}spreadsheet`]: 'text/csv',
  [`${GOOGLE}presentation`]: 'text/plain',
};
/** Media types whose bytes are text. */
const TEXT_TYPES =
  /^(?:text\/[^;]+|application\/(?:json|xml|javascript|ecmascript|x-(?:sh|yaml|httpd-php|sql|ndjson)|yaml|sql|toml|x-javascript|rtf|graphql|ld\+json)|[\w.-]+\/[\w.-]+\+(?:json|xml|yaml))(?:;|$)/i;
/** Bytes of a file that are read. */
const READ_MAX_BYTES = 1024 * 1024;
/** Google exports no more (Drive API, `files.export`). */
const EXPORT_MAX_BYTES = 10 * 1024 * 1024;
/** Characters of a reading, unless fewer are asked for, and at most. */
const READ_CHARACTERS = 20_000;
const READ_MAX_CHARACTERS = 38_000;
/** Characters that a tool writes: with escapes they fit the body of a call. */
const WRITE_MAX_CHARACTERS = 1_000_000;

const READERS = ['drive', 'drive.readonly', 'drive.file'];
const LOOKERS = [...READERS, 'drive.metadata', 'drive.metadata.readonly'];
const WRITERS = ['drive', 'drive.file'];

const fileId = string('Id of the file', { pattern: FILE_ID });
const folderId = string('Id of a folder; default: My Drive', { pattern: FILE_ID });
const pageToken = string('next_page_token of the page before');
const contents = (description: string) => string(description, { maxLength: WRITE_MAX_CHARACTERS });

export const DRIVE_TOOLS: readonly Tool[] = [
  {
    definition: definition(
      'drive_search_files',
      'Search files',
      'reads',
      'Searches Drive by name, contents, type, folder or time. All conditions must hold.',
      {
        name: string('Words of the name'),
        text: string('Words in the contents'),
        mime_type: string('Media type, such as application/pdf', { maxLength: 127 }),
        folder_id: string('Only directly in this folder', { pattern: FILE_ID }),
        modified_after: string('RFC 3339 time', { maxLength: 40 }),
        include_trashed: bool('Also files in the trash'),
        page_size: whole(1, 100, 'Default 50'),
        page_token: pageToken,
      },
    ),
    provider: 'google-drive',
    methods: ['drive.files.list'],
    scopes: LOOKERS,
    async run(args, { send }) {
      const words = text(args, 'text');
      const conditions = [
        contains('name', text(args, 'name')),
        contains('fullText', words),
        equals('mimeType', text(args, 'mime_type')),
        within(text(args, 'folder_id')),
        after(text(args, 'modified_after')),
        flag(args, 'include_trashed') ? '' : 'trashed = false',
      ].filter((condition) => condition !== '');
      // Google sorts no search in contents.
      const order = words === undefined ? [['orderBy', 'modifiedTime desc'] as const] : [];
      return listFiles(args, send, [['q', conditions.join(' and ')], ...order]);
    },
  },
  {
    definition: definition(
      'drive_list_recent_files',
      'List recent files',
      'reads',
      'Lists the files of Drive that were used or changed last, newest first.',
      { page_size: whole(1, 100, 'Default 50'), page_token: pageToken },
    ),
    provider: 'google-drive',
    methods: ['drive.files.list'],
    scopes: LOOKERS,
    run: (args, { send }) =>
      listFiles(args, send, [
        ['q', 'trashed = false'],
        ['orderBy', 'recency desc'],
      ]),
  },
  {
    definition: definition(
      'drive_get_file_metadata',
      'Get a file’s metadata',
      'reads',
      'Gets name, type, size, owners, folder, version, sharing and rights of a file.',
      { 'file_id!': fileId },
    ),
    provider: 'google-drive',
    methods: ['drive.files.get'],
    scopes: LOOKERS,
    async run(args, { send }) {
      const fields = `${FILE},description,permissions(type,role,emailAddress),capabilities(canEdit,canTrash)`;
      return dataResult(await readFile(send, idIn(args), fields));
    },
  },
  {
    definition: definition(
      'drive_read_file_content',
      'Read a file',
      'reads',
      'Reads a text file, or a Google document as Markdown, a spreadsheet’s first sheet as CSV, slides as text. Continue at next_offset.',
      {
        'file_id!': fileId,
        offset: whole(0, EXPORT_MAX_BYTES, 'Characters to pass over'),
        max_characters: whole(1, READ_MAX_CHARACTERS, `Default ${READ_CHARACTERS}`),
      },
    ),
    provider: 'google-drive',
    methods: ['drive.files.get', 'drive.files.get#media', 'drive.files.export'],
    scopes: READERS,
    run: (args, { send }) => readContent(args, send),
  },
  {
    definition: definition(
      'drive_create_file',
      'Create a file',
      'adds',
      'Creates a text or Markdown file, a Google document (content: Markdown), a spreadsheet (content: CSV) or a folder.',
      {
        'name!': string('Its name', { maxLength: 1_000 }),
        'kind!': choice(['text', 'markdown', 'document', 'sheet', 'folder']),
        content: contents('What is in it; none for a folder'),
        folder_id: folderId,
      },
    ),
    provider: 'google-drive',
    methods: ['drive.files.create'],
    scopes: WRITERS,
    run: (args, { send }) => createFile(args, send),
  },
  {
    definition: definition('drive_copy_file', 'Copy a file', 'adds', 'Copies a file; the copy is not shared.', {
      'file_id!': fileId,
      name: string('Name of the copy', { maxLength: 1_000 }),
      folder_id: string('Folder of the copy', { pattern: FILE_ID }),
    }),
    provider: 'google-drive',
    methods: ['drive.files.copy'],
    scopes: WRITERS,
    async run(args, { send }) {
      const answer = await send({
        method: 'POST',
        path: `${FILES}/${idIn(args)}/copy`,
        query: [['fields', FILE], ALL_DRIVES],
        headers: JSON_BODY,
        body: JSON.stringify({ name: text(args, 'name'), ...inFolder(text(args, 'folder_id')) }),
      });
      return dataResult(jsonBody(answer.body));
    },
  },
  {
    definition: definition(
      'drive_update_file_content',
      'Replace a file’s content',
      'changes',
      'Replaces all of a text file, a Google document (content: Markdown) or a spreadsheet (content: CSV), if it is still at expected_version.',
      {
        'file_id!': fileId,
        'content!': contents('All that is to be in it'),
        'expected_version!': string('version of its metadata', { pattern: '^\\d{1,19}$' }),
      },
    ),
    provider: 'google-drive',
    methods: ['drive.files.get', 'drive.files.update'],
    scopes: WRITERS,
    run: (args, { send }) => updateContent(args, send),
  },
  {
    definition: definition(
      'drive_trash_file',
      'Move a file to the trash',
      'changes',
      'Moves a file or folder to the trash, where its owner can restore it for 30 days.',
      {
        'file_id!': fileId,
        expected_version: string('Only if it is still at this version', { pattern: '^\\d{1,19}$' }),
      },
    ),
    provider: 'google-drive',
    methods: ['drive.files.get', 'drive.files.update'],
    scopes: WRITERS,
    async run(args, { send }) {
      const id = idIn(args);
      const expected = text(args, 'expected_version');
      const before = await readFile(send, id, 'version,headRevisionId');
      if (expected !== undefined) assertVersion(before, expected);
      const answer = await send({
        method: 'PATCH',
        path: `${FILES}/${id}`,
        query: [['fields', FILE], ALL_DRIVES],
        headers: JSON_BODY,
        body: JSON.stringify({ trashed: true }),
      });
      return dataResult(jsonBody(answer.body));
    },
  },
];

const JSON_BODY = [['content-type', 'application/json']] as const;

/** Words that stand for something else than a file where an id is expected. */
const NO_IDS = new Set(['trash', 'generateIds', 'generateCseToken']);

/** The file that is meant; its form the schema has seen. */
function idIn(args: JsonObject): string {
  const id = text(args, 'file_id') ?? '';
  if (NO_IDS.has(id)) throw new ToolFailure('invalid_arguments', 'file_id must be the id of a file.');
  return encodeURIComponent(id);
}

async function readFile(send: Send, id: string, fields: string): Promise<JsonObject> {
  const answer = await send({ method: 'GET', path: `${FILES}/${id}`, query: [['fields', fields], ALL_DRIVES] });
  return jsonBody(answer.body);
}

async function listFiles(
  args: JsonObject,
  send: Send,
  query: readonly (readonly [string, string])[],
): Promise<ToolResult> {
  const page = readPageToken(text(args, 'page_token'), number(args, 'page_size', 50));
  const answer = await send({
    method: 'GET',
    path: FILES,
    query: [
      ...query,
      ['pageSize', String(page.pageSize)],
      ['fields', `nextPageToken,files(${FILE})`],
      ...IN_ALL_DRIVES,
      ...(page.token === '' ? [] : [['pageToken', page.token] as const]),
    ],
  });
  const { files, nextPageToken } = jsonBody(answer.body);
  return listResult('files', Array.isArray(files) ? files : [], page, nextPageToken);
}

/** A text in Drive's search language ("Search query terms and operators"). */
function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function contains(field: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : `${field} contains ${quoted(value)}`;
}

function equals(field: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : `${field} = ${quoted(value)}`;
}

function within(folder: string | undefined): string {
  return folder === undefined ? '' : `${quoted(folder)} in parents`;
}

function after(time: string | undefined): string {
  if (time === undefined || time === '') return '';
  if (!Number.isFinite(Date.parse(time))) {
    throw new ToolFailure('invalid_arguments', 'modified_after must be an RFC 3339 time such as 2026-01-31T00:00:00Z.');
  }
  return `modifiedTime > ${quoted(new Date(time).toISOString())}`;
}

function inFolder(folder: string | undefined): { readonly parents?: readonly string[] } {
  return folder === undefined ? {} : { parents: [folder] };
}

function assertVersion(file: JsonObject, expected: string): void {
  if (file.version === expected) return;
  throw new ToolFailure(
    'conflict',
    'The file has changed since you read it, so nothing was done. Read it again before you decide.',
    { expected_version: expected, version: file.version },
  );
}

async function readContent(args: JsonObject, send: Send): Promise<ToolResult> {
  const id = idIn(args);
  const file = await readFile(send, id, 'name,mimeType,size,version');
  const type = typeof file.mimeType === 'string' ? file.mimeType : '';
  const whole = await textOf(send, id, type, Number(file.size ?? 0));
  const offset = number(args, 'offset', 0);
  const characters = [...whole.text];
  const shown = characters.slice(offset, offset + number(args, 'max_characters', READ_CHARACTERS));
  const end = offset + shown.length;
  const about = {
    name: file.name,
    mime_type: type,
    version: file.version,
    offset,
    characters: shown.length,
    total_characters: characters.length,
    ...(end < characters.length ? { next_offset: end } : {}),
    ...(end < characters.length || whole.isCut ? { truncated: true } : {}),
    ...(whole.isCut ? { only_first_bytes: READ_MAX_BYTES } : {}),
  };
  return {
    content: [
      { type: 'text', text: JSON.stringify(about), _meta: UNTRUSTED },
      { type: 'text', text: shown.join(''), _meta: UNTRUSTED },
    ],
    _meta: UNTRUSTED,
  };
}

/** A file's text, of large files the beginning. */
async function textOf(
  send: Send,
  id: string,
  type: string,
  size: number,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const exported = EXPORTS[type];
  if (exported !== undefined) {
    const query = [['mimeType', exported]] as const;
    const answer = await send({ method: 'GET', path: `${FILES}/${id}/export`, query }, EXPORT_MAX_BYTES);
    return { text: decoded(answer.body), isCut: false };
  }
  if (type.startsWith(GOOGLE) || !(TEXT_TYPES.test(type) || type === '')) throw notText(type);
  // A range of nothing cannot be had.
  if (size === 0) return { text: '', isCut: false };
  const answer = await send(
    {
      method: 'GET',
      path: `${FILES}/${id}`,
      query: [['alt', 'media'], ALL_DRIVES],
      headers: [['range', `bytes=0-${READ_MAX_BYTES - 1}`]],
    },
    READ_MAX_BYTES,
  );
  const total = Number(/\/(\d+)$/.exec(headerValue(answer.headers, 'content-range') ?? '')?.[1] ?? answer.body.length);
  const content = decoded(answer.body);
  if (content.includes('\0')) throw notText(type);
  return { text: content, isCut: total > answer.body.length };
}

function notText(type: string): ToolFailure {
  const message = `This file has no text to be read: it is ${type === '' ? 'of no type' : cut(type, 100)}. Its metadata has a link for people.`;
  return new ToolFailure('not_text', message);
}

/** UTF-8, without the rest of a character at the end of what was read. */
function decoded(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes, { stream: true });
}

/** What a kind of file is stored as, and what is sent for it. */
const KINDS: Readonly<Record<string, { readonly stored: string; readonly sent: string }>> = {
  text: { stored: 'text/plain', sent: 'text/plain; charset=UTF-8' },
  markdown: { stored: 'text/markdown', sent: 'text/markdown; charset=UTF-8' },
  document: { stored: `${GOOGLE}document`, sent: 'text/markdown; charset=UTF-8' },
  sheet: { stored: `${GOOGLE}spreadsheet`, sent: 'text/csv; charset=UTF-8' },
};
const FOLDER = `${GOOGLE}folder`;

async function createFile(args: JsonObject, send: Send): Promise<ToolResult> {
  const kind = KINDS[text(args, 'kind') ?? ''];
  const content = text(args, 'content') ?? '';
  const metadata = {
    name: text(args, 'name'),
    mimeType: kind?.stored ?? FOLDER,
    ...inFolder(text(args, 'folder_id')),
  };
  if (kind === undefined && content !== '') throw new ToolFailure('invalid_arguments', 'A folder has no content.');
  const query = [['fields', FILE], ALL_DRIVES] as const;
  // A document without contents is made by its name alone.
  if (kind === undefined || (content === '' && kind.stored.startsWith(GOOGLE))) {
    const body = JSON.stringify(metadata);
    const answer = await send({ method: 'POST', path: FILES, query, headers: JSON_BODY, body });
    return dataResult(jsonBody(answer.body));
  }
  // No text holds its own digest.
  const boundary = `part-${sha256Hex(content).slice(0, 40)}`;
  const part = (type: string, body: string) => `--${boundary}\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
  const answer = await send({
    method: 'POST',
    path: UPLOAD,
    query: [['uploadType', 'multipart'], ...query],
    headers: [['content-type', `multipart/related; boundary=${boundary}`]],
    body: `${part('application/json; charset=UTF-8', JSON.stringify(metadata))}${part(kind.sent, content)}--${boundary}--\r\n`,
  });
  return dataResult(jsonBody(answer.body));
}

async function updateContent(args: JsonObject, send: Send): Promise<ToolResult> {
  const id = idIn(args);
  const file = await readFile(send, id, 'version,headRevisionId,mimeType');
  assertVersion(file, text(args, 'expected_version') ?? '');
  const type = typeof file.mimeType === 'string' ? file.mimeType : '';
  const sent = Object.values(KINDS).find(({ stored }) => stored === type)?.sent ?? type;
  if (sent.startsWith(GOOGLE) || !TEXT_TYPES.test(sent)) throw notText(type);
  const answer = await send({
    method: 'PATCH',
    path: `${UPLOAD}/${id}`,
    query: [['uploadType', 'media'], ['fields', FILE], ALL_DRIVES],
    headers: [['content-type', sent]],
    body: text(args, 'content') ?? '',
  });
  return dataResult(jsonBody(answer.body));
}

import { headerValue } from '../../../gateway/core/http-message.ts';
import { sha256Hex } from '../../../gateway/core/identifiers.ts';
import { isObject, type JsonObject, type ToolResult } from '../../../gateway/server-tools/tool.rules.ts';
import { flag, number, text } from './arguments.rules.ts';
import { readTime } from './calendar-times.rules.ts';
import { cut, dataResult, itemResult, jsonBody, listResult, readPageToken, UNTRUSTED } from './results.rules.ts';
import { bool, choice, definition, FILE_ID, string, whole } from './schemas.ts';
import { charsetOf, type DecodedText, decodedText, isCharset } from './text-content.rules.ts';
import type { Send, Tool } from './tool.ts';
import { ToolFailure } from './tool-failure.rules.ts';

const FILES = '/drive/v3/files';
const UPLOAD = '/upload/drive/v3/files';
/** Fields of a file that an assistant sees, and no others are asked for. */
const FILE =
  'id,name,mimeType,size,modifiedTime,owners(displayName,emailAddress),parents,driveId,shared,trashed,version,webViewLink,shortcutDetails(targetId,targetMimeType)';
/** Files of shared drives are files like others. */
const ALL_DRIVES = ['supportsAllDrives', 'true'] as const;
const IN_ALL_DRIVES = [ALL_DRIVES, ['includeItemsFromAllDrives', 'true']] as const;
/** Without it Google leaves out what of shared drives the user has never opened (Drive API, `corpora`). */
const EVERYWHERE = [['corpora', 'allDrives']] as const;

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

/** A part of a file: the version that it is of, and the characters before it. */
const PART = '^\\d{1,19}\\.\\d{1,8}$';

const READERS = ['drive', 'drive.readonly', 'drive.file'];
const LOOKERS = [...READERS, 'drive.metadata', 'drive.metadata.readonly'];
const WRITERS = ['drive', 'drive.file'];

const fileId = string('Id of the file', { pattern: FILE_ID });
const folderId = string('Id of a folder; default: My Drive', { pattern: FILE_ID });
const pageToken = string('next_page_token of the page before');
const expectedVersion = string('Only if it is still at this version', { pattern: '^\\d{1,19}$' });
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
        shared_drive: string('Only in this shared drive: its name or id', { maxLength: 200 }),
        modified_after: string('Time with offset, such as 2026-01-31T09:00:00Z', { maxLength: 40 }),
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
      const where = await whereIn(text(args, 'shared_drive'), send);
      return listFiles(args, send, [['q', conditions.join(' and ')], ...order, ...where]);
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
      listFiles(args, send, [['q', 'trashed = false'], ['orderBy', 'recency desc'], ...EVERYWHERE]),
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
      return itemResult(await readFile(send, idIn(args), fields));
    },
  },
  {
    definition: definition(
      'drive_read_file_content',
      'Read a file',
      'reads',
      'Reads a text file, or a Google document as Markdown, a spreadsheet’s first sheet as CSV, slides as text. Follows shortcuts.',
      {
        'file_id!': fileId,
        part: string('next_part of the result before', { pattern: PART }),
        max_characters: whole(1, READ_MAX_CHARACTERS, `Default ${READ_CHARACTERS}`),
        charset: string('Of a text that is not UTF-8, such as windows-1252', { maxLength: 40 }),
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
    definition: definition(
      'drive_copy_file',
      'Copy a file',
      'adds',
      'Copies a file. The copy is shared as its folder is, which is the original’s unless folder_id says otherwise.',
      {
        'file_id!': fileId,
        name: string('Name of the copy', { maxLength: 1_000 }),
        folder_id: string('Folder of the copy', { pattern: FILE_ID }),
      },
    ),
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
      'drive_rename_or_move_file',
      'Rename or move a file',
      'changes',
      'Renames a file or folder, moves it to another folder, or both. What is moved is shared as its new folder is.',
      {
        'file_id!': fileId,
        name: string('New name', { maxLength: 1_000 }),
        folder_id: string('New folder; root: My Drive', { pattern: FILE_ID }),
        expected_version: expectedVersion,
      },
    ),
    provider: 'google-drive',
    methods: ['drive.files.get', 'drive.files.update'],
    scopes: WRITERS,
    run: (args, { send }) => renameOrMove(args, send),
  },
  {
    definition: definition(
      'drive_update_file_content',
      'Replace a file’s content',
      'changes',
      'Replaces all of a text file, a Google document (content: Markdown) or a spreadsheet (content: CSV), if it is still as you read it.',
      {
        'file_id!': fileId,
        'content!': contents('All that is to be in it'),
        'expected_version!': string('expected_version of the result that showed the last of its content', {
          pattern: '^w?\\d{1,19}$',
        }),
        replace_unread: bool('Also content that you have not read: expected_version is its version then'),
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
        expected_version: expectedVersion,
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
      ['fields', `nextPageToken,incompleteSearch,files(${FILE})`],
      ...IN_ALL_DRIVES,
      ...(page.token === '' ? [] : [['pageToken', page.token] as const]),
    ],
  });
  const { files, nextPageToken, incompleteSearch } = jsonBody(answer.body);
  const isIncomplete = incompleteSearch === true;
  return listResult('files', Array.isArray(files) ? files : [], page, nextPageToken, isIncomplete ? INCOMPLETE : {});
}

const INCOMPLETE = {
  incomplete_search: true,
  note: 'Google has not searched all shared drives, so files may be missing. Search in one of them with shared_drive.',
};

/** What of Drive is searched: everything, or one shared drive. */
async function whereIn(sharedDrive: string | undefined, send: Send): Promise<readonly (readonly [string, string])[]> {
  if (sharedDrive === undefined || sharedDrive === '') return EVERYWHERE;
  const inDrive = (id: string) => [['corpora', 'drive'] as const, ['driveId', id] as const];
  if (DRIVE_ID.test(sharedDrive)) return inDrive(sharedDrive);
  const answer = await send({
    method: 'GET',
    path: '/drive/v3/drives',
    query: [
      ['q', `name = ${quoted(sharedDrive)}`],
      ['pageSize', '10'],
      ['fields', 'drives(id,name)'],
    ],
  });
  const { drives } = jsonBody(answer.body);
  const ids = Array.isArray(drives) ? drives.flatMap((one) => (isObject(one) ? String(one.id) : [])) : [];
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return inDrive(only);
  throw only === undefined
    ? new ToolFailure('not_found', 'The user sees no shared drive of this name.')
    : new ToolFailure('conflict', 'Several shared drives have this name: send the id of one as shared_drive.', {
        shared_drives: ids,
      });
}

/** Ids of shared drives begin so, which names do not. */
const DRIVE_ID = /^0A[A-Za-z0-9_-]{10,40}$/;

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
  const read = readTime(time);
  if (read?.kind !== 'moment') {
    throw new ToolFailure(
      'invalid_arguments',
      'modified_after must be a time with an offset, such as 2026-01-31T00:00:00+01:00.',
    );
  }
  return `modifiedTime > ${quoted(new Date(read.ms).toISOString())}`;
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

/** A file as a shortcut leads to it. */
interface Target {
  readonly id: string;
  readonly file: JsonObject;
  /** Where the id that was named is one of a shortcut. */
  readonly shortcut: { readonly shortcut_id: string } | Record<string, never>;
}

async function readTarget(args: JsonObject, send: Send, fields: string): Promise<Target> {
  const id = idIn(args);
  const wanted = `${fields},shortcutDetails(targetId)`;
  const file = await readFile(send, id, wanted);
  const { targetId } = isObject(file.shortcutDetails) ? file.shortcutDetails : {};
  if (typeof targetId !== 'string') return { id, file, shortcut: {} };
  const target = encodeURIComponent(targetId);
  return { id: target, file: await readFile(send, target, wanted), shortcut: { shortcut_id: id } };
}

async function readContent(args: JsonObject, send: Send): Promise<ToolResult> {
  const { id, file, shortcut } = await readTarget(args, send, 'name,mimeType,size,version');
  const [partVersion, partOffset] = (text(args, 'part') ?? `${file.version}.0`).split('.');
  if (partVersion !== String(file.version)) {
    const message = 'The file has changed since you read its last part. Read it again from its beginning.';
    throw new ToolFailure('conflict', message, { version: file.version });
  }
  const charset = text(args, 'charset');
  if (charset !== undefined && !isCharset(charset)) {
    throw new ToolFailure('invalid_arguments', 'charset must be the name of a character set, such as windows-1252.');
  }
  const type = typeof file.mimeType === 'string' ? file.mimeType : '';
  const whole = await textOf(send, id, type, Number(file.size ?? 0), charset);
  const offset = Number(partOffset);
  const characters = [...whole.text];
  const shown = characters.slice(offset, offset + number(args, 'max_characters', READ_CHARACTERS));
  const end = offset + shown.length;
  const isLast = end >= characters.length;
  const unread = isLast ? whole.unread : undefined;
  const about = {
    file_id: id,
    ...shortcut,
    name: file.name,
    mime_type: type,
    version: file.version,
    ...(whole.charset === 'utf-8' ? {} : { charset: whole.charset }),
    offset,
    characters: shown.length,
    total_characters: characters.length,
    ...(isLast ? {} : { next_part: `${file.version}.${end}` }),
    ...(isLast && whole.unread === undefined ? {} : { truncated: true }),
    // Anyone who has this has seen all parts: each names the one after it.
    ...(isLast && unread === undefined ? { expected_version: wholeVersion(file) } : {}),
    ...(unread === undefined ? {} : { note: unread }),
  };
  return {
    content: [
      { type: 'text', text: JSON.stringify(about), _meta: UNTRUSTED },
      { type: 'text', text: shown.join(''), _meta: UNTRUSTED },
    ],
    _meta: UNTRUSTED,
  };
}

/** The version of a file whose content was shown as a whole, or is what the assistant wrote. */
function wholeVersion({ version }: JsonObject): string | undefined {
  return version === undefined ? undefined : `w${version}`;
}

/** A file's text as far as it can be read, and what of the file that leaves out. */
interface ReadText extends DecodedText {
  /** Undefined: the text is all that is in the file. */
  readonly unread: string | undefined;
}

async function textOf(
  send: Send,
  id: string,
  type: string,
  size: number,
  charset: string | undefined,
): Promise<ReadText> {
  const exported = EXPORTS[type];
  if (exported !== undefined) {
    const query = [['mimeType', exported]] as const;
    const answer = await send({ method: 'GET', path: `${FILES}/${id}/export`, query }, EXPORT_MAX_BYTES);
    const isSheet = exported === 'text/csv';
    return {
      ...decoded(answer.body, undefined, false),
      unread: isSheet ? 'Only the first sheet is shown.' : undefined,
    };
  }
  if (type.startsWith(GOOGLE) || !(TEXT_TYPES.test(type) || type === '')) throw notText(type);
  // A range of nothing cannot be had.
  if (size === 0) return { text: '', charset: 'utf-8', unread: undefined };
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
  const isCut = total > answer.body.length;
  const content = decoded(answer.body, charset ?? charsetOf(type), isCut);
  if (content.text.includes('\0')) throw notText(type);
  const unread = isCut
    ? `Only the first ${READ_MAX_BYTES} of ${total} bytes can be read.`
    : content.charset === 'utf-8'
      ? undefined
      : 'The file is not UTF-8: replacing its content makes it so.';
  return { ...content, unread };
}

/** @throws ToolFailure for bytes that would be read wrongly */
function decoded(bytes: Uint8Array, charset: string | undefined, isCut: boolean): DecodedText {
  const content = decodedText(bytes, charset, isCut);
  if (content !== undefined) return content;
  const message = `The file is not text in ${charset ?? 'UTF-8'}. If you know its character set, send it as charset, such as windows-1252.`;
  throw new ToolFailure('not_text', message);
}

function notText(type: string): ToolFailure {
  const message = `This file has no text to be read: it is ${type === '' ? 'of no type' : cut(type, 100)}. Its metadata has a link for people.`;
  return new ToolFailure('not_text', message);
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
  return writtenResult(jsonBody(answer.body));
}

/** A file whose content is what the assistant has just written: it may be replaced unread. */
function writtenResult(file: JsonObject): ToolResult {
  return dataResult({ ...file, expected_version: wholeVersion(file) });
}

async function updateContent(args: JsonObject, send: Send): Promise<ToolResult> {
  const { id, file, shortcut } = await readTarget(args, send, 'version,headRevisionId,mimeType,size');
  const expected = text(args, 'expected_version') ?? '';
  assertVersion(file, expected.replace('w', ''));
  if (!expected.startsWith('w') && !flag(args, 'replace_unread') && file.size !== '0') {
    throw new ToolFailure(
      'not_read',
      'You have not read all of this file, and replacing it loses what you have not seen. Read it to its end with drive_read_file_content and send its expected_version, or send replace_unread if nothing of it is to be kept.',
    );
  }
  const type = typeof file.mimeType === 'string' ? file.mimeType : '';
  // A file of its own keeps its media type to the letter; what is sent for a Google document is only the form of the import.
  const sent = type.startsWith(GOOGLE) ? Object.values(KINDS).find(({ stored }) => stored === type)?.sent : type;
  if (sent === undefined || !TEXT_TYPES.test(sent)) throw notText(type);
  const charset = charsetOf(sent);
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new ToolFailure('not_text', `This file’s type says that it is ${charset}, and only UTF-8 can be written.`);
  }
  const answer = await send({
    method: 'PATCH',
    path: `${UPLOAD}/${id}`,
    query: [['uploadType', 'media'], ['fields', FILE], ALL_DRIVES],
    headers: [['content-type', sent]],
    body: text(args, 'content') ?? '',
  });
  return writtenResult({ ...jsonBody(answer.body), ...shortcut });
}

async function renameOrMove(args: JsonObject, send: Send): Promise<ToolResult> {
  const id = idIn(args);
  const [name, wanted] = [text(args, 'name'), text(args, 'folder_id')];
  if (name === undefined && wanted === undefined) {
    throw new ToolFailure('invalid_arguments', 'Send name, folder_id, or both.');
  }
  const before = await readFile(send, id, `${FILE},headRevisionId`);
  const expected = text(args, 'expected_version');
  if (expected !== undefined) assertVersion(before, expected);
  // My Drive goes by two names, and a file cannot leave the folder that it is moved to.
  const folder = wanted === 'root' ? String((await readFile(send, 'root', 'id')).id) : wanted;
  const parents = Array.isArray(before.parents) ? before.parents.map(String) : [];
  const isMoved = folder !== undefined && !parents.includes(folder);
  const isRenamed = name !== undefined && name !== before.name;
  if (!isMoved && !isRenamed) return dataResult(before);
  const answer = await send({
    method: 'PATCH',
    path: `${FILES}/${id}`,
    query: [
      ...(isMoved ? [['addParents', folder] as const] : []),
      ...(isMoved && parents.length > 0 ? [['removeParents', parents.join(',')] as const] : []),
      ['fields', FILE],
      ALL_DRIVES,
    ],
    headers: JSON_BODY,
    body: JSON.stringify(isRenamed ? { name } : {}),
  });
  return dataResult(jsonBody(answer.body));
}

import { multipartUpload } from '../api/call-inside.ts';
import { isRecord } from '../parse.ts';
import {
  boolean,
  integer,
  type McpTool,
  numberArgument,
  pickMembers,
  queryOf,
  requiredText,
  string,
  ToolError,
  type ToolRun,
  textArgument,
} from './tool.ts';

const FILES = '/drive/v3/files';
const READ_SCOPES = ['drive.readonly', 'drive.file'];
const WRITE_SCOPES = ['drive.file'];
const GOOGLE_TYPE = 'application/vnd.google-apps.';
/** Types that a text becomes unless the caller wants it as it is. */
const CONVERSIONS: Readonly<Record<string, string>> = {
  'text/plain': `${GOOGLE_TYPE}document`,
  'text/csv': `${GOOGLE_TYPE}spreadsheet`,
};
const PAGE_SIZE = 10;
const FIELDS =
  'id,name,mimeType,description,parents,size,fileExtension,createdTime,modifiedTime,viewedByMeTime,owners(emailAddress),webViewLink';

const fileId = string('Id of the file.');
const pageSize = integer(`Files of a page; ${PAGE_SIZE} where it is left out.`);
const pageToken = string('nextPageToken of the page before.');

/** A file as these tools show it, from its resource of the REST API. */
function shownFile(file: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [parentId] = Array.isArray(file.parents) ? file.parents : [];
  const [owner] = Array.isArray(file.owners) ? file.owners.filter(isRecord) : [];
  return {
    ...pickMembers({ ...file, title: file.name, parentId, owner: owner?.emailAddress }, [
      ...['id', 'title', 'mimeType', 'description', 'parentId', 'fileExtension', 'owner'],
      ...['createdTime', 'modifiedTime', 'viewedByMeTime'],
    ]),
    ...pickMembers({ fileSize: file.size, viewUrl: file.webViewLink }, ['fileSize', 'viewUrl']),
  };
}

function target(id: string, more = ''): string {
  return `${FILES}/${encodeURIComponent(id)}${more}`;
}

async function fileOf(call: ToolRun, id: string): Promise<Record<string, unknown>> {
  const query = queryOf({ fields: FIELDS, supportsAllDrives: true });
  return (await call.api({ method: 'GET', target: target(id, query) })).resource;
}

async function listFiles(call: ToolRun, more: { q?: string; orderBy?: string }): Promise<Record<string, unknown>> {
  const query = queryOf({
    ...more,
    pageSize: numberArgument(call, 'pageSize', PAGE_SIZE),
    pageToken: textArgument(call, 'pageToken'),
    fields: `nextPageToken,files(${FIELDS})`,
  });
  const { resource } = await call.api({ method: 'GET', target: FILES + query });
  const files = Array.isArray(resource.files) ? resource.files.filter(isRecord).map(shownFile) : [];
  return { files, ...pickMembers(resource, ['nextPageToken']) };
}

/** These tools speak of titles, parents and owners where the REST API's search has names and lists. */
function restQuery(query: string): string {
  return query
    .replaceAll(/\btitle\b(?=\s*(?:=|!=|contains))/g, 'name')
    .replaceAll(/\bparentId\s*=\s*('(?:[^'\\]|\\.)*')/g, '$1 in parents')
    .replaceAll(/\bowner\s*=\s*('(?:[^'\\]|\\.)*')/g, '$1 in owners');
}

/** Bytes of a file, a Google type exported. */
async function bytesOf(call: ToolRun, id: string, exportType: string | undefined): Promise<Buffer> {
  const more =
    exportType === undefined
      ? queryOf({ alt: 'media', supportsAllDrives: true })
      : `/export${queryOf({ mimeType: exportType })}`;
  return (await call.api({ method: 'GET', target: target(id, more) })).bytes;
}

async function readContent(call: ToolRun): Promise<Record<string, unknown>> {
  const id = requiredText(call, 'fileId');
  const file = await fileOf(call, id);
  const type = String(file.mimeType);
  const isGoogles = type.startsWith(GOOGLE_TYPE);
  if (!isGoogles && !/^(?:text\/|application\/(?:json|xml))/.test(type)) {
    throw new ToolError(`A file of type ${type} cannot be read as text. Use download_file_content.`);
  }
  const exportType = type === `${GOOGLE_TYPE}spreadsheet` ? 'text/csv' : 'text/plain';
  const bytes = await bytesOf(call, id, isGoogles ? exportType : undefined);
  return { fileContent: bytes.toString('utf8') };
}

async function downloadContent(call: ToolRun): Promise<Record<string, unknown>> {
  const id = requiredText(call, 'fileId');
  const file = await fileOf(call, id);
  const type = String(file.mimeType);
  const exportType = textArgument(call, 'exportMimeType');
  const isGoogles = type.startsWith(GOOGLE_TYPE);
  if (isGoogles && exportType === undefined) throw new ToolError(`A file of type ${type} needs exportMimeType.`);
  const bytes = await bytesOf(call, id, isGoogles ? exportType : undefined);
  return { id, title: file.name, mimeType: isGoogles ? exportType : type, content: bytes.toString('base64') };
}

/** Creates a file, or with an id gives one a new title and content. */
async function store(call: ToolRun, method: 'POST' | 'PATCH', id?: string): Promise<Record<string, unknown>> {
  const [name, parentId] = [textArgument(call, 'title'), textArgument(call, 'parentId')];
  const [content, given] = [textArgument(call, 'content'), textArgument(call, 'mimeType')];
  const contentType = given ?? 'text/plain';
  const converted = call.args.disableConversionToGoogleType === true ? undefined : CONVERSIONS[contentType];
  const mimeType = method === 'PATCH' ? undefined : (converted ?? contentType);
  const metadata = {
    ...pickMembers({ name, mimeType }, ['name', 'mimeType']),
    ...(parentId === undefined ? {} : { parents: [parentId] }),
  };
  const path = id === undefined ? FILES : target(id);
  const query = { fields: FIELDS, supportsAllDrives: true };
  const sent =
    content === undefined
      ? { target: path + queryOf(query), body: metadata }
      : {
          target: `/upload${path}${queryOf({ uploadType: 'multipart', ...query })}`,
          ...multipartUpload(metadata, Buffer.from(content, 'base64'), contentType),
        };
  return shownFile((await call.api({ method, ...sent })).resource);
}

/** Tools of the Drive server, as its reference lists them in October 2026. */
export const DRIVE_TOOLS: readonly McpTool[] = [
  {
    name: 'search_files',
    title: 'Search files',
    description:
      "Finds files of the user by a query such as title contains 'report' and mimeType = 'text/plain'. Fields: title, fullText, mimeType, modifiedTime, viewedByMeTime, parentId, owner, sharedWithMe.",
    effect: 'read',
    scopes: READ_SCOPES,
    requests: 2,
    self: true,
    inputSchema: { type: 'object', properties: { query: string('What to search for.'), pageSize, pageToken } },
    run: (call) => listFiles(call, { q: `${restQuery(textArgument(call, 'query') ?? '') || 'trashed = false'}` }),
  },
  {
    name: 'list_recent_files',
    title: 'List recent files',
    description: 'Lists the files that the user had to do with last.',
    effect: 'read',
    scopes: READ_SCOPES,
    requests: 1,
    self: true,
    inputSchema: {
      type: 'object',
      properties: {
        orderBy: string('Which time counts.', ['recency', 'lastModified', 'lastModifiedByMe']),
        pageSize,
        pageToken,
      },
    },
    run: (call) => {
      const order = { lastModified: 'modifiedTime desc', lastModifiedByMe: 'modifiedByMeTime desc' };
      const wanted = textArgument(call, 'orderBy');
      const orderBy = wanted === 'lastModified' || wanted === 'lastModifiedByMe' ? order[wanted] : 'recency desc';
      return listFiles(call, { q: 'trashed = false', orderBy });
    },
  },
  {
    name: 'get_file_metadata',
    title: 'Get the metadata of a file',
    description: 'Shows title, type, owner, times and place of a file.',
    effect: 'read',
    scopes: READ_SCOPES,
    requests: 1,
    self: true,
    inputSchema: { type: 'object', properties: { fileId }, required: ['fileId'] },
    run: async (call) => shownFile(await fileOf(call, requiredText(call, 'fileId'))),
  },
  {
    name: 'get_file_permissions',
    title: 'Get the permissions of a file',
    description: 'Lists who may open a file, and in which role.',
    effect: 'read',
    scopes: READ_SCOPES,
    requests: 1,
    self: true,
    inputSchema: { type: 'object', properties: { fileId }, required: ['fileId'] },
    run: async (call) => {
      const fields = 'permissions(id,type,role,emailAddress,domain,displayName)';
      const more = `/permissions${queryOf({ fields, supportsAllDrives: true })}`;
      const { resource } = await call.api({ method: 'GET', target: target(requiredText(call, 'fileId'), more) });
      return { permissions: resource.permissions };
    },
  },
  {
    name: 'read_file_content',
    title: 'Read a file',
    description: 'Reads a file as text. Documents, spreadsheets and presentations are turned into text.',
    effect: 'read',
    scopes: READ_SCOPES,
    requests: 2,
    self: true,
    inputSchema: { type: 'object', properties: { fileId }, required: ['fileId'] },
    run: readContent,
  },
  {
    name: 'download_file_content',
    title: 'Download a file',
    description: 'Gives the bytes of a file in base64. A file of a Google type needs exportMimeType.',
    effect: 'read',
    scopes: READ_SCOPES,
    requests: 2,
    self: true,
    inputSchema: {
      type: 'object',
      properties: { fileId, exportMimeType: string('Type to export a file of a Google type to.') },
      required: ['fileId'],
    },
    run: downloadContent,
  },
  {
    name: 'create_file',
    title: 'Create a file',
    description:
      'Creates a file or a folder. Text becomes a document and comma-separated values a spreadsheet, unless disableConversionToGoogleType is true.',
    effect: 'create',
    scopes: WRITE_SCOPES,
    requests: 1,
    self: true,
    inputSchema: {
      type: 'object',
      properties: {
        title: string('Title of the file.'),
        mimeType: string('Type of the content, or the Google type of an empty file.'),
        content: string('Content in base64.'),
        parentId: string('Folder to put it into; the root folder where it is left out.'),
        disableConversionToGoogleType: boolean('True keeps text and comma-separated values as they are.'),
      },
      required: ['title'],
    },
    run: (call) => store(call, 'POST'),
  },
  {
    name: 'copy_file',
    title: 'Copy a file',
    description: 'Copies a file.',
    effect: 'create',
    scopes: WRITE_SCOPES,
    requests: 1,
    self: true,
    inputSchema: {
      type: 'object',
      properties: { fileId, title: string('Title of the copy.'), parentId: string('Folder to put the copy into.') },
      required: ['fileId'],
    },
    run: async (call) => {
      const [name, parentId] = [textArgument(call, 'title'), textArgument(call, 'parentId')];
      const body = { ...pickMembers({ name }, ['name']), ...(parentId === undefined ? {} : { parents: [parentId] }) };
      const more = `/copy${queryOf({ fields: FIELDS, supportsAllDrives: true })}`;
      const copied = await call.api({ method: 'POST', target: target(requiredText(call, 'fileId'), more), body });
      return shownFile(copied.resource);
    },
  },
];

/** Google's approval guide mentions updates and the trash, its reference has no such tools; the control route `mcp` offers these. */
export const LATER_DRIVE_TOOLS: readonly McpTool[] = [
  {
    name: 'update_file',
    title: 'Update a file',
    description: 'Gives a file a new title or new content.',
    effect: 'change',
    scopes: WRITE_SCOPES,
    requests: 1,
    self: false,
    inputSchema: {
      type: 'object',
      properties: {
        fileId,
        title: string('New title.'),
        mimeType: string('Type of the content.'),
        content: string('New content in base64.'),
      },
      required: ['fileId'],
    },
    run: (call) => store(call, 'PATCH', requiredText(call, 'fileId')),
  },
  {
    name: 'trash_file',
    title: 'Move a file to the trash',
    description: 'Moves a file to the trash.',
    effect: 'delete',
    scopes: WRITE_SCOPES,
    requests: 1,
    self: false,
    inputSchema: { type: 'object', properties: { fileId }, required: ['fileId'] },
    run: async (call) => {
      const more = queryOf({ fields: FIELDS, supportsAllDrives: true });
      const body = { trashed: true };
      const trashed = await call.api({ method: 'PATCH', target: target(requiredText(call, 'fileId'), more), body });
      return shownFile(trashed.resource);
    },
  },
];

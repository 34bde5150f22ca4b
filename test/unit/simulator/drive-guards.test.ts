/** What Drive refuses, and what a list of the user's own corpus leaves out. Each row names where Google's answer is known from. */
import { describe, expect } from 'vitest';
import { control, signIn, test, type User } from './harness.ts';
import { FILES, FIRST, FOLDER, SECOND, VIEWER } from './names.ts';
import { type Json, jsonInit, readJson, record, records, text } from './values.ts';

const ALL = 'supportsAllDrives=true';
const WITH_ALL = `${ALL}&includeItemsFromAllDrives=true`;
const DOCUMENT = 'application/vnd.google-apps.document';
const SHEET = 'application/vnd.google-apps.spreadsheet';

async function refused(user: User, path: string, init: RequestInit = {}): Promise<Json> {
  const response = await user.call(path, init);
  const [first = {}] = records(record((await readJson(response)).error).errors);
  return { status: response.status, ...first };
}

const teamDrive = async (user: User) => text((await user.list('/drive/v3/drives', 'drives'))[0]?.id);
const folderIn = (user: User, parent: string, name = 'folder') =>
  user.make(`${FILES}?${ALL}`, { name, mimeType: FOLDER, parents: [parent] });
const fileIn = (user: User, parent: string, name = 'file.txt') =>
  user.make(`${FILES}?${ALL}`, { name, mimeType: 'text/plain', parents: [parent] });

const PARENT_LIMIT = {
  status: 403,
  domain: 'global',
  reason: 'teamDrivesParentLimit',
  message: 'A shared drive item must have exactly one parent.',
};
const MORE_PARENTS = {
  status: 403,
  reason: 'cannotAddParent',
  message: 'Increasing the number of parents is not allowed',
};

describe('parents', () => {
  test('addParents alone is refused on an item of a shared drive (rclone 9472, googledrive 377)', async ({
    editor,
  }) => {
    const drive = await teamDrive(editor);
    const [file, folder] = [await fileIn(editor, drive), await folderIn(editor, drive)];
    const path = `${FILES}/${file}?${ALL}`;
    expect(await refused(editor, `${path}&addParents=${folder}`, jsonInit('PATCH', {}))).toMatchObject(PARENT_LIMIT);
    expect(await refused(editor, `${path}&removeParents=${drive}`, jsonInit('PATCH', {}))).toMatchObject(PARENT_LIMIT);
    expect(await editor.status(`${path}&addParents=${folder}&removeParents=${drive}`, jsonInit('PATCH', {}))).toBe(200);
  });

  test('addParents alone is refused in My Drive (GAM 1270, PyDrive2 188)', async ({ owner }) => {
    const [file, folder] = [await fileIn(owner, 'root'), await folderIn(owner, 'root')];
    const path = `${FILES}/${file}?addParents=${folder}`;
    expect(await refused(owner, path, jsonInit('PATCH', {}))).toMatchObject(MORE_PARENTS);
    expect(await owner.status(`${path}&removeParents=root`, jsonInit('PATCH', {}))).toBe(200);
    // The error guide: a duplicate parent, and a cycle.
    expect(await refused(owner, path, jsonInit('PATCH', {}))).toMatchObject({ status: 400, reason: 'badRequest' });
    const inner = await folderIn(owner, folder);
    const cycle = `${FILES}/${folder}?addParents=${inner}&removeParents=root`;
    expect(await refused(owner, cycle, jsonInit('PATCH', {}))).toMatchObject({ status: 400, reason: 'badRequest' });
  });

  test('a create and a copy take one folder (GAM 1270, PyDrive2 188)', async ({ owner }) => {
    const parents = [await folderIn(owner, 'root', 'a'), await folderIn(owner, 'root', 'b')];
    const file = await fileIn(owner, 'root');
    expect(await refused(owner, FILES, jsonInit('POST', { name: 'x', parents }))).toMatchObject(MORE_PARENTS);
    const copy = `${FILES}/${file}/copy`;
    expect(await refused(owner, copy, jsonInit('POST', { parents }))).toMatchObject(MORE_PARENTS);
  });

  test.for([
    ['myDriveHierarchyDepthLimitExceeded', 'the error guide; gd-utils 81'],
    ['teamDriveHierarchyTooDeep', 'the error guide'],
  ] as const)('the 101st nested folder is %s (%s)', async ([reason], { owner, editor }) => {
    const inDrive = reason.startsWith('team');
    const user = inDrive ? editor : owner;
    let parent = inDrive ? await teamDrive(editor) : 'root';
    for (let level = 1; level <= 100; level++) parent = await folderIn(user, parent, `level ${level}`);
    const body = { name: 'level 101', mimeType: FOLDER, parents: [parent] };
    expect(await refused(user, `${FILES}?${ALL}`, jsonInit('POST', body))).toMatchObject({ status: 403, reason });
    expect(await user.status(`${FILES}?${ALL}`, jsonInit('POST', { ...body, mimeType: 'text/plain' }))).toBe(200);
    // A move counts the folders that come along.
    const branch = await folderIn(user, inDrive ? await teamDrive(editor) : 'root', 'branch');
    const top = inDrive ? await teamDrive(editor) : 'root';
    const move = `${FILES}/${branch}?${ALL}&addParents=${parent}&removeParents=${top}`;
    expect(await refused(user, move, jsonInit('PATCH', {}))).toMatchObject({ status: 403, reason });
  });

  test('limits that are lowered answer as the error guide says', async ({ simulator, owner, editor }) => {
    const [folder, drive] = [await folderIn(owner, 'root'), await teamDrive(editor)];
    await control(simulator, 'POST', 'limits', { folderChildren: 1 });
    await fileIn(owner, folder);
    const body = (parent: string) => jsonInit('POST', { name: 'x', parents: [parent] });
    expect(await owner.refusal(FILES, body(folder))).toBe('403 numChildrenInNonRootLimitExceeded');
    await control(simulator, 'POST', 'limits', { folderChildren: 500_000, sharedDriveItems: 3, accountItems: 5 });
    expect(await editor.refusal(`${FILES}?${ALL}`, body(drive))).toBe('403 teamDriveFileLimitExceeded');
    expect(await owner.refusal(FILES, body('root'))).toBe('403 activeItemCreationLimitExceeded');
    await control(simulator, 'POST', 'reset');
    const again = await signIn(simulator);
    expect(await again.status(FILES, body('root'))).toBe(200);
  });
});

describe('shared drives', () => {
  const RESTRICTION = {
    status: 403,
    reason: 'teamDrivesSharingRestrictionNotAllowed',
    message: 'Sharing restrictions cannot be set on a shared drive item.',
  };

  test('writersCanShare is refused on their items, and not shown (google-apis-rs 453, GD-Utils 13)', async ({
    editor,
  }) => {
    const drive = await teamDrive(editor);
    const path = `${FILES}/${await fileIn(editor, drive)}`;
    const set = { writersCanShare: false };
    expect(await refused(editor, `${path}?${ALL}`, jsonInit('PATCH', set))).toMatchObject(RESTRICTION);
    const created = jsonInit('POST', { name: 'x', parents: [drive], ...set });
    expect(await refused(editor, `${FILES}?${ALL}`, created)).toMatchObject(RESTRICTION);
    const copied = jsonInit('POST', { parents: [drive], ...set });
    expect(await refused(editor, `${path}/copy?${ALL}`, copied)).toMatchObject(RESTRICTION);
    const shown = await editor.json(`${path}?${ALL}&fields=*`);
    // Drive API v3, "Files": what is not populated for items in shared drives, and what is only there.
    for (const name of ['writersCanShare', 'owners', 'ownedByMe', 'permissions', 'shared']) {
      expect(shown).not.toHaveProperty(name);
    }
    const own = await editor.json(`${FILES}/${await fileIn(editor, 'root')}?fields=*`);
    expect(own).toMatchObject({ writersCanShare: true, ownedByMe: true, shared: false });
    for (const name of ['driveId', 'teamDriveId', 'hasAugmentedPermissions']) expect(own).not.toHaveProperty(name);
  });

  test('moves across their border keep GAM’s and the guide’s reasons', async ({ editor, viewer }) => {
    const drive = await teamDrive(editor);
    const into = `${ALL}&addParents=${drive}&removeParents=root`;
    const move = (user: User, id: string, query = into) =>
      user.refusal(`${FILES}/${id}?${query}`, jsonInit('PATCH', {}));
    const trashed = await fileIn(editor, 'root');
    await editor.patch(`${FILES}/${trashed}`, { trashed: true });
    expect(await move(editor, trashed)).toBe('403 cannotMoveTrashedItemIntoTeamDrive');
    const inDrive = await fileIn(editor, drive);
    await editor.patch(`${FILES}/${inDrive}?${ALL}`, { trashed: true });
    const out = `${ALL}&addParents=root&removeParents=${drive}`;
    expect(await move(editor, inDrive, out)).toBe('403 cannotMoveTrashedItemOutOfTeamDrive');
    expect(await move(editor, await folderIn(editor, 'root'))).toBe('403 teamDrivesFolderMoveInNotSupported');
    const { simulator } = editor;
    const outsider = await signIn(simulator, { account: FIRST });
    const theirs = await fileIn(outsider, 'root');
    await outsider.post(`${FILES}/${theirs}/permissions`, {
      type: 'user',
      role: 'writer',
      emailAddress: 'editor@workspace.example',
    });
    expect(await move(editor, theirs, `${ALL}&addParents=${drive}`)).toBe('403 teamDrivesParentLimit');
    expect(await viewer.status(`${FILES}/${inDrive}?${ALL}`)).toBe(200);
  });
});

describe('the user’s own corpus', () => {
  const names = async (user: User, query: string) =>
    (await user.list(`${FILES}?${query}`, 'files')).map(({ name }) => name);

  test('a list without corpora has no item of a shared drive that the member never opened (centaur 1701, google-drive-mcp 57)', async ({
    simulator,
    editor,
    viewer,
  }) => {
    const drive = await teamDrive(editor);
    const file = await fileIn(editor, drive, 'unopened.txt');
    const q = `q=${encodeURIComponent("name = 'unopened.txt'")}`;
    expect(await names(viewer, `${WITH_ALL}&${q}`)).toEqual([]);
    expect(await names(viewer, `${WITH_ALL}&corpora=user&${q}`)).toEqual([]);
    expect(await names(viewer, `${WITH_ALL}&corpora=allDrives&${q}`)).toEqual(['unopened.txt']);
    expect(await names(viewer, `${WITH_ALL}&corpora=drive&driveId=${drive}&${q}`)).toEqual(['unopened.txt']);
    // "This can change depending on the filter set through the q parameter": children of a folder are found.
    const children = encodeURIComponent(`'${drive}' in parents and name = 'unopened.txt'`);
    expect(await names(viewer, `${WITH_ALL}&q=${children}`)).toEqual(['unopened.txt']);
    // Who made it has it.
    expect(await names(editor, `${WITH_ALL}&${q}`)).toEqual(['unopened.txt']);
    await control(simulator, 'POST', 'opened', { account: VIEWER, fileId: file });
    expect(await names(viewer, `${WITH_ALL}&${q}`)).toEqual(['unopened.txt']);
    await control(simulator, 'POST', 'opened', { account: VIEWER, fileId: file, opened: false });
    expect(await names(viewer, `${WITH_ALL}&${q}`)).toEqual([]);
  });

  test('a link with a resource key opens a file to callers that send the key ("Access link-shared files using resource keys")', async ({
    simulator,
    owner,
    guest,
  }) => {
    const file = await fileIn(owner, 'root');
    await owner.post(`${FILES}/${file}/permissions`, { type: 'anyone', role: 'reader' });
    expect(await guest.status(`${FILES}/${file}`)).toBe(200);
    const { resourceKey } = await control(simulator, 'POST', 'resource-keys', { fileId: file });
    expect(await owner.json(`${FILES}/${file}?fields=resourceKey,linkShareMetadata`)).toEqual({
      resourceKey,
      linkShareMetadata: { securityUpdateEligible: true, securityUpdateEnabled: true },
    });
    expect(await guest.refusal(`${FILES}/${file}`)).toBe('404 notFound');
    const keys = (key: string) => ({ headers: { 'X-Goog-Drive-Resource-Keys': `other/x,${file}/${key}` } });
    expect(await guest.status(`${FILES}/${file}`, keys('wrong'))).toBe(404);
    expect(await guest.status(`${FILES}/${file}`, keys(text(resourceKey)))).toBe(200);
    await control(simulator, 'POST', 'opened', { account: SECOND, fileId: file });
    expect(await guest.status(`${FILES}/${file}`)).toBe(200);
  });
});

test('page tokens of changes count in their own log only (the shared-drives guide; words not known)', async ({
  editor,
}) => {
  const drive = await teamDrive(editor);
  const token = async (query: string) =>
    text((await editor.json(`/drive/v3/changes/startPageToken?${query}`)).startPageToken);
  const [own, ofDrive] = [await token(''), await token(`${ALL}&driveId=${drive}`)];
  const list = (pageToken: string, query: string) =>
    refused(editor, `/drive/v3/changes?pageToken=${pageToken}&${query}`);
  const answer = { status: 400, reason: 'invalid', location: 'pageToken' };
  const inDrive = `${WITH_ALL}&driveId=${drive}`;
  expect(await list(own, inDrive)).toMatchObject(answer);
  expect(await list(ofDrive, WITH_ALL)).toMatchObject(answer);
  await fileIn(editor, drive);
  expect(records((await editor.json(`/drive/v3/changes?pageToken=${ofDrive}&${inDrive}`)).changes)).toHaveLength(1);
});

describe('properties', () => {
  const longest = { ['k'.repeat(20)]: 'é'.repeat(52) };

  test.for(['properties', 'appProperties'])(
    '%s of 125 bytes are refused (Obsidian-Google-Drive 34 and 5)',
    async (kind, { owner }) => {
      const file = `${FILES}/${await owner.make(FILES, { name: 'x', [kind]: longest })}`;
      const over = { [kind]: { ['k'.repeat(21)]: 'é'.repeat(52) } };
      expect(await refused(owner, file, jsonInit('PATCH', over))).toMatchObject({
        status: 403,
        reason: 'propertyLengthLimitExceeded',
        message: expect.stringContaining('124 bytes'),
      });
      expect(await owner.refusal(FILES, jsonInit('POST', over))).toBe('403 propertyLengthLimitExceeded');
    },
  );

  test.for(['properties', 'appProperties'])(
    '31 %s are refused, created or added (a public measurement)',
    async (kind, { owner }) => {
      const some = (from: number, count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${from + at}`, 'v']));
      expect(await owner.refusal(FILES, jsonInit('POST', { [kind]: some(0, 31) }))).toBe(
        '403 propertyCountLimitExceeded',
      );
      const file = `${FILES}/${await owner.make(FILES, { [kind]: some(0, 30) })}`;
      expect(await owner.refusal(file, jsonInit('PATCH', { [kind]: some(30, 1) }))).toBe(
        '403 propertyCountLimitExceeded',
      );
      expect(await owner.status(file, jsonInit('PATCH', { [kind]: { p0: null, p30: 'v' } }))).toBe(200);
    },
  );
});

describe('exports', () => {
  const upload = async (user: User, mimeType: string, from: string, bytes: string) => {
    const body = `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify({ name: 'x', mimeType })}\r\n--b\r\nContent-Type: ${from}\r\n\r\n${bytes}\r\n--b--\r\n`;
    const headers = { 'content-type': 'multipart/related; boundary=b' };
    return text((await user.json('/upload/drive/v3/files?uploadType=multipart', { method: 'POST', headers, body })).id);
  };

  const isTooLarge = async (mimeType: string, { owner }: { owner: User }) => {
    const sheet = await upload(owner, SHEET, 'text/csv', 'abcdefghi\n'.repeat(1_100_000));
    const path = `${FILES}/${sheet}/export?mimeType=${encodeURIComponent(mimeType)}`;
    expect(await refused(owner, path)).toMatchObject({
      status: 403,
      reason: 'exportSizeLimitExceeded',
      message: 'This file is too large to be exported.',
    });
  };
  const tooLarge = 'one of more than 10 MB as %s is refused (nodejs-client 3446, rclone 2357)';
  test.for(['text/csv'])(tooLarge, isTooLarge);
  test.for(['text/tab-separated-values'])(tooLarge, { tags: ['long'] }, isTooLarge);

  test('the limit holds for every format', async ({ simulator, owner }) => {
    const document = await upload(owner, DOCUMENT, 'text/plain', 'some text');
    await control(simulator, 'POST', 'limits', { exportBytes: 1 });
    const { exportFormats } = await owner.json('/drive/v3/about?fields=exportFormats');
    const formats = record(exportFormats)[DOCUMENT];
    expect(formats).toContain('application/pdf');
    for (const format of Array.isArray(formats) ? formats : []) {
      const path = `${FILES}/${document}/export?mimeType=${encodeURIComponent(String(format))}`;
      expect(await owner.refusal(path)).toBe('403 exportSizeLimitExceeded');
    }
  });

  test('a format that Google has not, and Vids, are refused in Google’s words', async ({ owner }) => {
    const document = await owner.make(FILES, { name: 'x', mimeType: DOCUMENT });
    expect(await refused(owner, `${FILES}/${document}/export?mimeType=image/tiff`)).toMatchObject({
      status: 400,
      reason: 'badRequest',
      location: 'convertTo',
      message: 'The requested conversion is not supported.',
    });
    const video = await owner.make(FILES, { name: 'x', mimeType: 'application/vnd.google-apps.vid' });
    expect(await refused(owner, `${FILES}/${video}/export?mimeType=text/plain`)).toMatchObject({
      reason: 'fileNotExportable',
      message: expect.stringContaining('Google Vids'),
    });
  });

  test.for(['# T', '# T\n\nOne **bold** word.\n\n- a\n- b\n\nEnd.'])(
    'a document made of the Markdown %j reads back as it was',
    async (markdown, { owner }) => {
      const id = await upload(owner, DOCUMENT, 'text/markdown', markdown);
      const exported = async (type: string) => (await owner.call(`${FILES}/${id}/export?mimeType=${type}`)).text();
      expect((await exported('text/markdown')).trimEnd()).toBe(markdown);
      expect(await exported('text/plain')).not.toContain('#');
    },
  );
});

test('takes ids of files.generateIds only, and none for a Google document (google-api-go-client 2334)', async ({
  owner,
}) => {
  const ids = async () => {
    const { ids: made } = await owner.json('/drive/v3/files/generateIds?count=3');
    return Array.isArray(made) ? made.map(String) : [];
  };
  const [id, other, third] = await ids();
  const unusable = { status: 400, reason: 'invalid', location: 'file.id' };
  expect(await refused(owner, FILES, jsonInit('POST', { id: 'abcdefghijklmnopqrs' }))).toMatchObject(unusable);
  expect(await refused(owner, FILES, jsonInit('POST', { id: `${id?.slice(0, -1)}!` }))).toMatchObject(unusable);
  expect(await owner.refusal(FILES, jsonInit('POST', { id, mimeType: DOCUMENT }))).toBe('400 generatedIdNotSupported');
  expect(await owner.make(FILES, { id, name: 'x' })).toBe(id);
  expect(await owner.make(FILES, { id: other, mimeType: FOLDER })).toBe(other);
  expect(await owner.make(`${FILES}/${id}/copy`, { id: third })).toBe(third);
  expect(await owner.refusal(FILES, jsonInit('POST', { id: third }))).toBe('409 fileIdInUse');
  const document = await owner.make(FILES, { mimeType: DOCUMENT });
  const [fourth] = await ids();
  const copy = jsonInit('POST', { id: fourth });
  expect(await owner.refusal(`${FILES}/${document}/copy`, copy)).toBe('400 generatedIdNotSupported');
});

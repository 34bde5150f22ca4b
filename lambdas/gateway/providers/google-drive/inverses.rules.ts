import {
  type ApiRequest,
  filled,
  type Inverses,
  type Irreversible,
  isObject,
  isSameMember,
  type JsonObject,
  memberOf,
  type ObjectKind,
  type ObjectRef,
  objectsOf,
  oldValues,
  type PlannedChange,
  textOf,
  type Write,
  type WritingMethod,
} from '../inverse.rules.ts';

const API = '/drive/v3';
const ALL_DRIVES = 'supportsAllDrives=true';

/** Largest old revision that an undo writes back, because it is held in memory. */
export const RESTORED_CONTENT_MAX_BYTES = 16 * 1024 * 1024;

/** Members of a file by their name in a body, where a call can set and read them (Google Drive API, "REST Resource: files"). */
const FILE_MEMBERS: Readonly<Record<string, string>> = {
  name: 'name',
  description: 'description',
  mimeType: 'mimeType',
  starred: 'starred',
  // A file in a trashed folder is trashed, too; the other member shows whether it is trashed itself.
  trashed: 'explicitlyTrashed',
  properties: 'properties',
  appProperties: 'appProperties',
  folderColorRgb: 'folderColorRgb',
  copyRequiresWriterPermission: 'copyRequiresWriterPermission',
  viewersCanCopyContent: 'copyRequiresWriterPermission',
  writersCanShare: 'writersCanShare',
  contentRestrictions: 'contentRestrictions',
  downloadRestrictions: 'downloadRestrictions',
  inheritedPermissionsDisabled: 'inheritedPermissionsDisabled',
  originalFilename: 'originalFilename',
  modifiedTime: 'modifiedTime',
  viewedByMeTime: 'viewedByMeTime',
};
const FILE_WRITE_ONLY = ['contentHints'];
const CONTENT = 'md5Checksum';

const FILE_FIELDS = [
  ...['id', 'version', 'parents', 'trashed', 'size', 'headRevisionId', CONTENT],
  ...new Set(Object.values(FILE_MEMBERS)),
].join();
const FOLDER = 'application/vnd.google-apps.folder';

/** Members that identify a new file. For a folder its contents count instead of its last change. */
const FILE_IDENTITY = ['name', 'mimeType', CONTENT, 'parents', 'explicitlyTrashed', 'description', 'modifiedTime'];

const PERMISSION_FIELDS =
  'id,type,role,emailAddress,domain,allowFileDiscovery,expirationTime,pendingOwner,view,permissionDetails(inherited)';

const file = (id: string): ObjectRef => ({ kind: 'drive.file', ids: [id] });

function fileOf(answer: JsonObject): ObjectRef | undefined {
  const id = textOf(answer, 'id');
  return id === undefined ? undefined : file(id);
}

/** Creates a file, whose id is in the request or in the answer. */
const makesFile: WritingMethod = ({ body }) => {
  const id = textOf(body, 'id');
  return { ...(id === undefined ? {} : { object: file(id) }), made: fileOf, touched: FILE_IDENTITY, makes: true };
};

/** Known members of a body: the name in the body, the name in the file, the value. A body may have thousands of other members. */
function knownMembers(body: JsonObject): readonly (readonly [name: string, member: string, value: unknown])[] {
  return Object.entries(FILE_MEMBERS)
    .filter(([name]) => Object.hasOwn(body, name))
    .map(([name, member]) => [name, member, body[name]]);
}

/** Only named properties change. */
function touchedOf(body: JsonObject): string[] {
  return knownMembers(body).flatMap(([name, member, value]) => {
    const isMap = (name === 'properties' || name === 'appProperties') && isObject(value);
    return isMap ? Object.keys(value).map((key) => `${name}.${key}`) : [member];
  });
}

const updatesFile: WritingMethod = ({ ids: [id = ''], query, body, media }): PlannedChange | Irreversible => {
  if (FILE_WRITE_ONLY.some((name) => body[name] !== undefined)) return 'write_only';
  const touched = touchedOf(body);
  if (query.has('addParents') || query.has('removeParents')) touched.push('parents');
  if (media !== 'none') touched.push(CONTENT, 'mimeType');
  const known = knownMembers(body).flatMap(([name, member, value]): [string, unknown][] =>
    name === 'viewersCanCopyContent' || name === 'contentRestrictions' ? [] : [[member, value]],
  );
  return {
    object: file(id),
    touched: [...new Set(touched)],
    wrote: Object.fromEntries(known),
    ...(media === 'session' ? { byDifference: true } : {}),
  };
};

const FILE: ObjectKind = {
  read: ([id = '']) => `${filled(`${API}/files/{}`, [id])}?${ALL_DRIVES}&fields=${FILE_FIELDS}`,
  version: 'version',
  obstacle({ before, touched }) {
    if (before === null || !touched.includes(CONTENT)) return undefined;
    if (textOf(before, 'headRevisionId') === undefined) {
      return textOf(before, 'mimeType')?.startsWith('application/vnd.google-apps.') === true
        ? 'google_document'
        : 'not_readable';
    }
    return Number(before.size ?? 0) > RESTORED_CONTENT_MAX_BYTES ? 'too_large' : undefined;
  },
  mustBeEmpty([id = ''], current) {
    if (current.mimeType !== FOLDER) return undefined;
    const q = encodeURIComponent(`'${id.replaceAll("'", "\\'")}' in parents and trashed = false`);
    const target = `${API}/files?q=${q}&fields=files(id)&pageSize=100&${ALL_DRIVES}&includeItemsFromAllDrives=true`;
    return { target, of: 'files', kind: 'drive.file' };
  },
  restore({ ids: [id = ''], before, current, touched }) {
    const path = filled(`${API}/files/{}`, [id]);
    if (before === null)
      return [{ method: 'PATCH', target: `${path}?${ALL_DRIVES}&fields=id`, body: { trashed: true } }];
    if (current === null) return 'gone';
    const differs = touched.filter((name) => !isSameMember(before, current, name));
    const requests: ApiRequest[] = [];
    if (differs.includes(CONTENT)) {
      const revision = textOf(before, 'headRevisionId');
      if (revision === undefined) return 'google_document';
      requests.push({
        method: 'PATCH',
        target: `/upload${path}?uploadType=media&${ALL_DRIVES}&fields=id`,
        bytesOf: {
          target: `${filled(`${API}/files/{}/revisions/{}`, [id, revision])}?alt=media`,
          mediaType: textOf(before, 'mimeType') ?? 'application/octet-stream',
        },
      });
    }
    const isContent = differs.includes(CONTENT);
    const members = differs.filter((name) => ![CONTENT, 'parents', ...(isContent ? ['mimeType'] : [])].includes(name));
    const { explicitlyTrashed, contentRestrictions, ...body } = oldValues(before, members);
    if (explicitlyTrashed !== undefined) body.trashed = explicitlyTrashed === true;
    if (contentRestrictions !== undefined) {
      const old = objectsOf(before.contentRestrictions).map(({ readOnly, reason, ownerRestricted }) => ({
        readOnly,
        reason,
        ownerRestricted,
      }));
      body.contentRestrictions = old.length === 0 ? [{ readOnly: false }] : old;
    }
    const places = differs.includes('parents') ? placesOf(before, current) : '';
    if (Object.keys(body).length > 0 || places !== '') {
      requests.push({ method: 'PATCH', target: `${path}?${ALL_DRIVES}&fields=id${places}`, body });
    }
    return requests;
  },
};

/** Restores folders: the former ones are added, the new ones are removed. */
function placesOf(before: JsonObject, current: JsonObject): string {
  const list = (state: JsonObject) => (Array.isArray(state.parents) ? state.parents.map(String) : []);
  const added = list(before).filter((id) => !list(current).includes(id));
  const removed = list(current).filter((id) => !list(before).includes(id));
  const parameter = (name: string, ids: readonly string[]) =>
    ids.length === 0 ? '' : `&${name}=${encodeURIComponent(ids.join())}`;
  return parameter('addParents', added) + parameter('removeParents', removed);
}

const permission = (fileId: string, id: string): ObjectRef => ({ kind: 'drive.permission', ids: [fileId, id] });

const makesPermission: WritingMethod = ({ ids: [fileId = ''], query, body }) => {
  if (body.role === 'owner' || query.get('transferOwnership') === 'true') return 'owner_change';
  return {
    made: (answer) => {
      const id = textOf(answer, 'id');
      return id === undefined ? undefined : permission(fileId, id);
    },
    touched: ['role', 'expirationTime'],
    // A user with a permission gets no second one: the existing one is changed.
    search: {
      target: `${filled(`${API}/files/{}`, [fileId])}?${ALL_DRIVES}&fields=permissionIds,permissions(${PERMISSION_FIELDS})`,
      find: ({ permissions, permissionIds }, { ids: [, id] }) => {
        if (permissions !== undefined) return objectsOf(permissions).find((one) => one.id === id) ?? null;
        // For a file in a shared drive only the ids are available.
        return Array.isArray(permissionIds) && !permissionIds.includes(id) ? null : undefined;
      },
    },
  };
};

const updatesPermission: WritingMethod = ({ ids: [fileId = '', id = ''], query, body }) => {
  if (body.role === 'owner' || body.pendingOwner !== undefined || query.get('transferOwnership') === 'true') {
    return 'owner_change';
  }
  const { role, expirationTime } = body;
  return {
    object: permission(fileId, id),
    touched: ['role', 'expirationTime'],
    wrote: { ...(role === undefined ? {} : { role }), ...(expirationTime === undefined ? {} : { expirationTime }) },
  };
};

const PERMISSION: ObjectKind = {
  read: (ids) => `${filled(`${API}/files/{}/permissions/{}`, ids)}?${ALL_DRIVES}&fields=${PERMISSION_FIELDS}`,
  known: ['role', 'expirationTime'],
  obstacle({ before, after }) {
    const states = [before, after ?? null];
    if (states.some((state) => textOf(state, 'role') === 'owner')) return 'owner_change';
    const isInherited = (state: JsonObject | null) => {
      const details = objectsOf(state?.permissionDetails);
      return details.length > 0 && details.every(({ inherited }) => inherited === true);
    };
    return states.some(isInherited) ? 'inherited' : undefined;
  },
  restore({ ids, before, current }) {
    const path = filled(`${API}/files/{}/permissions/{}`, ids);
    if (before === null) return [{ method: 'DELETE', target: `${path}?${ALL_DRIVES}` }];
    const { type, role, emailAddress, domain, allowFileDiscovery, expirationTime, view } = before;
    if (current === null) {
      const isPerson = type === 'user' || type === 'group';
      // Only these two support omitting the notification.
      const silently = isPerson ? '&sendNotificationEmail=false' : '';
      return [
        {
          method: 'POST',
          target: `${filled(`${API}/files/{}/permissions`, ids)}?${ALL_DRIVES}${silently}&fields=id`,
          body: {
            ...{ type, role, emailAddress, domain, expirationTime, view },
            ...(isPerson ? {} : { allowFileDiscovery }),
          },
        },
      ];
    }
    const ends = expirationTime === undefined;
    const removes = ends && current.expirationTime !== undefined ? '&removeExpiration=true' : '';
    return [
      {
        method: 'PATCH',
        target: `${path}?${ALL_DRIVES}${removes}&fields=id`,
        body: { role, ...(ends ? {} : { expirationTime }) },
      },
    ];
  },
};

const comment = (fileId: string, id: string): ObjectRef => ({ kind: 'drive.comment', ids: [fileId, id] });

const isLeft = (state: JsonObject) => state.deleted !== true;

const COMMENT: ObjectKind = {
  read: (ids) => `${filled(`${API}/files/{}/comments/{}`, ids)}?includeDeleted=true&fields=id,content,resolved,deleted`,
  stateOf: (answer) => (isLeft(answer) ? answer : null),
  mustBeEmpty: (ids) => ({
    target: `${filled(`${API}/files/{}/comments/{}/replies`, ids)}?fields=replies(id)&pageSize=100`,
    of: 'replies',
    kind: 'drive.reply',
  }),
  restore({ ids, before, current, touched }) {
    const path = filled(`${API}/files/{}/comments/{}`, ids);
    if (before === null) return [{ method: 'DELETE', target: path }];
    if (current === null) return 'no_inverse';
    if (touched.includes('resolved')) {
      const action = before.resolved === true ? 'resolve' : 'reopen';
      return [{ method: 'POST', target: `${path}/replies?fields=id`, body: { action } }];
    }
    return [{ method: 'PATCH', target: `${path}?fields=id`, body: { content: before.content } }];
  },
};

const REPLY: ObjectKind = {
  read: (ids) =>
    `${filled(`${API}/files/{}/comments/{}/replies/{}`, ids)}?includeDeleted=true&fields=id,content,deleted,action`,
  stateOf: (answer) => (isLeft(answer) ? answer : null),
  restore({ ids, before, current }) {
    const path = filled(`${API}/files/{}/comments/{}/replies/{}`, ids);
    if (before === null) return [{ method: 'DELETE', target: path }];
    if (current === null) return 'no_inverse';
    return [{ method: 'PATCH', target: `${path}?fields=id`, body: { content: before.content } }];
  },
};

const makesComment: WritingMethod = ({ ids: [fileId = ''] }) => ({
  made: (answer) => {
    const id = textOf(answer, 'id');
    return id === undefined ? undefined : comment(fileId, id);
  },
  touched: ['content'],
  makes: true,
});

const makesReply: WritingMethod = ({ ids: [fileId = '', commentId = ''], body }) => {
  const { action } = body;
  if (action === 'resolve' || action === 'reopen') {
    // Reopens or resolves the thread; the reply that changed it stays, and another one is added.
    return { object: comment(fileId, commentId), touched: ['resolved'], wrote: { resolved: action === 'resolve' } };
  }
  return {
    made: (answer) => {
      const id = textOf(answer, 'id');
      return id === undefined ? undefined : { kind: 'drive.reply', ids: [fileId, commentId, id] };
    },
    touched: ['content'],
    makes: true,
  };
};

const updatesText =
  (kind: string): WritingMethod =>
  ({ ids, body: { content } }) => ({ object: { kind, ids }, touched: ['content'], wrote: { content } });

const DRIVE_FIELDS = 'id,name,colorRgb,hidden,restrictions';
const DRIVE: ObjectKind = {
  read: (ids) => `${filled(`${API}/drives/{}`, ids)}?fields=${DRIVE_FIELDS}`,
  restore({ ids, before, touched }) {
    const path = filled(`${API}/drives/{}`, ids);
    // Google refuses this where the folder has contents.
    if (before === null) return [{ method: 'DELETE', target: path }];
    if (touched.includes('hidden')) {
      return [{ method: 'POST', target: `${path}/${before.hidden === true ? 'hide' : 'unhide'}?fields=id` }];
    }
    return [{ method: 'PATCH', target: `${path}?fields=id`, body: oldValues(before, touched) }];
  },
};

const makesDrive: WritingMethod = () => ({
  made: (answer) => {
    const id = textOf(answer, 'id');
    return id === undefined ? undefined : { kind: 'drive.drive', ids: [id] };
  },
  touched: ['name', 'colorRgb'],
  makes: true,
});

const updatesDrive: WritingMethod = ({ ids, body }) => {
  if (body.themeId !== undefined || body.backgroundImageFile !== undefined) return 'write_only';
  const touched = ['name', 'colorRgb'].filter((name) => body[name] !== undefined);
  const restrictions = isObject(body.restrictions) ? Object.keys(body.restrictions) : [];
  return {
    object: { kind: 'drive.drive', ids },
    touched: [...touched, ...restrictions.map((name) => `restrictions.${name}`)],
    wrote: body,
  };
};

const hides =
  (hidden: boolean): WritingMethod =>
  ({ ids }) => ({ object: { kind: 'drive.drive', ids }, touched: ['hidden'], wrote: { hidden } });

/** How each type of field is written, and the name under which it is read. */
const FIELD_VALUES: Readonly<Record<string, readonly [read: string, write: string]>> = {
  text: ['text', 'setTextValues'],
  integer: ['integer', 'setIntegerValues'],
  dateString: ['dateString', 'setDateValues'],
  selection: ['selection', 'setSelectionValues'],
  user: ['user', 'setUserValues'],
};

const LABELS: ObjectKind = {
  read: (ids) => `${filled(`${API}/files/{}/listLabels`, ids)}?maxResults=100`,
  stateOf: ({ labels }) => Object.fromEntries(objectsOf(labels).map((label) => [String(label.id), fieldsOf(label)])),
  restore({ ids, before, current, touched }) {
    const changes = touched.map((labelId) =>
      labelModification(labelId, memberOf(before, labelId), memberOf(current, labelId)),
    );
    return [
      {
        method: 'POST',
        target: filled(`${API}/files/{}/modifyLabels`, ids),
        body: { labelModifications: changes },
      },
    ];
  },
};

/** Values of a label's fields, except revision counters. */
function fieldsOf({ fields }: JsonObject): JsonObject {
  const known = Object.entries(isObject(fields) ? fields : {}).map(([id, field]) => {
    const type = isObject(field) ? String(field.valueType) : '';
    const values = isObject(field) ? field[FIELD_VALUES[type]?.[0] ?? type] : [];
    const texts = Array.isArray(values) ? values.map((value) => (isObject(value) ? value.emailAddress : value)) : [];
    return [id, { type, texts }];
  });
  return Object.fromEntries(known);
}

function labelModification(labelId: string, before: unknown, current: unknown): JsonObject {
  if (!isObject(before)) return { labelId, removeLabel: true };
  const gone = Object.keys(isObject(current) ? current : {}).filter((id) => before[id] === undefined);
  const fieldModifications = [
    ...Object.entries(before).flatMap(([fieldId, field]) => {
      const write = isObject(field) ? FIELD_VALUES[String(field.type)]?.[1] : undefined;
      return write === undefined || !isObject(field) ? [] : [{ fieldId, [write]: field.texts }];
    }),
    ...gone.map((fieldId) => ({ fieldId, unsetValues: true })),
  ];
  return { labelId, fieldModifications };
}

const modifiesLabels: WritingMethod = ({ ids, body }) => ({
  object: { kind: 'drive.labels', ids },
  touched: objectsOf(body.labelModifications).map(({ labelId }) => String(labelId)),
});

const REVISION_FLAGS = ['keepForever', 'published', 'publishAuto', 'publishedOutsideDomain'];
const REVISION: ObjectKind = {
  read: (ids) => `${filled(`${API}/files/{}/revisions/{}`, ids)}?fields=id,${REVISION_FLAGS.join()}`,
  restore: ({ ids, before, touched }) => [
    {
      method: 'PATCH',
      target: `${filled(`${API}/files/{}/revisions/{}`, ids)}?fields=id`,
      body: Object.fromEntries(touched.map((name) => [name, memberOf(before, name) === true])),
    },
  ],
};

const updatesRevision: WritingMethod = ({ ids, body }) => ({
  object: { kind: 'drive.revision', ids },
  touched: REVISION_FLAGS.filter((name) => body[name] !== undefined),
  wrote: body,
});

const none =
  (reason: Irreversible): WritingMethod =>
  () =>
    reason;

/** Every method of the Drive API that writes (AP-20 lists their inverses). */
export const DRIVE_INVERSES: Inverses = {
  restReasons: /rateLimitExceeded|quotaExceeded/i,
  methods: {
    'drive.files.create': makesFile,
    'drive.files.copy': makesFile,
    'drive.files.update': updatesFile,
    'drive.files.delete': none('permanent'),
    'drive.files.emptyTrash': none('permanent'),
    'drive.files.modifyLabels': modifiesLabels,
    'drive.permissions.create': makesPermission,
    'drive.permissions.update': updatesPermission,
    'drive.permissions.delete': ({ ids: [fileId = '', id = ''] }: Write) => ({
      object: permission(fileId, id),
      touched: ['role', 'expirationTime'],
    }),
    'drive.comments.create': makesComment,
    'drive.comments.update': updatesText('drive.comment'),
    'drive.comments.delete': none('no_inverse'),
    'drive.replies.create': makesReply,
    'drive.replies.update': updatesText('drive.reply'),
    'drive.replies.delete': none('no_inverse'),
    'drive.revisions.update': updatesRevision,
    'drive.revisions.delete': none('permanent'),
    'drive.drives.create': makesDrive,
    'drive.drives.update': updatesDrive,
    'drive.drives.delete': none('permanent'),
    'drive.drives.hide': hides(true),
    'drive.drives.unhide': hides(false),
    'drive.teamdrives.create': makesDrive,
    'drive.teamdrives.update': updatesDrive,
    'drive.teamdrives.delete': none('permanent'),
    'drive.approvals.approve': none('no_inverse'),
    'drive.approvals.cancel': none('no_inverse'),
    'drive.approvals.comment': none('no_inverse'),
    'drive.approvals.decline': none('no_inverse'),
    'drive.approvals.reassign': none('no_inverse'),
    'drive.approvals.start': none('no_inverse'),
    'drive.accessproposals.resolve': none('no_inverse'),
  },
  kinds: {
    'drive.file': FILE,
    'drive.permission': PERMISSION,
    'drive.comment': COMMENT,
    'drive.reply': REPLY,
    'drive.drive': DRIVE,
    'drive.labels': LABELS,
    'drive.revision': REVISION,
  },
};

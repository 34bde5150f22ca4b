import { anything, count, flag, listOf, nullable, number, object, oneOf, recordOf, text } from '../parse.ts';

/** Where a file's bytes come from: made from its id, or uploaded and kept under their SHA-256. */
export const fileContent = object({
  kind: oneOf('generated', 'blob'),
  /** SHA-256 hex of a blob; the first name of a generated file, so that renaming changes no byte. */
  key: text,
  /** MIME type the bytes were made or sent as. */
  mimeType: text,
  size: count,
});
export type FileContent = ReturnType<typeof fileContent>;

/** A file or folder as stored; `describeFile` turns it into the API's File resource. */
export const driveFile = object({
  id: text,
  name: text,
  mimeType: text,
  parents: listOf(text),
  createdTime: text,
  modifiedTime: text,
  description: text,
  trashed: flag,
  starred: flag,
  content: nullable(fileContent),
  version: count,
  /** Cloud project of the app that made it; the `drive.file` scope sees no others. */
  appProject: nullable(text),
  /** Writable members that nothing interprets, such as `properties`. */
  extra: recordOf(anything),
});
export type DriveFile = ReturnType<typeof driveFile>;

/** One entry of an account's change log. */
export const driveChange = object({ seq: count, fileId: text, removed: flag, timeMs: number });
export type DriveChange = ReturnType<typeof driveChange>;

/** Everything in which an account's Drive differs from the generated one. */
export const driveChanges = object({
  files: listOf(driveFile),
  removedIds: listOf(text),
  log: listOf(driveChange),
});
export type DriveChanges = ReturnType<typeof driveChanges>;

/** MIME type of folders. */
export const FOLDER_TYPE = 'application/vnd.google-apps.folder';

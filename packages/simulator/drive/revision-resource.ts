import type { DriveFile, RevisionRecord } from '../state/drive.ts';

/** Every revision of a file's content, oldest first; a generated file has the one it was made with. */
export function revisionsOf(file: DriveFile): RevisionRecord[] {
  if (file.revisions.length > 0) return file.revisions;
  return [
    {
      id: `0B${file.id.slice(0, 26)}1`,
      modifiedTime: file.modifiedTime,
      modifiedBy: file.modifiedBy,
      content: file.content,
      mimeType: file.mimeType,
      originalFilename: file.name,
      keepForever: false,
      published: false,
      publishAuto: false,
      publishedOutsideDomain: false,
    },
  ];
}

/** The revision that is the file's content now. */
export function headRevision(file: DriveFile): RevisionRecord {
  const revisions = revisionsOf(file);
  const head = revisions.at(-1);
  if (head === undefined) throw new Error(`${file.id} has no revision`);
  return head;
}

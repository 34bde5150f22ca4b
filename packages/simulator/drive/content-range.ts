/** What the Content-Range of a session request says. */
export type UploadRange =
  | { kind: 'status'; total: number | undefined }
  | { kind: 'chunk'; start: number /** Included. */; last: number; total: number | undefined }
  | { kind: 'whole' }
  | { kind: 'invalid' };

/** Reads a Content-Range: a chunk, a status query (no byte range), or no header for the whole file; totals may be unknown. */
export function parseUploadRange(header: string | undefined): UploadRange {
  if (header === undefined) return { kind: 'whole' };
  const groups = /^bytes (?:(?<start>\d+)-(?<last>\d+)|\*)\/(?:(?<total>\d+)|\*)$/.exec(header.trim())?.groups;
  if (groups === undefined) return { kind: 'invalid' };
  const total = groups.total === undefined ? undefined : Number(groups.total);
  if (groups.start === undefined || groups.last === undefined) return { kind: 'status', total };
  const start = Number(groups.start);
  const last = Number(groups.last);
  if (last < start || (total !== undefined && last >= total)) return { kind: 'invalid' };
  return { kind: 'chunk', start, last, total };
}

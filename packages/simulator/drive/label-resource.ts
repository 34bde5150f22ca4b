import type { LabelRecord } from '../state/drive.ts';

/** The Label resource of a label on a file. */
export function describeLabel({ id, revisionId, fields }: LabelRecord): Record<string, unknown> {
  return { kind: 'drive#label', id, revisionId, fields };
}

/** Written by `npm run generate` from the folders of the features. */
import type { AuditSubject } from '../model/feature-slots.ts';
import { auditSubject as webhooks } from './webhooks/audit-subject.tsx';

/** What events are about that only a feature has. */
export const AUDIT_SUBJECTS: Readonly<Record<string, AuditSubject>> = { webhooks };

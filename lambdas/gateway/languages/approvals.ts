import { approvalDe } from './approval-de.ts';
import { approvalEn } from './approval-en.ts';
import { approvalEs } from './approval-es.ts';
import { approvalFr } from './approval-fr.ts';
import { approvalJa } from './approval-ja.ts';
import { approvalPt } from './approval-pt.ts';
import type { AllApprovalTexts } from './approval-texts.rules.ts';

/** Texts of the pages of approvals, in all languages. */
export const APPROVAL_TEXTS: AllApprovalTexts = {
  en: approvalEn,
  de: approvalDe,
  fr: approvalFr,
  es: approvalEs,
  pt: approvalPt,
  ja: approvalJa,
};

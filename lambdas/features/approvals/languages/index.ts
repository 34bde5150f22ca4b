import type { AllApprovalTexts } from './approval-texts.rules.ts';
import { approvalDe } from './de.ts';
import { approvalEn } from './en.ts';
import { approvalEs } from './es.ts';
import { approvalFr } from './fr.ts';
import { approvalJa } from './ja.ts';
import { approvalPt } from './pt.ts';

/** Texts of the pages of approvals, in all languages. */
export const APPROVAL_TEXTS: AllApprovalTexts = {
  en: approvalEn,
  de: approvalDe,
  fr: approvalFr,
  es: approvalEs,
  pt: approvalPt,
  ja: approvalJa,
};

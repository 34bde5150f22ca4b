import type { approvalEn } from './approval-en.ts';
import type { Language } from './language.rules.ts';

/** All texts about calls that need a person's approval, in one language. */
export type ApprovalTexts = typeof approvalEn;

/** What a call does, in one sentence; `{name}` and the like are filled in. */
export type SentenceName = keyof ApprovalTexts['sentences'];

/** The texts of every language. */
export type AllApprovalTexts = Readonly<Record<Language, ApprovalTexts>>;

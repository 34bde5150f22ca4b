import type { Language } from '../../../gateway/languages/language.rules.ts';
import type { approvalEn } from './en.ts';

/** All texts about calls that need a person's approval, in one language. */
export type ApprovalTexts = typeof approvalEn;

/** What a call does, in one sentence; `{name}` and the like are filled in. */
export type SentenceName = keyof ApprovalTexts['sentences'];

/** The texts of every language. */
export type AllApprovalTexts = Readonly<Record<Language, ApprovalTexts>>;

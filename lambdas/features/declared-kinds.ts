/** Written by `npm run generate` from the folders of the features. */
import type { DeclaredKind } from '../declared/runner.ts';
import { declaredKind as feeds } from './feeds/declared-kind.ts';
import { declaredKind as webhooks } from './webhooks/declared-kind.ts';

/** Resources of stacks that features declare. */
export const DECLARED_KINDS: Readonly<Record<string, DeclaredKind>> = { feeds, webhooks };

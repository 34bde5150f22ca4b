/** Written by `npm run generate` from the folders of the features. */
import type { BeforeDeletion } from '../gateway/feature-dependencies.ts';
import { beforeDeletion as feeds } from './feeds/before-deletion.ts';
import type { GrantParts } from './grant-parts.ts';

/** Work of features before a connection is deleted. */
export const BEFORE_DELETIONS: Readonly<Record<string, (parts: GrantParts) => BeforeDeletion>> = { feeds };

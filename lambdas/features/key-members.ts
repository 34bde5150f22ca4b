/** Written by `npm run generate` from the folders of the features. */
import type { SecretKeyRecord } from '../gateway/keys/credentials.rules.ts';
import { keyMembers as agents } from './agents/key-members.ts';

/** What features add to a secret key in a response. */
export const keyMembersOfFeatures = (record: SecretKeyRecord) => ({ ...agents(record) });

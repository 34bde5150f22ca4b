import { documented } from '../../gateway/openapi/documented.ts';

/** The member `agent` of a secret key, as an example. */
export const keyExample = documented(() => ({ agent: null }));

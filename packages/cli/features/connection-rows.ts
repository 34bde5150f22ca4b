/** Written by `npm run generate` from the folders of the features. */
import { connectionRows as feeds } from './feeds/connection-rows.ts';

/** Those that come back after the connections that they belong to. */
export const CONNECTION_ROWS = { ...feeds };

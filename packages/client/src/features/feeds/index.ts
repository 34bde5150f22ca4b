export type * from './feed-types.ts';
export { Feeds } from './feeds.ts';

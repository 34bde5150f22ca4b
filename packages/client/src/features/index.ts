/** Written by `npm run generate` from the folders of the features. */
export * from './agents/index.ts';
export * from './approvals/index.ts';
export * from './feeds/index.ts';
export * from './security-events/index.ts';
export * from './undo/index.ts';
export * from './webhooks/index.ts';

/** The gateway's client library, from its sources: the dashboard needs no build of it. */
export * from '../../../client/src/index.ts';

/** The gateway's client library and its browser module, from their sources: the dashboard needs no build of them. */
export { connect } from '../../../client/src/browser/index.ts';
export type { ClientsOfFeatures } from '../../../client/src/features/clients.ts';
export * from '../../../client/src/index.ts';

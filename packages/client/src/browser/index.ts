/** Browser module of the integration gateway: no framework, no dependencies. */
export { connect } from './connect.ts';
export { pick } from './pick.ts';
export type { ConnectOptions, ConnectProblem, ConnectResult, PickedFile, PickResult } from './types.ts';

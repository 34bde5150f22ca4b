/** Browser module of the integration gateway: no framework, no dependencies. */
export { connect } from './connect.ts';
export type { ConnectOptions, ConnectProblem, ConnectResult } from './types.ts';

// @module-tag long
import { afterAll, beforeAll } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { describeErrors } from './nango-errors-suite.ts';
import { describeMethods } from './nango-methods-suite.ts';
import { describeUpstreamFailures } from './nango-upstream-suite.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ stagePrefix: 'v1' });
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

describeMethods('methods of the compatible package at an address with a stage path', () => gateway);
describeErrors('failures the compatible package sees at an address with a stage path', () => gateway);
describeUpstreamFailures('failures below the gateway at an address with a stage path', { stagePrefix: 'v1' });

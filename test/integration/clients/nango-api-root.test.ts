import { afterAll, beforeAll } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { describeErrors } from './nango-errors-suite.ts';
import { describeMethods } from './nango-methods-suite.ts';
import { describeUpstreamFailures } from './nango-upstream-suite.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

describeMethods('methods of the compatible package at an address without a path', () => gateway);
describeErrors('failures the compatible package sees at an address without a path', () => gateway);
describeUpstreamFailures('failures below the gateway at an address without a path', {});

// @module-tag long
import { useTestGateway } from '../../support/use-gateway.ts';
import { describeErrors } from './nango-errors-suite.ts';
import { describeMethods } from './nango-methods-suite.ts';
import { describeUpstreamFailures } from './nango-upstream-suite.ts';

const gateway = useTestGateway();

describeMethods('methods of the compatible package at an address without a path', () => gateway);
describeErrors('failures the compatible package sees at an address without a path', () => gateway);
describeUpstreamFailures('failures below the gateway at an address without a path', {});

// @module-tag long
// @module-tag long
import { useTestGateway } from '../../support/use-gateway.ts';
import { describeErrors } from './nango-errors-suite.ts';
import { describeMethods } from './nango-methods-suite.ts';
import { describeUpstreamFailures } from './nango-upstream-suite.ts';

const gateway = useTestGateway({ stagePrefix: 'v1' });

describeMethods('methods of the compatible package at an address with a stage path', () => gateway);
describeErrors('failures the compatible package sees at an address with a stage path', () => gateway);
describeUpstreamFailures('failures below the gateway at an address with a stage path', { stagePrefix: 'v1' });

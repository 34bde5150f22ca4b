// @module-tag long
import { describeErrors } from './nango-errors-suite.ts';
import { describeMethods } from './nango-methods-suite.ts';
import { describeUpstreamFailures } from './nango-upstream-suite.ts';

describeMethods('methods of the compatible package at an address with a stage path', { stagePrefix: 'v1' });
describeErrors('failures the compatible package sees at an address with a stage path', { stagePrefix: 'v1' });
describeUpstreamFailures('failures below the gateway at an address with a stage path', { stagePrefix: 'v1' });

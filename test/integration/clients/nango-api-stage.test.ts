import { describeErrors } from './nango-errors-suite.ts';
import { describeMethods } from './nango-methods-suite.ts';

describeMethods('methods of the compatible package at an address with a stage path', { stagePrefix: 'v1' });
describeErrors('failures the compatible package sees at an address with a stage path', { stagePrefix: 'v1' });

import { describeProxyCalls } from './nango-suite.ts';

describeProxyCalls('the compatible package at an address with a stage path', { stagePrefix: 'v1' });

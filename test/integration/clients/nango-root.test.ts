import { describeProxyCalls } from './nango-suite.ts';

describeProxyCalls('the compatible package at an address without a path', {});

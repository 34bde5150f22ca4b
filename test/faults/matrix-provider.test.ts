import { flowRows } from './rows/flows.ts';
import { grantRows } from './rows/grants.ts';
import { providerRows } from './rows/provider.ts';
import { describeRows } from './support/describe-rows.ts';

describeRows('provider', [...grantRows, ...providerRows, ...flowRows]);

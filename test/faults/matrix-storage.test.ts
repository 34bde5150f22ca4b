import { eventRows } from './rows/events.ts';
import { partialRows } from './rows/partial.ts';
import { silentServiceRows } from './rows/silent-services.ts';
import { storageRows } from './rows/storage.ts';
import { sweepRows } from './rows/sweep.ts';
import { describeRows } from './support/describe-rows.ts';

describeRows('storage, schedule and events', [
  ...storageRows,
  ...partialRows,
  ...sweepRows,
  ...eventRows,
  ...silentServiceRows,
]);

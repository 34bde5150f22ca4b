/** The way to `tools/test.ts` for one day of open branches. */
import '../tools/test.ts';

/** The calls that fill a proxy process most: the largest bodies that a function's event can carry, one after another. */
import { type FunctionProcess, statusOf } from '../function-process.ts';
import { uploadEventJson } from '../proxy-event.ts';

const UPLOADS = 25;
const UPLOAD_BYTES = 4_400_000;
/** The provider answers after the body has arrived. */
const TARGET = '/upload/drive/v3/files?uploadType=media&delayMs=50';

/** Uploads 25 bodies of 4.4 MB. @throws Error when one is not answered with 200 */
export async function uploadMany(fn: FunctionProcess): Promise<void> {
  const event = uploadEventJson(TARGET, UPLOAD_BYTES);
  for (let made = 0; made < UPLOADS; made++) {
    const answer = await fn.call(event);
    if (statusOf(answer) !== 200) throw new Error(`A measured upload answered ${answer.head}`);
  }
}

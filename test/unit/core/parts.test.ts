import { describe, expect, test } from 'vitest';
import { partsOf } from '../../../lambdas/gateway/core/parts.ts';

/** Work that does what the test says, when it says it. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let report: (part: number) => void = () => {};
  const begun = partsOf<number, string>((given) => {
    report = given;
    return promise;
  });
  return { begun, report: (part: number) => report(part), end: resolve, fail: reject };
}

async function partsIn(begun: ReturnType<typeof work>['begun']) {
  const made = await begun;
  if (!('parts' in made)) throw new Error('There are no parts');
  return made.parts;
}

describe('work that may report parts', () => {
  test('work that may report parts is whole where it ends without any, and throws where it fails', async () => {
    const quiet = work();
    quiet.end('done');
    expect(await quiet.begun).toEqual({ end: 'done' });
    const failing = work();
    failing.fail(new Error('no'));
    await expect(failing.begun).rejects.toThrow('no');
  });

  test('hands each part over while it is under way, in order, and its end last', async () => {
    const { begun, report, end } = work();
    report(1);
    report(2);
    const parts = await partsIn(begun);
    expect([await parts.next(), await parts.next()].map(({ value }) => value)).toEqual([1, 2]);
    const third = parts.next();
    report(3);
    expect(await third).toEqual({ done: false, value: 3 });
    const last = parts.next();
    report(4);
    report(5);
    end('done');
    expect([await last, await parts.next()].map(({ value }) => value)).toEqual([4, 5]);
    expect(await parts.next()).toEqual({ done: true, value: 'done' });
  });

  test('hands over what it reported at once, also where it has ended by then', async () => {
    const parts = await partsIn(
      partsOf<number, string>(async (report) => {
        report(1);
        return 'done';
      }),
    );
    expect([await parts.next(), await parts.next()].map(({ value }) => value)).toEqual([1, 'done']);
  });

  test('hands its parts over before the failure that ends it', async () => {
    const { begun, report, fail } = work();
    report(1);
    fail(new Error('no'));
    const parts = await partsIn(begun);
    expect(await parts.next()).toEqual({ done: false, value: 1 });
    await expect(parts.next()).rejects.toThrow('no');
  });

  test('work that may report parts is carried through for a reader that stops early', async () => {
    const { begun, report, end } = work();
    report(1);
    const parts = await partsIn(begun);
    await parts.next();
    let isLeft = false;
    const left = parts.return('left').then(() => {
      isLeft = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isLeft).toBe(false);
    end('done');
    await left;
  });
});

/** Seconds since the epoch. */
export function nowSec(): number {
  return Math.floor(Date.now() / 1000);
}

/** Waits until something is so. @throws Error naming it when it does not come about in time */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
  pauseMs = 20,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

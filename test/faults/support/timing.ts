/** Seconds since the epoch. */
export function nowSec(): number {
  return Math.floor(Date.now() / 1000);
}

/** Less than half of what a test may take: no measure of speed, it names what did not come although other waits took long. */
const AWAITED_FOR_MS = 110_000;

/** Waits until something is so. @throws Error naming it when it does not come about in time */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  timeoutMs = AWAITED_FOR_MS,
  pauseMs = 20,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

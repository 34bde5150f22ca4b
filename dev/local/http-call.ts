/** One HTTP call to a loopback address, redirects not followed: for seeding and for the runner's own AWS calls. */

export interface HttpReply {
  status: number;
  headers: Headers;
  text: string;
}

const TIMEOUT_MS = 60_000;

/** Sends one request. @throws Error when there is no complete answer within a minute. */
export async function httpCall(
  url: string,
  request: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<HttpReply> {
  const reply = await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

/** The problem of a path to try; undefined when it can be sent. */
export function tryTargetProblem(target: string): string | undefined {
  if (target.trim() === '') return 'Enter a path at the provider, such as /drive/v3/about?fields=user.';
  if (!target.startsWith('/')) return 'Start with a slash; the gateway adds the host.';
  if (target.startsWith('//')) return 'Start with only one slash.';
  if (/\s/.test(target)) return 'Write spaces as %20.';
  if (target.includes('#')) return 'Write # as %23.';
  return undefined;
}

/** A body for reading: JSON indented, anything else unchanged. */
export function prettyBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

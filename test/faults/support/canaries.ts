const WINDOW = 12;
/** So many canaries are looked for in one pass, which bounds the memory a long run needs. */
const BATCH = 1_000;

/**
 * Looks for secrets in a text: in clear, in base64 at any alignment, in base64url and in hex. An excerpt is enough to be found.
 * @param secrets each at least 24 characters long
 * @returns the first secret found, shortened
 */
export function findCanary(text: string, secrets: readonly string[]): string | undefined {
  for (let start = 0; start < secrets.length; start += BATCH) {
    const excerpts = new Map<string, string>();
    for (const secret of secrets.slice(start, start + BATCH)) {
      for (const form of formsOf(secret)) {
        // Every offset of one window: then the text needs to be looked at only once per window.
        const from = Math.floor((form.length - 2 * WINDOW) / 2);
        for (let i = 0; i < WINDOW; i++) excerpts.set(form.slice(from + i, from + i + WINDOW), secret);
      }
    }
    for (let at = 0; at + WINDOW <= text.length; at += WINDOW) {
      const secret = excerpts.get(text.slice(at, at + WINDOW));
      if (secret !== undefined) return `${secret.slice(0, 8)}… near ${text.slice(Math.max(0, at - 40), at)}`;
    }
  }
  return undefined;
}

/** Percent-encoding leaves the letters and digits of these secrets alone, so the clear form covers it. */
function formsOf(secret: string): string[] {
  if (secret.length < 2 * WINDOW) throw new Error('A canary must be longer than two windows');
  const hex = Buffer.from(secret).toString('hex');
  const encoded = [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.from(' '.repeat(shift) + secret);
    return [bytes.toString('base64'), bytes.toString('base64url')];
  });
  return [secret, hex, hex.toUpperCase(), ...encoded];
}

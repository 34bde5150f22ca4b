/** Patterns of policies: `*` for any characters, `?` for one. AWS IAM guide, "IAM JSON policy elements: Resource". */

/** Whether a text matches. */
export type Matcher = (text: string) => boolean;

/** Parts of an ARN: arn, partition, service, region, account; everything behind the fifth colon is the resource. */
const ARN_PARTS = 6;

/** A pattern over whole texts, case-sensitive. */
export function globMatcher(pattern: string): Matcher {
  if (!/[*?]/.test(pattern)) return (text) => text === pattern;
  const expression = new RegExp(`^${[...pattern].map(expressionOf).join('')}$`, 's');
  return (text) => expression.test(text);
}

/**
 * A pattern over ARNs: each part separately, so that no wildcard matches across a colon; only the resource, the last part, may contain
 * colons. `*` matches anything.
 * @throws Error for a pattern with fewer parts than an ARN has.
 */
export function arnMatcher(pattern: string, where: string): Matcher {
  if (pattern === '*') return () => true;
  const wanted = partsOf(pattern);
  if (wanted.length < ARN_PARTS) throw new Error(`${where} is ${pattern}, which is neither "*" nor a whole ARN.`);
  const matchers = wanted.map(globMatcher);
  return (text) => {
    const parts = partsOf(text);
    return parts.length === ARN_PARTS && matchers.every((matches, index) => matches(parts[index] ?? ''));
  };
}

function partsOf(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length <= ARN_PARTS ? parts : [...parts.slice(0, 5), parts.slice(5).join(':')];
}

function expressionOf(character: string): string {
  if (character === '*') return '.*';
  return character === '?' ? '.' : character.replace(/[\\^$.|+()[\]{}/-]/, '\\$&');
}

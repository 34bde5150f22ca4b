/** Parts of the features that a deployment does not leave out. @param parts by the features' ids */
export function included<Part>(
  parts: Readonly<Record<string, Part>>,
  without: ReadonlySet<string> | readonly string[],
): readonly Part[] {
  const left = new Set(without);
  return Object.entries(parts).flatMap(([id, part]) => (left.has(id) ? [] : [part]));
}

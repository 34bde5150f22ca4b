/** Whether two stored values are encrypted under the same data key: both begin with format and key number (`v1.<n>.`). */
export function underSameDataKey(one: string, other: string): boolean {
  return prefixOf(one) === prefixOf(other);
}

function prefixOf(ciphertext: string): string {
  return ciphertext.slice(0, ciphertext.lastIndexOf('.') + 1);
}

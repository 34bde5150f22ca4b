import { type ConnectionRef, connectionRefKey } from './identifiers.ts';

/** A stable number in [0, 1) for a connection: spreads work made at one moment without storing anything. */
export function spread(connection: ConnectionRef): number {
  return fnv1a(connectionRefKey(connection)) / 0x1_0000_0000;
}

/** Partition of the due index a connection belongs to. */
export function dueShardOf(connection: ConnectionRef, shards: number): number {
  return fnv1a(`shard:${connectionRefKey(connection)}`) % shards;
}

/** FNV-1a, 32 bit: spreads, protects nothing. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  // FNV's low bits follow the last characters too closely for short ids; one more mixing step spreads them.
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash >>> 0;
}

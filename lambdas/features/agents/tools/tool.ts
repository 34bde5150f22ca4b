import type { HeaderPairs } from '../../../gateway/core/http-message.ts';
import type { ProviderId } from '../../../gateway/providers/provider.rules.ts';
import type { JsonObject, ToolDefinition, ToolResult } from '../../../gateway/server-tools/tool.rules.ts';

/** One request of a tool to the provider. Nothing of it is an assistant's but single values, each encoded in its place. */
export interface ToolRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path at the provider. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers?: HeaderPairs;
  readonly body?: string;
}

/** What the provider answered: a success, read as far as it may be. */
export interface ToolAnswer {
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/**
 * Sends one request as the connection's user.
 *
 * @param maxBytes of the answer
 * @throws ToolFailure for what the gateway or the provider refuses
 */
export type Send = (request: ToolRequest, maxBytes?: number) => Promise<ToolAnswer>;

/** What a tool needs to know of its call. */
export interface ToolContext {
  readonly send: Send;
  /**
   * Digest that the same arguments of the same caller have within an hour: what is made under it is made once.
   *
   * @param nth 0, or more where what was made under those before was deleted
   */
  readonly onceId: (nth: number) => string;
  readonly nowMs: number;
}

/** A tool: what it is called and takes, what it needs, and the requests that it is. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly provider: ProviderId;
  /** Ids of every method that it may call: a caller that may not call one of them has no such tool. */
  readonly methods: readonly string[];
  /** Scopes of which the connection must have one, without their prefix. */
  readonly scopes: readonly string[];
  /** @param args checked against the definition's schema */
  run(args: JsonObject, context: ToolContext): Promise<ToolResult>;
}

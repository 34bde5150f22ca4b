import type { AgentConnection, KeyLimits, SecretKey } from '../../management/secret-key-types.ts';
import type { CreateAgentBody } from '../../management/wire.ts';

/** A tool of assistants, such as `drive_search_files`. */
export type AgentTool = (CreateAgentBody['tools'] & {})[number];

/** A key for an assistant to make: for an end user's connections, or for these. */
export interface NewAgent {
  name: string;
  /** Your id of the end user. Instead of `connections`. */
  endUserId?: string;
  /** Of the end user's connections, those of these integrations. @default all */
  integrations?: readonly string[];
  /** At most one of each provider. Instead of `endUserId`. */
  connections?: readonly AgentConnection[];
  /** @default all that the limits leave */
  tools?: readonly AgentTool[];
  /** Defaults: reading, 60 calls a minute, 5,000 a day, 30 days. */
  limits?: KeyLimits;
}

/** A key for an assistant that was just made. */
export interface CreatedAgent extends SecretKey {
  /** The key itself, shown this once. */
  readonly agentKey: string;
  /** Where the assistant calls with it. */
  readonly mcpUrl: string;
  /** Warnings before you use the key, such as Google's rule for AI agents; empty from a gateway that sends none. */
  readonly warnings: readonly string[];
}

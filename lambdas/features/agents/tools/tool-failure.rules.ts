import type { JsonObject } from '../../../gateway/server-tools/tool.rules.ts';

/** Why a tool did not do what it was asked, for an assistant to act on. */
export class ToolFailure extends Error {
  readonly code: string;
  readonly details: JsonObject;

  /**
   * @param code of the gateway's errors, or what the provider's status means
   * @param details further members of the answer
   */
  constructor(code: string, message: string, details: JsonObject = {}) {
    super(message);
    this.name = 'ToolFailure';
    this.code = code;
    this.details = details;
  }
}

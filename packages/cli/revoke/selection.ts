import type { ConnectionFilter, GatewayClient } from '../../client/src/index.ts';
import { CommandProblem } from '../problems.ts';

/** Which connections are meant: those of some integrations, or all that the key reaches. */
export type Selection = { readonly kind: 'integrations'; readonly ids: readonly string[] } | { readonly kind: 'all' };

/** Options that name a selection. */
export interface SelectionOptions {
  readonly integration?: readonly string[];
  readonly all?: boolean;
}

/**
 * Reads `--integration` and `--all`: exactly one of them, and integrations that exist.
 *
 * @throws CommandProblem
 */
export async function readSelection(gateway: GatewayClient, options: SelectionOptions): Promise<Selection> {
  const ids = options.integration ?? [];
  if (ids.length > 0 === (options.all === true)) {
    throw new CommandProblem(
      'Choose connections: --integration <id>[,<id>], or --all for all connections of the account.',
    );
  }
  if (ids.length === 0) return { kind: 'all' };
  const known = new Set((await gateway.integrations.list()).map(({ uniqueKey }) => uniqueKey));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new CommandProblem(`There is no integration ${unknown.join(', ')}. There are: ${[...known].join(', ')}.`);
  }
  return { kind: 'integrations', ids };
}

/** The part of a list's filter that keeps to the selection. */
export function filterOf(selection: Selection): Pick<ConnectionFilter, 'integrationId'> {
  return selection.kind === 'all' ? {} : { integrationId: selection.ids };
}

/** The selection in words. */
export function describeSelection(selection: Selection): string {
  return selection.kind === 'all' ? 'every integration of the account' : selection.ids.join(', ');
}

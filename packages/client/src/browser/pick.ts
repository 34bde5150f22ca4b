import { connect } from './connect.ts';
import type { ConnectOptions, PickResult } from './types.ts';

/**
 * Lets the user select files: `connect` for a session that was made with `pick`. Call it straight from a click.
 *
 * @throws as `connect`
 */
export async function pick(options: ConnectOptions): Promise<PickResult> {
  const result = await connect(options);
  switch (result.status) {
    case 'connected':
      if (result.picked === undefined) return { status: 'failed', ...NO_PICK };
      return {
        status: 'picked',
        providerConfigKey: result.providerConfigKey,
        integrationId: result.integrationId,
        connectionId: result.connectionId,
        files: result.picked,
      };
    case 'confirmation_required':
      return { status: 'failed', ...NO_PICK };
    case 'closed':
      return { status: 'cancelled' };
    default:
      return result;
  }
}

const NO_PICK = {
  errorType: 'no_pick',
  message: 'The session was made for connecting, not for selecting files: make it with pick.',
};

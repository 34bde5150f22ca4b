import { connectInFrame } from './frame.ts';
import { connectInPopup } from './popup.ts';
import type { ConnectOptions, ConnectResult } from './types.ts';

/**
 * Lets the user connect an account: opens the gateway's connect page and resolves when the session is over or the user
 * has closed the window. The page's origin must be among the deployment's `connectAllowedOrigins`.
 *
 * @throws TypeError for a base URL that is none, the signal's reason, or what `sessionToken` throws
 */
export async function connect(options: ConnectOptions): Promise<ConnectResult> {
  if (!/^https?:\/\//.test(options.baseUrl) || !URL.canParse(options.baseUrl)) {
    throw new TypeError(
      `baseUrl must be the gateway's address, such as https://gateway.example.com, not ${JSON.stringify(options.baseUrl)}.`,
    );
  }
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  return options.mode === 'frame' ? connectInFrame(options, baseUrl) : connectInPopup(options, baseUrl);
}

import type { DescribedPath } from '../gateway/openapi/operation.ts';
import { htmlAnswer, pageOperation, textParameter } from '../gateway/openapi/path-parts.ts';

/** The redirect URI in the API's document. */
export const CALLBACK_PATHS: readonly DescribedPath[] = [
  {
    pattern: '/oauth/callback',
    describe: () => () => ({
      get: pageOperation('callback', 'Receive the browser back from the provider', {
        description:
          'Register this address as a redirect URI of your OAuth client. The page reports the result to the window that opened it.',
        parameters: [
          textParameter('state', 'query', true, 'Identifies the authorization; works once.'),
          textParameter('code', 'query', false, 'From the provider, if the user agreed.'),
          textParameter(
            'picked_file_ids',
            'query',
            false,
            'From the provider’s file picker; used only if the session asked for files.',
          ),
          textParameter('error', 'query', false, 'From the provider, if the user did not agree or something failed.'),
        ],
        responses: {
          '200': htmlAnswer('Connected.'),
          '303': { description: 'Asked for without a query, by a reload or the way back: to the connect page.' },
          '400': htmlAnswer('Not connected: the page says why and what to do.'),
        },
      }),
    }),
  },
];

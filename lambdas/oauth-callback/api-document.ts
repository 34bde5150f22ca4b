import type { DescribedPath } from '../gateway/openapi/operation.ts';
import { htmlAnswer, pageOperation, textParameter } from '../gateway/openapi/path-parts.ts';

/** What the API's document says of the redirect URI. */
export const CALLBACK_PATHS: readonly DescribedPath[] = [
  {
    pattern: '/oauth/callback',
    describe: () => () => ({
      get: pageOperation('callback', 'Receive the browser back from the provider', {
        description:
          'Register it as a redirect URI of your OAuth client. It tells the window that opened it how it went.',
        parameters: [
          textParameter('state', 'query', true, 'Names the authorization; counts once.'),
          textParameter('code', 'query', false, 'From the provider, when the user agreed.'),
          textParameter(
            'picked_file_ids',
            'query',
            false,
            'From the provider’s file picker; read where the session asked for it.',
          ),
          textParameter('error', 'query', false, 'From the provider, when not.'),
        ],
        responses: {
          '200': htmlAnswer('Connected.'),
          '400': htmlAnswer('Not connected: the page says why and what to do.'),
        },
      }),
    }),
  },
];

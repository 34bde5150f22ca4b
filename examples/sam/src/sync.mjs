import { GatewayClient } from '@integration-gateway/client';

/** Invoke it with `{"connectionId": "…"}`. The role of the function is the caller: there is no key. */
export const handler = async ({ connectionId }) => {
  const { data } = await new GatewayClient().get({
    ...{ providerConfigKey: 'sam-drive', connectionId, endpoint: '/drive/v3/files' },
    params: { fields: 'files(id,name)' },
  });
  return data;
};

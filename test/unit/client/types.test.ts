import { auth, drive } from '@googleapis/drive';
import type { AwsCredentialIdentityProvider } from '@smithy/types';
import { describe, expectTypeOf, it } from 'vitest';
import {
  type AwsCredentialsProvider,
  GatewayClient,
  type GatewayError,
  googleAuth,
  type ItemSequence,
  type Page,
} from '../../../packages/client/src/index.ts';
import { CONNECTION } from './stub.ts';

// Read by the compiler; nothing here is sent.
const client = new GatewayClient({ baseUrl: 'https://gateway.example', secretKey: 'sk_x' });
const call = { ...CONNECTION, endpoint: '/drive/v3/files' };

describe('the types', () => {
  it('the types give data the shape of its response type', () => {
    const answers = {
      plain: () => client.get(call),
      named: () => client.post<{ id: string }>({ ...call, data: { a: 1 } }),
      text: () => client.get({ ...call, responseType: 'text' }),
      bytes: () => client.get({ ...call, responseType: 'arrayBuffer' }),
      stream: () => client.proxy({ ...call, method: 'GET', responseType: 'stream' }),
    };
    expectTypeOf<Awaited<ReturnType<typeof answers.plain>>['data']>().toBeUnknown();
    expectTypeOf<Awaited<ReturnType<typeof answers.named>>['data']>().toEqualTypeOf<{ id: string }>();
    expectTypeOf<Awaited<ReturnType<typeof answers.text>>['data']>().toBeString();
    expectTypeOf<Awaited<ReturnType<typeof answers.bytes>>['data']>().toEqualTypeOf<ArrayBuffer>();
    expectTypeOf<Awaited<ReturnType<typeof answers.stream>>['data']>().toExtend<
      ReadableStream<Uint8Array<ArrayBuffer>> & AsyncIterable<Uint8Array<ArrayBuffer>>
    >();
  });

  it('the types carry the type of the entries through pages', () => {
    expectTypeOf(client.items<{ id: string }>(call)).toEqualTypeOf<ItemSequence<{ id: string }>>();
    expectTypeOf(client.pages<{ id: string }>(call)).toMatchTypeOf<AsyncIterable<Page<{ id: string }>>>();
  });

  it('the types take the providers of credentials of AWS’s SDK', () => {
    expectTypeOf<AwsCredentialIdentityProvider>().toExtend<AwsCredentialsProvider>();
  });

  it('the types refuse what the gateway refuses', () => {
    // @ts-expect-error: a connection is required
    void (() => client.get({ endpoint: '/drive/v3/files', providerConfigKey: 'x' }));
    // @ts-expect-error: there is no such method
    void (() => client.proxy({ ...call, method: 'TRACE' }));
    // @ts-expect-error: a list has no body
    void (() => client.pages({ ...call, data: {} }));
    // @ts-expect-error: a provider is named
    void (() => client.integrations.createQuickstart({ uniqueKey: 'x' }));
  });

  it('the types accept an auth in the clients of the package its OAuth2 is from', () => {
    const options = { baseUrl: 'https://gateway.example', secretKey: 'sk_x', integrationId: 'i', connectionId: 'c' };
    const made = googleAuth({ OAuth2: auth.OAuth2, ...options });
    expectTypeOf(made).toEqualTypeOf<InstanceType<typeof auth.OAuth2>>();
    expectTypeOf(drive).toBeCallableWith({ version: 'v3', auth: made });
  });

  it('the types tell errors apart', () => {
    expectTypeOf<GatewayError['connection']>().extract<object>().toHaveProperty('likelyCauses');
    expectTypeOf<GatewayError['mayHaveBeenApplied']>().toBeBoolean();
  });
});

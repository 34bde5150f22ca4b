import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { tableClient } from '../../../support/table.ts';
import { findCanary } from '../canaries.ts';
import type { FaultWorld } from '../fault-world.ts';
import type { ProviderRequest } from '../ledger.ts';

/** Where an access token may go, by integration. */
const API_PATHS: Readonly<Record<string, RegExp>> = {
  'google-drive': /^\/(?:drive|upload\/drive|batch\/drive)\//,
  'google-calendar': /^\/(?:calendar|batch\/calendar)\//,
};

/**
 * I5: each token reached only its provider's hosts and paths, in its own place of the request, and only for the connection
 * it belongs to; no credential of the gateway reached the provider.
 *
 * @throws AssertionError
 */
export function checkDestinations(world: FaultWorld, requests: readonly ProviderRequest[]): void {
  const host = new URL(world.gateway.gateway.simulatorUrl ?? '').host;
  const owners = new Map(world.transcripts.all.map(({ tag, key }) => [tag, key]));
  for (const request of requests) {
    const { facts, tag } = request;
    const place = `${request.method} ${facts.path}`;
    const text = JSON.stringify([request.target, request.headers]);
    assert.ok(!text.includes(world.gateway.gateway.secretKey), `I5: the secret key reached ${place}`);
    if (facts.tokenSha256 === undefined || facts.tokenKind === 'code') continue;
    assert.equal(request.host, host, `I5: ${place}`);
    const owner = world.ledger.ownerOf(facts.tokenSha256);
    if (facts.tokenKind === 'refresh') {
      assert.equal(request.method, 'POST', `I5: ${place}`);
      assert.ok(
        facts.origin === 'token' && ['/token', '/revoke'].includes(facts.path),
        `I5: refresh token at ${place}`,
      );
      continue;
    }
    const token = world.ledger.issued.get(facts.tokenSha256)?.token ?? '';
    assert.equal(text.split(token).length, 2, `I5: an access token outside Authorization at ${place}`);
    const allowed = API_PATHS[owner?.split(' ')[0] ?? ''];
    if (allowed !== undefined && facts.origin === 'api') assert.match(facts.path, allowed, `I5: ${owner}`);
    if (tag !== undefined) assert.equal(owner, owners.get(tag), `I5: ${place} for another connection's caller`);
  }
}

/**
 * I6: no secret stands in the table, the functions' logs, the bus or the trigger's files, be it unencrypted, in base64 or in hex.
 * Secrets are tokens, client secrets, secret keys, tokens of push channels, sync tokens, and secrets of webhooks.
 *
 * @throws AssertionError
 */
export async function checkCanaries(world: FaultWorld): Promise<void> {
  const { gateway } = world.gateway;
  const secrets = [
    gateway.secretKey,
    ...clientSecrets(gateway.dataDir),
    ...[...world.ledger.issued.values()].map(({ token }) => token),
    ...world.ledger.channels.flatMap(({ token }) => token ?? []),
    ...new Set(world.ledger.requests.flatMap(({ target }) => syncTokenOf(target))),
    ...world.endpoints.map(({ secret }) => secret.replace('whsec_', '')),
  ];
  assert.ok(secrets.length > 2, 'I6: there are no canaries');
  const places = {
    'the table': await dumpTable(world),
    'the logs': gateway
      .logs()
      .map(({ text }) => text)
      .join('\n'),
    'the bus': JSON.stringify(gateway.events),
    'the place in the stream': positions(gateway.dataDir),
  };
  for (const [place, text] of Object.entries(places)) {
    assert.equal(findCanary(text, secrets), undefined, `I6: ${place}`);
  }
}

/** Places in a Drive's history are numbers too short to be looked for. */
function syncTokenOf(target: string): string[] {
  const token = new URLSearchParams(target.split('?')[1]).get('syncToken') ?? '';
  return token.length >= 24 ? [token] : [];
}

async function dumpTable(world: FaultWorld): Promise<string> {
  const items: unknown[] = [];
  const pages = paginateScan({ client: tableClient(world.gateway) }, { TableName: world.gateway.gateway.tableName });
  for await (const { Items = [] } of pages) items.push(...Items);
  return JSON.stringify(items);
}

/** Secrets of the OAuth clients, from the file of the emulated secret store. */
function clientSecrets(dataDir: string): string[] {
  return filesIn(dataDir, /secret/i).flatMap((text) => text.match(/GOCSPX-[\w-]{20,}/g) ?? []);
}

function positions(dataDir: string): string {
  return filesIn(dataDir, /pipe|stream|position/i).join('\n');
}

function filesIn(folder: string, name: RegExp): string[] {
  return readdirSync(folder)
    .filter((file) => name.test(file) && statSync(join(folder, file)).isFile())
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

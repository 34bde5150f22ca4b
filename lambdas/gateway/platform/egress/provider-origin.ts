import { isIP } from 'node:net';
import { isPublicAddress } from './address-guard.ts';

/** An origin taken apart for a socket. */
export interface ProviderOrigin {
  readonly secure: boolean;
  readonly hostname: string;
  /** Value of the Host header: with the port where it is not the scheme's own. */
  readonly host: string;
  readonly port: number | undefined;
  /** False for an address written as a number that is not on the public internet, unless loopback is allowed. */
  readonly mayBeCalled: boolean;
}

/** Takes origins apart, each once: they are the deployment's, so there are few. */
export function originReader(allowLoopback: boolean): (origin: string) => ProviderOrigin {
  const known = new Map<string, ProviderOrigin>();
  return (origin) => {
    const found = known.get(origin);
    if (found !== undefined) return found;
    const read = readOrigin(origin, allowLoopback);
    known.set(origin, read);
    return read;
  };
}

function readOrigin(origin: string, allowLoopback: boolean): ProviderOrigin {
  const { protocol, hostname, host, port } = new URL(origin);
  const literal = hostname.replace(/^\[|\]$/g, '');
  return {
    secure: protocol === 'https:',
    hostname,
    host,
    port: port === '' ? undefined : Number(port),
    mayBeCalled: allowLoopback || isIP(literal) === 0 || isPublicAddress(literal),
  };
}

/** Capabilities that depend on the gateway's address. */
export const CAPABILITIES = ['app_verification', 'push_messages', 'security_events', 'connect_page'] as const;

/** A capability that is limited or missing with the gateway's current address. */
export interface DomainLoss {
  readonly capability: (typeof CAPABILITIES)[number];
  /** Whether an own domain is enough, or it must also be verified for the OAuth client's Cloud project. */
  readonly needs: 'own_domain' | 'verified_domain';
  readonly what: string;
}

/** The effect of the gateway's address on its capabilities. */
export interface DomainCheck {
  readonly host: string;
  /** Whether ownership can be proven: not AWS's, and not this computer's. */
  readonly own: boolean;
  /** With an own domain only those that need it verified, which only Google's console shows. */
  readonly losses: readonly DomainLoss[];
}

/** Capabilities that only Google has: other providers neither verify apps by their domain nor send messages or security events. */
const GOOGLES_OWN: ReadonlySet<DomainLoss['capability']> = new Set([
  'app_verification',
  'push_messages',
  'security_events',
]);

const LOSSES: readonly DomainLoss[] = [
  {
    capability: 'app_verification',
    needs: 'verified_domain',
    what: 'Google does not verify an app whose redirect URI is on a domain that is not verified for its project. Without verification, users see a warning, and at most 100 can connect.',
  },
  {
    capability: 'push_messages',
    needs: 'verified_domain',
    what: 'Google may refuse to send push messages to this address. Feeds then poll every five minutes: no change is lost, but changes arrive later, and a feed costs 72 times as much.',
  },
  {
    capability: 'security_events',
    needs: 'verified_domain',
    what: 'Google sends security events only to hosts below an authorized domain of the Cloud project. Without them, an ended grant is noticed at its next refresh, and its cause is usually a guess.',
  },
  {
    capability: 'connect_page',
    needs: 'own_domain',
    what: 'End users see the connect page and reconnect links under this address instead of a familiar one.',
  },
];

/**
 * Judges the gateway's address.
 * @param isGoogle whether the provider is one of Google's
 * @throws TypeError for an invalid URL
 */
export function checkDomain(address: string, isGoogle: boolean): DomainCheck {
  const { hostname } = new URL(address);
  const own = !isForeignHost(hostname);
  const losses = LOSSES.filter(
    ({ needs, capability }) => (!own || needs === 'verified_domain') && (isGoogle || !GOOGLES_OWN.has(capability)),
  );
  return { host: hostname, own, losses };
}

/** Hosts whose ownership cannot be proven: AWS's, and this computer. */
function isForeignHost(hostname: string): boolean {
  return hostname.endsWith('.amazonaws.com') || hostname === 'localhost' || hostname === '127.0.0.1';
}

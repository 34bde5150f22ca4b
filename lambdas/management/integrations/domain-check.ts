/** Something that works less well, or not at all, as long as the gateway's address is what it is. */
export interface DomainLoss {
  readonly capability: 'app_verification' | 'push_messages' | 'connect_page';
  /** A domain of one's own is enough, or it must be verified for the OAuth client's Cloud project besides. */
  readonly needs: 'own_domain' | 'verified_domain';
  readonly what: string;
}

/** What the gateway's address means for what it can do. */
export interface DomainCheck {
  readonly host: string;
  /** Whether its owner can prove to own it: not AWS's, and not this computer's. */
  readonly own: boolean;
  /** With a domain of one's own only what needs it verified, which nothing but Google's console shows. */
  readonly losses: readonly DomainLoss[];
}

const LOSSES: readonly DomainLoss[] = [
  {
    capability: 'app_verification',
    needs: 'verified_domain',
    what: 'Google verifies no app whose redirect URI is on a domain that is not verified for its project. Without verification users see a warning, and at most 100 may connect.',
  },
  {
    capability: 'push_messages',
    needs: 'verified_domain',
    what: 'Google may refuse to send messages of feeds to it. Such feeds poll every five minutes: no change is lost, but each is later, and a feed costs 72 times as much.',
  },
  {
    capability: 'connect_page',
    needs: 'own_domain',
    what: 'End users see the connect page, and reconnect links, under this address instead of one they know.',
  },
];

/** Judges the address that the gateway is served under. @throws TypeError for what is no URL */
export function checkDomain(address: string): DomainCheck {
  const { hostname } = new URL(address);
  const own = !isForeignHost(hostname);
  return { host: hostname, own, losses: LOSSES.filter(({ needs }) => !own || needs === 'verified_domain') };
}

/** Hosts that nobody can prove to own: AWS's, and this computer. */
function isForeignHost(hostname: string): boolean {
  return hostname.endsWith('.amazonaws.com') || hostname === 'localhost' || hostname === '127.0.0.1';
}

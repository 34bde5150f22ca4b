/** Where endpoints that customers name may be. */
export interface EndpointTargets {
  /** Hosts of the gateway itself, with their port where they have one: what it sends must not return to it. */
  readonly ownHosts: readonly string[];
  /** On a laptop: addresses of this computer, also by http and on any port. */
  readonly allowLoopback: boolean;
}

import type { Feature } from '../feature.rules.ts';

/** Google's statements about accounts and tokens, and the connections that they concern ([security-events.md](../../../docs/security-events.md)). */
export const feature = {
  id: 'security-events',
  title: 'Google’s security events of accounts and tokens',
  paths: ['security-events'],
  messagePaths: ['/inbox/google/security-events'],
  events: ['SecurityEventsRegistered', 'SecurityEventsRemoved', 'ConnectionSecurityEvent'],
  eventMembers: ['security_event', 'stated_reason', 'stated_at'],
  metrics: {
    /** One statement of the provider about accounts or tokens. Dimension: `outcome` (`kept`, `repeated`, `refused`, `unknown_type`). */
    securityEvent: 'SecurityEvent',
    /** A statement was kept, but its work could not be started: the next sweep does it. */
    securityEventWakeFailed: 'SecurityEventWakeFailed',
    /** The work that follows from a statement failed: it is tried again. */
    securityEventWorkFailed: 'SecurityEventWorkFailed',
  },
  alarms: [
    { metric: 'SecurityEventWorkFailed', entry: 'failing-items', signal: 'TicketLasting' },
    { metric: 'SecurityEventWakeFailed', entry: 'failing-items', signal: 'TicketLasting' },
  ],
  attention: ['security_events'],
  environment: {
    /** Name of the function that refreshes tokens. Inbox function. */
    refreshFunctionName: 'REFRESH_FUNCTION_NAME',
  },
  tags: { 'Security events': 'Which Cloud projects Google states security events of accounts and tokens for.' },
  families: { evidence: 'EVIDENCE', securityEvent: 'SECURITYEVENT', securityProject: 'SECURITYPROJECT' },
  rights: {
    // Statements only after a check of Google's signature.
    inbox: { GetItem: ['securityProject'], PutItem: ['securityEvent'], UpdateItem: ['evidence', 'securityProject'] },
    management: { DeleteItem: ['securityProject'], UpdateItem: ['securityProject'] },
    refresh: { DeleteItem: ['securityProject'], UpdateItem: ['securityEvent', 'securityProject'] },
  },
  duePartitions: { securityEvents: 256 },
  statements: [
    {
      title: 'Security events',
      statements: {
        'RI-2':
          'A security event is accepted only with Google’s signature, its exact issuer and a client of the project as audience; `exp` is not looked at.',
        'RI-5': 'A project’s security events count as verified only once Google has sent the text that was asked for.',
        'RI-10':
          'A security event ends no connection: it makes the gateway ask Google, and one that is older than the consent, or than a later refresh that Google granted, proves nothing.',
        'RI-11': 'The same security event twice has one effect.',
        'RI-12':
          'A forged security event is refused and writes nothing: unsigned, signed with the public key, another key or issuer, addressed to a project that is not registered, or an ID token.',
        'RI-13': 'A security event is acknowledged only after it is stored.',
        'RI-14': 'No part of a token is stored to recognise it by: what a security event names is kept as a digest.',
        'RI-15':
          'The key of the service account that registers the receiver never reaches the gateway: the command signs on the operator’s computer.',
        'RI-16':
          'Tokens that Google says it has revoked are erased once Google refuses them, and a restore does not bring them back.',
      },
    },
  ],
} as const satisfies Feature;

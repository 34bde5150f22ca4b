import type { ProviderDefinition } from '../provider.rules.ts';
import { acme } from './server.ts';

/** Acme's notes: two methods. */
export const provider: ProviderDefinition<'acme-notes'> = {
  id: 'acme-notes',
  displayName: 'Acme Notes',
  place: 4,
  docsUrl: 'https://docs.acme.example/notes',
  logoUrl: 'https://docs.acme.example/notes.svg',
  categories: ['notes'],
  server: acme,
  console: { clientsUrl: 'https://accounts.acme.example/clients' },
  apiPaths: [{ prefix: '/notes/v1/' }],
  uploadPathPrefixes: [],
  batchPaths: [],
  batchMaxParts: 0,
  batchPartPrefixes: [],
  defaultScopes: ['offline_access', 'notes.read'],
  pathPatterns: ['/notes/v1/notes', '/notes/v1/notes/{}'],
  healthCheckPath: '/notes/v1/notes?limit=1',
  firstCall: '/notes/v1/notes',
  sampleCalls: [{ label: 'Notes', target: '/notes/v1/notes' }],
  scopes: [
    { scope: 'offline_access', reviewClass: 'non-sensitive', meaning: 'Keep the access while you are away.' },
    { scope: 'profile.read', reviewClass: 'non-sensitive', meaning: 'Know which Acme account this is.' },
    { scope: 'notes.read', reviewClass: 'non-sensitive', meaning: 'See your notes.' },
    { scope: 'notes.write', reviewClass: 'non-sensitive', meaning: 'Write notes for you.' },
  ],
};

export {
  type SecurityEventProject,
  type SecurityEventSetup,
  SecurityEvents,
} from './security-events.ts';

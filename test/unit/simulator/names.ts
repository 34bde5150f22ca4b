/** Who and what the tests of the simulator speak of: its client, its accounts, scopes and addresses. */
import type { SimulatorClient } from '../../../packages/simulator/index.ts';

export const CLIENT: SimulatorClient = {
  clientId: '123456789012-gateway.apps.googleusercontent.com',
  clientSecret: 'a-client-secret',
  redirectUris: ['https://gateway.example/oauth/callback', 'https://gateway.example/other?kept=1'],
};
/** Another client of the same Cloud project. */
export const SIBLING = { ...CLIENT, clientId: '123456789012-sibling.apps.googleusercontent.com' };
/** A client of the same Cloud project that is marked as an agent's. */
export const AGENT = { ...CLIENT, clientId: '123456789012-agent.apps.googleusercontent.com', agentic: true };
export const REDIRECT_URI = 'https://gateway.example/oauth/callback';

export const FIRST = 'first.user@example.com';
export const SECOND = 'second.user@example.com';
export const EDITOR = 'editor@workspace.example';
export const VIEWER = 'viewer@workspace.example';
export const TEAM = 'team@workspace.example';

export const DRIVE = 'https://www.googleapis.com/auth/drive';
export const CALENDAR = 'https://www.googleapis.com/auth/calendar';
export const USERINFO_EMAIL = 'https://www.googleapis.com/auth/userinfo.email';

export const FILES = '/drive/v3/files';
export const CALENDARS = '/calendar/v3/calendars';
export const EVENTS = `${CALENDARS}/primary/events`;
export const LIST = '/calendar/v3/users/me/calendarList';
export const HOLIDAYS = 'en.usa#holiday@group.v.calendar.google.com';
export const FOLDER = 'application/vnd.google-apps.folder';

export const DAY_SEC = 86_400;

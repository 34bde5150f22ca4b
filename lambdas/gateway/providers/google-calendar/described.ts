import type { DescribedMethod, Members } from '../described-methods.rules.ts';

const RULE: Members = { kind: 'none', etag: 'none', role: 'none|freeBusyReader|reader|writer|owner' };
const RULE_QUERY: Members = { sendNotifications: 'flag' };

const CALENDAR: Members = {
  kind: 'none',
  etag: 'none',
  summary: 'text',
  description: 'text',
  location: 'text',
  timeZone: 'zone',
  autoAcceptInvitations: 'flag',
  conferenceProperties: { allowedConferenceSolutionTypes: ['text'] },
};

const REMINDERS: Members = { method: 'email|popup', minutes: 'number' };
const LISTED: Members = {
  kind: 'none',
  etag: 'none',
  backgroundColor: 'text',
  foregroundColor: 'text',
  colorId: 'text',
  defaultReminders: [REMINDERS],
  notificationSettings: {
    notifications: [{ method: '|email', type: 'eventCreation|eventChange|eventCancellation|eventResponse|agenda' }],
  },
  hidden: 'flag',
  selected: 'flag',
  summaryOverride: 'text',
};
/** Members of a listed calendar that Google fills in and clients send back. */
const LISTED_BY_GOOGLE: Members = {
  id: 'none',
  accessRole: 'none',
  primary: 'none',
  summary: 'none',
  description: 'none',
  location: 'none',
  timeZone: 'none',
  conferenceProperties: 'none',
  dataOwner: 'none',
};
const LISTED_QUERY: Members = { colorRgbFormat: 'none' };

const MAILS: Members = { sendUpdates: 'all|externalOnly|none', sendNotifications: 'flag' };
const TWO_MAILS = ['?sendUpdates', '?sendNotifications'] as const;
const EVENT_QUERY: Members = { conferenceDataVersion: '0|1', eventLabelVersion: '0|1', supportsAttachments: 'flag' };
const CHANGED_EVENT_QUERY: Members = {
  ...EVENT_QUERY,
  ...MAILS,
  alwaysIncludeEmail: 'none',
  maxAttendees: 'none',
};

const EVENT: Members = {
  kind: 'none',
  etag: 'none',
  summary: 'text',
  description: 'text',
  location: 'text',
  start: 'moment',
  end: 'moment',
  recurrence: ['text'],
  attendees: 'guests',
  anyoneCanAddSelf: 'flag',
  guestsCanInviteOthers: 'flag',
  guestsCanModify: 'flag',
  guestsCanSeeOtherGuests: 'flag',
  visibility: 'default|public|private|confidential',
  transparency: 'opaque|transparent',
  status: 'confirmed|tentative|cancelled',
  colorId: 'text',
  eventLabelId: 'text',
  reminders: { useDefault: 'flag', overrides: [REMINDERS] },
  source: { title: 'text', url: 'text' },
  attachments: [{ fileId: 'id', fileUrl: 'text', title: 'text', mimeType: 'text', iconLink: 'none' }],
  extendedProperties: { private: 'texts', shared: 'texts' },
  conferenceData: {
    conferenceId: 'text',
    notes: 'text',
    signature: 'text',
    conferenceSolution: { key: { type: 'text' }, name: 'text', iconUri: 'none' },
    createRequest: {
      requestId: 'text',
      conferenceSolutionKey: { type: 'text' },
      status: 'none',
    },
    entryPoints: [
      {
        entryPointType: 'video|phone|sip|more',
        uri: 'text',
        label: 'text',
        pin: 'text',
        accessCode: 'text',
        meetingCode: 'text',
        passcode: 'text',
        password: 'text',
        regionCode: 'text',
        entryPointFeatures: ['text'],
      },
    ],
  },
  eventType: 'default|birthday|focusTime|fromGmail|outOfOffice|workingLocation',
  focusTimeProperties: { autoDeclineMode: 'text', chatStatus: 'text', declineMessage: 'text' },
  outOfOfficeProperties: { autoDeclineMode: 'text', declineMessage: 'text' },
  workingLocationProperties: {
    type: 'homeOffice|officeLocation|customLocation',
    homeOffice: 'none',
    customLocation: { label: 'text' },
    officeLocation: { buildingId: 'text', deskId: 'text', floorId: 'text', floorSectionId: 'text', label: 'text' },
  },
  birthdayProperties: { contact: 'text', customTypeName: 'text', type: 'text' },
  sequence: 'number',
};
/** Members of an event that Google fills in and clients send back. */
const EVENT_BY_GOOGLE: Members = {
  created: 'none',
  creator: 'none',
  hangoutLink: 'none',
  htmlLink: 'none',
  locked: 'none',
  privateCopy: 'none',
  updated: 'none',
};
const CHANGED_EVENT: Members = {
  ...EVENT,
  ...EVENT_BY_GOOGLE,
  id: 'same_id',
  iCalUID: 'none',
  organizer: 'none',
  originalStartTime: 'none',
  recurringEventId: 'none',
};

/** Every writing method of the Calendar API with the description of its calls for a person (AP-30). */
export const DESCRIBED_IN_CALENDAR: Readonly<Record<string, DescribedMethod>> = {
  'acl.insert': {
    call: 'POST calendars/{calendar}/acl',
    query: RULE_QUERY,
    body: { ...RULE, scope: { type: 'default|user|group|domain', value: 'address_or_domain' } },
    needs: ['role', 'scope.type'],
    implies: [
      ['scope.type=user', 'scope.value~@'],
      ['scope.type=group', 'scope.value~@'],
      ['scope.type=domain', 'scope.value!~@'],
    ],
    never: [['scope.type=default', 'scope.value']],
  },
  'acl.patch': {
    call: 'PATCH calendars/{calendar}/acl/{rule}',
    query: RULE_QUERY,
    body: { ...RULE, id: 'same_id', scope: 'same_scope' },
  },
  'acl.update': {
    call: 'PUT calendars/{calendar}/acl/{rule}',
    query: RULE_QUERY,
    body: { ...RULE, id: 'same_id', scope: 'same_scope' },
    needs: ['role'],
  },
  'acl.delete': { call: 'DELETE calendars/{calendar}/acl/{rule}' },
  'calendarList.insert': {
    call: 'POST users/me/calendarList',
    query: LISTED_QUERY,
    body: { ...LISTED, id: 'calendar' },
    needs: ['id'],
  },
  'calendarList.patch': {
    call: 'PATCH users/me/calendarList/{calendar}',
    query: LISTED_QUERY,
    body: { ...LISTED, ...LISTED_BY_GOOGLE },
  },
  'calendarList.update': {
    call: 'PUT users/me/calendarList/{calendar}',
    query: LISTED_QUERY,
    body: { ...LISTED, ...LISTED_BY_GOOGLE },
  },
  'calendarList.delete': { call: 'DELETE users/me/calendarList/{calendar}' },
  'calendars.insert': { call: 'POST calendars', body: CALENDAR },
  'calendars.patch': { call: 'PATCH calendars/{calendar}', body: { ...CALENDAR, id: 'none' } },
  'calendars.update': { call: 'PUT calendars/{calendar}', body: { ...CALENDAR, id: 'none' } },
  'calendars.clear': { call: 'POST calendars/{calendar}/clear' },
  'calendars.delete': { call: 'DELETE calendars/{calendar}' },
  'calendars.transferOwnership': {
    call: 'POST calendars/{calendar}/transferOwnership',
    query: { newDataOwner: 'address', useAdminAccess: 'flag' },
    needs: ['?newDataOwner'],
  },
  'events.insert': {
    call: 'POST calendars/{calendar}/events',
    query: { ...EVENT_QUERY, ...MAILS, maxAttendees: 'none' },
    body: { ...EVENT, ...EVENT_BY_GOOGLE, id: 'id' },
    never: [TWO_MAILS],
  },
  'events.import': {
    call: 'POST calendars/{calendar}/events/import',
    query: EVENT_QUERY,
    body: {
      ...EVENT,
      ...EVENT_BY_GOOGLE,
      iCalUID: 'text',
      organizer: { email: 'address', displayName: 'text' },
      originalStartTime: 'moment',
    },
  },
  'events.quickAdd': {
    call: 'POST calendars/{calendar}/events/quickAdd',
    query: { ...MAILS, text: 'text' },
    needs: ['?text'],
    never: [TWO_MAILS],
  },
  'events.patch': {
    call: 'PATCH calendars/{calendar}/events/{event}',
    query: CHANGED_EVENT_QUERY,
    body: { ...CHANGED_EVENT, attendeesOmitted: 'flag' },
    // With attendeesOmitted Google changes only the participant's own response.
    implies: [['attendeesOmitted=true', 'attendees.0']],
    only: [['attendeesOmitted=true', ['attendeesOmitted', 'attendees']]],
    never: [TWO_MAILS, ['attendeesOmitted=true', 'attendees.1']],
  },
  'events.update': {
    call: 'PUT calendars/{calendar}/events/{event}',
    query: CHANGED_EVENT_QUERY,
    body: CHANGED_EVENT,
    never: [TWO_MAILS],
  },
  'events.delete': {
    call: 'DELETE calendars/{calendar}/events/{event}',
    query: MAILS,
    never: [TWO_MAILS],
  },
  'events.move': {
    call: 'POST calendars/{calendar}/events/{event}/move',
    query: { ...MAILS, destination: 'calendar' },
    needs: ['?destination'],
    never: [TWO_MAILS],
  },
};

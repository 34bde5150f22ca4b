import { ApiError } from '../api/envelope.ts';
import { isRecord } from '../parse.ts';
import { sha256Hex } from '../random.ts';
import type { EventResource, JsonObject } from '../state/calendar.ts';

function invalidConference(message: string): ApiError {
  return new ApiError({ code: 400, reason: 'invalid', message });
}

/** A code such as `abc-defg-hij`, the same for the same request. */
function meetingCode(requestId: string): string {
  const letters = [...sha256Hex(requestId).slice(0, 10)].map((digit) =>
    String.fromCharCode('a'.charCodeAt(0) + Number.parseInt(digit, 16)),
  );
  const text = letters.join('');
  return `${text.slice(0, 3)}-${text.slice(3, 7)}-${text.slice(7)}`;
}

function createMeeting(request: JsonObject, eventId: string): JsonObject {
  const { requestId, conferenceSolutionKey } = request;
  if (typeof requestId !== 'string' || requestId === '') throw invalidConference('Missing conference request id.');
  const type = isRecord(conferenceSolutionKey) ? conferenceSolutionKey.type : 'hangoutsMeet';
  if (type !== 'hangoutsMeet') throw invalidConference('Invalid conference type value.');
  const conferenceId = meetingCode(`${eventId} ${requestId}`);
  const uri = `https://meet.google.com/${conferenceId}`;
  return {
    createRequest: { requestId, conferenceSolutionKey: { type }, status: { statusCode: 'success' } },
    entryPoints: [{ entryPointType: 'video', uri, label: uri.slice('https://'.length) }],
    conferenceSolution: {
      key: { type },
      name: 'Google Meet',
      iconUri:
        'https://fonts.gstatic.com/s/i/productlogos/meet_2020q4/v6/web-512dp/logo_meet_2020q4_color_2x_web_512dp.png',
    },
    conferenceId,
  };
}

/**
 * The conference members of an event after a write with `conferenceDataVersion=1`. A `createRequest` makes a Google Meet
 * conference at once; Google may take a moment.
 * @param sent the body's `conferenceData`: `undefined` leaves what there is, `null` removes it
 * @throws {ApiError} 400 for a kind of conference that the calendar does not offer, or data without entry points
 */
export function conferenceMembers(sent: unknown, before: EventResource | undefined, eventId: string): JsonObject {
  if (sent === undefined) return keptConference(before);
  if (sent === null) return {};
  if (!isRecord(sent)) throw invalidConference('Invalid conference data.');
  if (isRecord(sent.createRequest)) {
    const current = isRecord(before?.conferenceData) ? before.conferenceData : undefined;
    const known = isRecord(current?.createRequest) ? current.createRequest.requestId : undefined;
    // The same request id again asks for nothing new.
    const data =
      current !== undefined && known === sent.createRequest.requestId
        ? current
        : createMeeting(sent.createRequest, eventId);
    return withLink(data);
  }
  const hasEntries = Array.isArray(sent.entryPoints) && sent.entryPoints.length > 0;
  if (!hasEntries || !isRecord(sent.conferenceSolution)) throw invalidConference('Invalid conference data.');
  return withLink(sent);
}

/** The conference members that an event has. */
export function keptConference(event: EventResource | undefined): JsonObject {
  const { conferenceData, hangoutLink } = event ?? {};
  return {
    ...(conferenceData === undefined ? {} : { conferenceData }),
    ...(hangoutLink === undefined ? {} : { hangoutLink }),
  };
}

function withLink(conferenceData: JsonObject): JsonObject {
  const entries = Array.isArray(conferenceData.entryPoints) ? conferenceData.entryPoints.filter(isRecord) : [];
  const key = isRecord(conferenceData.conferenceSolution) ? conferenceData.conferenceSolution.key : undefined;
  const video = entries.find(({ entryPointType }) => entryPointType === 'video');
  const isMeet = isRecord(key) && key.type === 'hangoutsMeet';
  return { conferenceData, ...(isMeet && video !== undefined ? { hangoutLink: video.uri } : {}) };
}

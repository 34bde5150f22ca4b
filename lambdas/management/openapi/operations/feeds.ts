import { success } from '../answers/common.ts';
import { feed, feedChanges, feedPage, movedCursor } from '../answers/feeds.ts';
import type { Operations } from '../operation.ts';
import { CONNECTION, INTEGRATION } from './sample.ts';

const tag = 'Feeds';
const FEED = '01JN8Z4H9V6Q3W2X1Y0ZABCDEF';
const CURSOR = { name: 'mirror', sequence: 41, lag: 1, moved_at: '2026-03-01T12:05:00.000Z' };
const SUMMARY = {
  id: FEED,
  provider_config_key: INTEGRATION,
  connection_id: CONNECTION,
  resource: 'drive',
  state: 'watching',
  reason: null,
  explanation: null,
  remedy: null,
  delivery: 'bus',
  safety_interval_sec: 21600,
  poll_interval_sec: 300,
  last_sequence: 42,
  last_change_at: '2026-03-01T12:04:59.000Z',
  last_pull_at: '2026-03-01T12:04:59.120Z',
  next_pull_at: '2026-03-01T18:02:11.000Z',
  channel_ends_at: '2026-03-08T11:50:00.000Z',
  failed_attempts: 0,
  created_at: '2026-03-01T11:50:00.000Z',
};
const DETAIL = {
  ...SUMMARY,
  messages: 57,
  last_message_at: '2026-03-01T12:04:58.000Z',
  pull_waiting: false,
  cursors: [CURSOR],
};
const named = { params: { feedId: FEED } };
const reached = ['not_found'] as const;

/** Feeds: resources under watch, and their changes. */
export const feedOperations: Operations = {
  'POST /feeds': {
    id: 'createFeed',
    tag,
    description:
      'Opens a push channel and stores the place in the history before it answers: list everything once when `state` is not `starting`, then read the changes, and nothing is missed. Where push cannot be had the feed polls, and says why.',
    status: 200,
    answer: feed,
    errors: [
      'unknown_integration',
      'unknown_connection',
      'confirmation_required',
      'reauthorization_required',
      'conflict',
    ],
    example: {
      body: { provider_config_key: INTEGRATION, connection_id: CONNECTION, resource: 'drive' },
      answer: { data: { ...DETAIL, last_sequence: 0, last_change_at: null, cursors: [] } },
    },
  },
  'GET /feeds': {
    id: 'listFeeds',
    tag,
    status: 200,
    answer: feedPage,
    errors: [],
    example: {
      query: { provider_config_key: INTEGRATION, connection_id: CONNECTION },
      answer: { data: [SUMMARY], next_cursor: null },
    },
  },
  'GET /feeds/{feedId}': {
    id: 'getFeed',
    tag,
    status: 200,
    answer: feed,
    errors: reached,
    example: { ...named, answer: { data: DETAIL } },
  },
  'PATCH /feeds/{feedId}': {
    id: 'updateFeed',
    tag,
    description: 'The place in the history stays as it is. Intervals count from the next pull on.',
    status: 200,
    answer: feed,
    errors: reached,
    example: { ...named, body: { delivery: 'pull' }, answer: { data: { ...DETAIL, delivery: 'pull' } } },
  },
  'DELETE /feeds/{feedId}': {
    id: 'deleteFeed',
    tag,
    status: 200,
    answer: success,
    errors: [...reached, 'conflict', 'confirmation_required'],
    example: { ...named, answer: { success: true } },
  },
  'POST /feeds/{feedId}/pull': {
    id: 'pullFeed',
    tag,
    description: 'Waits for the pull. While somebody else is pulling the answer shows the feed as it is.',
    status: 200,
    answer: feed,
    errors: reached,
    example: { ...named, answer: { data: DETAIL } },
  },
  'GET /feeds/{feedId}/changes': {
    id: 'listFeedChanges',
    tag,
    description:
      'Every stored batch above `after`, in order and without gaps, for 14 days. Nothing is removed by reading: keep the sequence of the last batch you are done with yourself, or let the gateway keep it under a name (`PUT …/cursors/{name}`) and send `name`.',
    status: 200,
    answer: feedChanges,
    errors: [...reached, 'cursor_too_old'],
    example: {
      ...named,
      query: { after: '41' },
      answer: {
        data: [
          {
            sequence: 42,
            kind: 'changes',
            reason: null,
            stored_at: '2026-03-01T12:04:59.000Z',
            changes: [
              {
                id: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
                kind: 'file',
                removed: false,
                time: '2026-03-01T12:04:57.000Z',
                mime_type: 'application/vnd.google-apps.spreadsheet',
              },
            ],
          },
        ],
        last_sequence: 42,
        has_more: false,
      },
    },
  },
  'PUT /feeds/{feedId}/cursors/{name}': {
    id: 'moveFeedCursor',
    tag,
    description: 'Two consumers use two names. The lag of each shows in the feed.',
    status: 200,
    answer: movedCursor,
    errors: [...reached, 'conflict'],
    example: {
      params: { feedId: FEED, name: 'mirror' },
      body: { sequence: 41 },
      answer: { data: CURSOR },
    },
  },
  'DELETE /feeds/{feedId}/cursors/{name}': {
    id: 'deleteFeedCursor',
    tag,
    status: 200,
    answer: success,
    errors: reached,
    example: { params: { feedId: FEED, name: 'mirror' }, answer: { success: true } },
  },
};

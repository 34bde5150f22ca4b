import type { JsonObject, ReadCall } from './read-call.rules.ts';

/** Names of the sentences that say what a call does; their texts stand with the languages. */
export type Sentence =
  | `file_${'delete' | 'trash' | 'untrash' | 'rename' | 'move' | 'content' | 'change' | 'create' | 'upload' | 'copy' | 'labels'}`
  | `share_${'with' | 'change' | 'end' | 'owner'}`
  | `access_${'accept' | 'deny'}`
  | `${'comment' | 'reply'}_${'create' | 'change' | 'delete'}`
  | `revision_${'change' | 'publish' | 'delete'}`
  | `drive_${'create' | 'change' | 'delete' | 'hide' | 'unhide'}`
  | `review_${'start' | 'approve' | 'cancel' | 'comment' | 'decline' | 'reassign'}`
  | `event_${'create' | 'quick' | 'change' | 'answer' | 'delete' | 'move'}`
  | `series_${'change' | 'answer' | 'delete'}`
  | `calendar_${'create' | 'change' | 'delete' | 'clear' | 'owner'}`
  | `list_${'add' | 'change' | 'remove'}`
  | `rule_${'add' | 'change' | 'end'}`
  | 'trash_empty'
  | 'tool_call';

/** Sentences of methods that are the same whatever the request says. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  'drive.approvals.start': 'review_start',
  'drive.approvals.approve': 'review_approve',
  'drive.approvals.cancel': 'review_cancel',
  'drive.approvals.comment': 'review_comment',
  'drive.approvals.decline': 'review_decline',
  'drive.approvals.reassign': 'review_reassign',
  'drive.comments.create': 'comment_create',
  'drive.comments.update': 'comment_change',
  'drive.comments.delete': 'comment_delete',
  'drive.replies.create': 'reply_create',
  'drive.replies.update': 'reply_change',
  'drive.replies.delete': 'reply_delete',
  'drive.revisions.delete': 'revision_delete',
  'drive.drives.create': 'drive_create',
  'drive.drives.update': 'drive_change',
  'drive.drives.delete': 'drive_delete',
  'drive.drives.hide': 'drive_hide',
  'drive.drives.unhide': 'drive_unhide',
  'drive.teamdrives.create': 'drive_create',
  'drive.teamdrives.update': 'drive_change',
  'drive.teamdrives.delete': 'drive_delete',
  'drive.files.copy': 'file_copy',
  'drive.files.delete': 'file_delete',
  'drive.files.emptyTrash': 'trash_empty',
  'drive.files.modifyLabels': 'file_labels',
  'drive.permissions.delete': 'share_end',
  'calendar.acl.insert': 'rule_add',
  'calendar.acl.patch': 'rule_change',
  'calendar.acl.update': 'rule_change',
  'calendar.acl.delete': 'rule_end',
  'calendar.calendarList.insert': 'list_add',
  'calendar.calendarList.patch': 'list_change',
  'calendar.calendarList.update': 'list_change',
  'calendar.calendarList.delete': 'list_remove',
  'calendar.calendars.insert': 'calendar_create',
  'calendar.calendars.patch': 'calendar_change',
  'calendar.calendars.update': 'calendar_change',
  'calendar.calendars.delete': 'calendar_delete',
  'calendar.calendars.clear': 'calendar_clear',
  'calendar.calendars.transferOwnership': 'calendar_owner',
  'calendar.events.insert': 'event_create',
  'calendar.events.import': 'event_create',
  'calendar.events.quickAdd': 'event_quick',
  'calendar.events.move': 'event_move',
};

/** What a call does. @param main the object as the provider has it now */
export function sentenceOf({ methodId, body, query, content }: ReadCall, main: JsonObject | undefined): Sentence {
  const fixed = SENTENCES[methodId];
  if (fixed !== undefined) return fixed;
  const isSeries = Array.isArray(main?.recurrence) && main.recurrence.length > 0;
  switch (methodId) {
    case 'drive.accessproposals.resolve':
      return body.action === 'ACCEPT' ? 'access_accept' : 'access_deny';
    case 'drive.files.create':
      return content !== undefined && body.name === undefined ? 'file_upload' : 'file_create';
    case 'drive.files.update':
      if (content !== undefined) return 'file_content';
      if (body.trashed === true) return 'file_trash';
      if (body.trashed === false) return 'file_untrash';
      if (query.has('addParents') || query.has('removeParents')) return 'file_move';
      return Object.keys(body).join() === 'name' ? 'file_rename' : 'file_change';
    case 'drive.permissions.create':
      return body.role === 'owner' ? 'share_owner' : 'share_with';
    case 'drive.permissions.update':
      return body.role === 'owner' ? 'share_owner' : 'share_change';
    case 'drive.revisions.update':
      return body.published === true ? 'revision_publish' : 'revision_change';
    case 'calendar.events.delete':
      return isSeries ? 'series_delete' : 'event_delete';
    default: {
      const what = isSeries ? 'series' : 'event';
      if (body.attendeesOmitted === true) return `${what}_answer`;
      return body.status === 'cancelled' ? `${what}_delete` : `${what}_change`;
    }
  }
}

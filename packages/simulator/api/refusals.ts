import { ApiError, type ApiFailure } from './envelope.ts';

/** What Google answers to a request that breaks one of its rules; `{}` in the message stands for a value of the request. */
interface Refusal extends ApiFailure {
  /** Where the answer is known from. `not known` marks words that are the simulator's, not Google's. */
  source: string;
}

const GUIDE = 'Google Drive API, "Resolve errors"';

/** Every answer of the guards, by the name under which the guards' tables refer to it. */
export const REFUSALS = {
  syncTokenWithOrdering: {
    code: 400,
    reason: 'syncTokenWithNonDefaultOrdering',
    domain: 'calendar',
    location: 'orderBy',
    message: 'Sync token cannot be used with a non-default ordering.',
    source: 'reason: handled by three public programs; words: not known',
  },
  syncTokenWithRestrictions: {
    code: 400,
    reason: 'syncTokenWithRequestRestrictions',
    domain: 'calendar',
    location: 'syncToken',
    message: 'Sync token cannot be used with other request restrictions.',
    source: 'a public article that quotes a live answer',
  },
  orderingNotAvailable: {
    code: 400,
    reason: 'invalid',
    location: 'orderBy',
    message: 'The requested ordering is not available for the particular query.',
    source: 'googleworkspace/java-samples 52',
  },
  timeRangeEmpty: {
    code: 400,
    reason: 'timeRangeEmpty',
    domain: 'calendar',
    location: 'timeMax',
    message: 'The specified time range is empty.',
    source: 'Google Calendar API, "Handle API errors"',
  },
  timeRangeTooLong: {
    code: 400,
    reason: 'timeRangeTooLong',
    domain: 'calendar',
    location: 'timeMax',
    message: 'The requested time range is too long.',
    source: 'reason: Google Calendar API, "Handle API errors"; of lists: not known',
  },
  invalidTime: {
    code: 400,
    reason: 'invalid',
    message: 'Invalid {} time.',
    source: 'OutlookGoogleCalendarSync 609, caldir 20, apps-api-issues 3110',
  },
  timeWithoutZone: {
    code: 400,
    reason: 'required',
    message: 'Missing time zone definition for {} time.',
    source: 'Calendar API v3, "Events" (start.dateTime); words: not known',
  },
  dayAndTime: {
    code: 400,
    reason: 'invalid',
    message: 'Start and end times must either both be date or both be dateTime.',
    source: 'words: several public programs',
  },
  valueTooLong: {
    code: 400,
    reason: 'invalid',
    message: 'A provided value exceeds the allowed size limit.',
    source: 'GAS-ICS-Sync 271, gdata-provider 713',
  },
  birthdayMember: {
    code: 400,
    reason: 'eventTypeRestriction',
    domain: 'calendar',
    message: "'birthday' event type must not have {}.",
    source: 'OutlookGoogleCalendarSync 2103',
  },
  birthdayValue: {
    code: 400,
    reason: 'eventTypeRestriction',
    domain: 'calendar',
    message: "'birthday' event type must have {}.",
    source: 'Google Calendar API, "Manage birthday events"; words: not known',
  },
  eventTypeRestriction: {
    code: 400,
    reason: 'eventTypeRestriction',
    domain: 'calendar',
    message: "The operation is not allowed for events of the type '{}'.",
    source: 'QuickMail 294 and five public programs; words: not known',
  },
  malformedWorkingLocation: {
    code: 400,
    reason: 'malformedWorkingLocationEvent',
    domain: 'calendar',
    message: 'A working location event must {}.',
    source: "GAM's list of reasons; words: not known",
  },
  workingLocationDays: {
    code: 400,
    reason: 'malformedWorkingLocationEvent',
    domain: 'calendar',
    message: 'An all-day working location event must be exactly one day long.',
    source: 'a public program that quotes a live answer',
  },
  malformedOutOfOffice: {
    code: 400,
    reason: 'malformedOutOfOfficeEvent',
    domain: 'calendar',
    message: 'An out of office event must {}.',
    source: 'macro 6183 and three public programs; words: not known',
  },
  malformedFocusTime: {
    code: 400,
    reason: 'malformedFocusTimeEvent',
    domain: 'calendar',
    message: 'A focus time event must {}.',
    source: 'three public programs; words: not known',
  },
  strangeTypeMember: {
    code: 400,
    reason: 'invalid',
    message: '{} does not fit the event type {}.',
    source: 'Calendar API v3, "Events"; words: not known',
  },
  typeNotInPrimary: {
    code: 400,
    reason: 'invalid',
    message: 'Events of the type {} belong to a primary calendar.',
    source: 'Google Calendar API, "Event types"; words: not known',
  },
  typeNotCreatable: {
    code: 400,
    reason: 'invalid',
    message: 'Events of the type {} cannot be created.',
    source: 'Calendar API v3, "Events" (eventType); words: not known',
  },
  unknownType: {
    code: 400,
    reason: 'invalid',
    message: 'Invalid event type.',
    source: 'Calendar API v3, "Events" (eventType); words: not known',
  },
  sortedFullText: {
    code: 403,
    reason: 'forbidden',
    location: 'orderBy',
    message:
      'Sorting is not supported for queries with fullText terms. Results are always in descending relevance order.',
    source: 'n8n 4874, google-docs-mcp 155, googledrive 374',
  },
  exportTooLarge: {
    code: 403,
    reason: 'exportSizeLimitExceeded',
    message: 'This file is too large to be exported.',
    source: 'Drive API v3, "Files: export"; google-api-nodejs-client 3446, rclone 2357',
  },
  exportOfVids: {
    code: 403,
    reason: 'fileNotExportable',
    message: 'Google Vids does not support files.export. Use files.download with Vids files.',
    source: GUIDE,
  },
  notExportable: {
    code: 403,
    reason: 'fileNotExportable',
    message: 'Export only supports Docs Editors files.',
    source: 'public issue threads',
  },
  conversionNotSupported: {
    code: 400,
    reason: 'badRequest',
    location: 'convertTo',
    message: 'The requested conversion is not supported.',
    source: 'public issue threads',
  },
  propertyTooLong: {
    code: 403,
    reason: 'propertyLengthLimitExceeded',
    message:
      'Properties and app properties are limited to 124 bytes in UTF-8 encoding, counting both the key and the value.',
    source: 'Obsidian-Google-Drive 34 and 5',
  },
  tooManyProperties: {
    code: 403,
    reason: 'propertyCountLimitExceeded',
    message: 'The limit of properties for this file has been exceeded.',
    source: 'reason: a public measurement; words: not known',
  },
  oneParentInDrive: {
    code: 403,
    reason: 'teamDrivesParentLimit',
    message: 'A shared drive item must have exactly one parent.',
    source: `${GUIDE}; rclone 9472, googledrive 377`,
  },
  moreParents: {
    code: 403,
    reason: 'cannotAddParent',
    message: 'Increasing the number of parents is not allowed',
    source: 'GAM 1270, PyDrive2 188',
  },
  noParent: {
    code: 403,
    reason: 'cannotRemoveParent',
    message: 'A file must have a parent: use addParents together with removeParents.',
    source: 'not known',
  },
  duplicateParent: {
    code: 400,
    reason: 'badRequest',
    message: 'The specified parent is already a parent of the file.',
    source: `${GUIDE}; words: not known`,
  },
  parentCycle: {
    code: 400,
    reason: 'badRequest',
    message: 'A folder cannot be moved into itself or a folder inside it.',
    source: `${GUIDE}; words: not known`,
  },
  parentNotAFolder: {
    code: 403,
    reason: 'parentNotAFolder',
    message: 'The specified parent is not a folder.',
    source: 'public programs',
  },
  insufficientParentPermissions: {
    code: 403,
    reason: 'insufficientParentPermissions',
    message: 'Insufficient permissions for the specified parent.',
    source: "GAM's list of reasons",
  },
  tooDeepInMyDrive: {
    code: 403,
    reason: 'myDriveHierarchyDepthLimitExceeded',
    message:
      "Your My Drive can't contain more than 100 levels of folders. For details, see https://developers.google.com/workspace/drive/api/guides/handle-errors#nested-folder-levels.",
    source: GUIDE,
  },
  tooDeepInDrive: {
    code: 403,
    reason: 'teamDriveHierarchyTooDeep',
    message: 'The shared drive hierarchy depth will exceed the limit.',
    source: GUIDE,
  },
  tooManyChildren: {
    code: 403,
    reason: 'numChildrenInNonRootLimitExceeded',
    message: "The limit for this folder's number of children (files and folders) has been exceeded.",
    source: GUIDE,
  },
  tooManyInDrive: {
    code: 403,
    reason: 'teamDriveFileLimitExceeded',
    message: 'The file limit for this shared drive has been exceeded.',
    source: GUIDE,
  },
  tooManyItems: {
    code: 403,
    reason: 'activeItemCreationLimitExceeded',
    message:
      'This account has exceeded the creation limit of 500 million items. To create more items, permanently delete some items.',
    source: GUIDE,
  },
  sharingRestrictionInDrive: {
    code: 403,
    reason: 'teamDrivesSharingRestrictionNotAllowed',
    message: 'Sharing restrictions cannot be set on a shared drive item.',
    source: 'google-apis-rs 453, GD-Utils 13',
  },
  trashedIntoDrive: {
    code: 403,
    reason: 'cannotMoveTrashedItemIntoTeamDrive',
    message: 'A trashed item cannot be moved into a shared drive.',
    source: "GAM's list of reasons; words: not known",
  },
  trashedOutOfDrive: {
    code: 403,
    reason: 'cannotMoveTrashedItemOutOfTeamDrive',
    message: 'A trashed item cannot be moved out of a shared drive.',
    source: "GAM's list of reasons; words: not known",
  },
  ownerNotMember: {
    code: 403,
    reason: 'fileOwnerNotMemberOfTeamDrive',
    message:
      'Cannot move a file into a shared drive as a writer when the owner of the file is not a member of that shared drive.',
    source: GUIDE,
  },
  folderIntoDrive: {
    code: 403,
    reason: 'teamDrivesFolderMoveInNotSupported',
    message: 'Moving folders into shared drives is not supported.',
    source: GUIDE,
  },
  unusableId: {
    code: 400,
    reason: 'invalid',
    location: 'file.id',
    locationType: 'other',
    message: 'The provided file ID is not usable.',
    source: 'Drive API v3, "Files: generateIds"; words: public issue threads',
  },
  idInUse: {
    code: 409,
    reason: 'fileIdInUse',
    message: 'A file already exists with the provided ID.',
    source: 'public issue threads',
  },
  generatedIdForDocument: {
    code: 400,
    reason: 'generatedIdNotSupported',
    message: 'Generated IDs are not supported for Docs Editors formats.',
    source: 'reason: google-api-go-client 2334; words and status: not known',
  },
  storageFull: {
    code: 403,
    reason: 'storageQuotaExceeded',
    message: "The user's Drive storage quota has been exceeded.",
    source: GUIDE,
  },
  ownerInDrive: {
    code: 403,
    reason: 'ownerOnTeamDriveItemNotSupported',
    message: 'Items in a shared drive have no owner.',
    source: "GAM's list of reasons; words: not known",
  },
  organizerInMyDrive: {
    code: 403,
    reason: 'organizerOnNonTeamDriveNotSupported',
    message: 'The role organizer exists in shared drives only.',
    source: "GAM's list of reasons; words: not known",
  },
  organizerOfItem: {
    code: 403,
    reason: 'organizerOnNonTeamDriveItemNotSupported',
    message: 'The role organizer is one of shared drives, not of items.',
    source: "GAM's list of reasons; words: not known",
  },
  fileOrganizerInMyDrive: {
    code: 403,
    reason: 'fileOrganizerOnNonTeamDriveNotSupported',
    message: 'The role fileOrganizer exists in shared drives only.',
    source: "GAM's list of reasons; words: not known",
  },
  fileOrganizerOfFile: {
    code: 403,
    reason: 'fileOrganizerOnFoldersInSharedDriveOnly',
    message: 'FileOrganizer role is only allowed on folders.',
    source: 'the change log of GAM 6.30.03, which quotes a live answer',
  },
  driveForEveryone: {
    code: 403,
    reason: 'cannotShareTeamDriveTopFolderWithAnyoneOrDomains',
    message: 'A shared drive itself cannot be shared with anyone or a domain.',
    source: "GAM's list of reasons; words: not known",
  },
  expirationForEveryone: {
    code: 403,
    reason: 'cannotSetExpirationOnAnyoneOrDomain',
    message: 'An expiration time can be set for users and groups only.',
    source: 'Drive API v3, "Permissions" (expirationTime); reason: GAM; words: not known',
  },
  expirationOfManager: {
    code: 403,
    reason: 'expirationDateNotAllowedForSharedDriveMembers',
    message: 'An expiration time cannot be set for managers of a shared drive.',
    source: "GAM's list of reasons; words and roles: not known",
  },
  pastExpiration: {
    code: 400,
    reason: 'invalid',
    message: 'Expiration dates must be in the future.',
    source: 'GAM, which knows these words under this reason',
  },
  farExpiration: {
    code: 403,
    reason: 'cannotSetExpiration',
    message: 'Expiration dates cannot be set on this item.',
    source: 'Drive API v3, "Permissions" (expirationTime); reason and words: google-api-php-client 1228',
  },
  inheritedPermission: {
    code: 403,
    reason: 'cannotModifyInheritedPermission',
    message: 'An inherited permission is changed where it was given.',
    source: "GAM's list of reasons; words: not known",
  },
  inheritedDrivePermission: {
    code: 403,
    reason: 'cannotModifyInheritedTeamDrivePermission',
    message: 'An inherited permission is changed where it was given.',
    source: "GAM's list of reasons; words: not known",
  },
  onlyRevision: {
    code: 403,
    reason: 'cannotDeleteOnlyRevision',
    message: 'The only revision of a file cannot be deleted.',
    source: 'Drive API v3, "Revisions: delete"; reason: GAM; words: not known',
  },
} as const satisfies Record<string, Refusal>;

/** The name of a row of {@link REFUSALS}. */
export type RefusalName = keyof typeof REFUSALS;

/** The answer to a broken rule; `values` fill the places of its message in order. */
export function refusal(name: RefusalName, ...values: readonly string[]): ApiError {
  const { source: _source, ...failure }: Refusal = REFUSALS[name];
  const rest = [...values];
  return new ApiError({ ...failure, message: failure.message.replaceAll('{}', () => rest.shift() ?? '') });
}

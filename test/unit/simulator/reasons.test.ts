/** The reasons of errors that public clients of Google know, and what the simulator makes of each. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REFUSALS } from '../../../packages/simulator/api/refusals.ts';
import { AS_FAULT, NOT_PRODUCED } from '../../../packages/simulator/data/known-reasons.ts';

const SIMULATOR = join(import.meta.dirname, '../../../packages/simulator');

/** Of Drive and Calendar: GAM's list of reasons, Google's two error guides and the programs that the table of refusals names. */
const KNOWN =
  `abusiveContentRestriction aborted accessNotConfigured activeItemCreationLimitExceeded appNotAuthorizedToFile
applyLabelForbidden authError backendError badGateway badRequest cannotAddParent cannotChangeOrganizer
cannotChangeOrganizerOfInstance cannotChangeOwnAcl cannotChangeOwnerAcl cannotChangeOwnPrimarySubscription cannotCopyFile
cannotDeletePermission cannotDeletePrimaryCalendar cannotDeleteResourceWithChildren
cannotModifyInheritedTeamDrivePermission cannotModifyRestrictedLabel cannotModifyViewersCanCopyContent
cannotMoveTrashedItemIntoTeamDrive cannotMoveTrashedItemOutOfTeamDrive cannotRemoveOwner cannotSetExpiration
cannotSetExpirationOnAnyoneOrDomain cannotShareGroupsWithLink cannotShareUsersWithLink
cannotShareTeamDriveTopFolderWithAnyoneOrDomains cannotShareTeamDriveWithNonGoogleAccounts cannotUpdatePermission
conditionNotMet crossDomainMoveRestriction dailyLimitExceeded deleted domainPolicy downloadQuotaExceeded
download_restricted_for_revision duplicate eventDurationExceedsLimit eventTypeRestriction expirationDatesMustBeInTheFuture
expirationDateNotAllowedForSharedDriveMembers exportSizeLimitExceeded fieldNotWritable fileNeverWritable
fileIdInUse fileNotDownloadable fileNotExportable fileOrganizerNotYetEnabledForThisTeamDrive
fileOrganizerOnNonTeamDriveNotSupported fileOwnerNotMemberOfTeamDrive fileOwnerNotMemberOfWriterDomain
fileWriterTeamDriveMoveInDisabled forbidden forbiddenForNonOrganizer fullSyncRequired gatewayTimeout
generatedIdNotSupported illegalAccessRoleForDefault illegalKeepForeverModification insufficientAdministratorPrivileges
insufficientFilePermissions insufficientParentPermissions insufficientPermissions internalError invalid invalidLinkVisibility
invalidOwnershipTransfer invalidParameter invalidSharingRequest labelMultipleValuesForSingularField labelMutationForbidden
labelMutationIllegalSelection labelMutationUnknownField limitExceeded malformedFocusTimeEvent malformedOutOfOfficeEvent
malformedWorkingLocationEvent myDriveHierarchyDepthLimitExceeded noListTeamDrivesAdministratorPrivilege
noManageTeamDriveAdministratorPrivilege notACalendarUser notFound numChildrenInNonRootLimitExceeded operationNotSupported
organizerOnNonTeamDriveNotSupported organizerOnNonTeamDriveItemNotSupported ownerOnTeamDriveItemNotSupported
ownershipChangeAcrossDomainNotPermitted participantIsNeitherOrganizerNorAttendee propertyCountLimitExceeded
propertyLengthLimitExceeded publishOutNotPermitted queryRequiresAdminCredentials quotaExceeded rateLimitExceeded required
requiredAccessLevel responsePreparationFailure revisionDeletionNotSupported revisionsNotSupported serviceNotAvailable
shareInNotPermitted shareOutNotPermitted shareOutNotPermittedToUser shareOutWarning sharingRateLimitExceeded
shortcutTargetInvalid storageQuotaExceeded syncTokenWithNonDefaultOrdering syncTokenWithRequestRestrictions
targetUserRoleLimitedByLicenseRestriction teamDriveAlreadyExists teamDriveDomainUsersOnlyRestriction
teamDriveTeamMembersOnlyRestriction teamDriveFileLimitExceeded teamDriveHierarchyTooDeep teamDriveMembershipRequired
teamDrivesFolderMoveInNotSupported teamDrivesFolderSharingNotSupported teamDrivesParentLimit
teamDrivesSharingRestrictionNotAllowed teamDrivesShortcutFileNotSupported timeRangeEmpty transientError unknownError
updatedMinTooLongAgo uploadTooLarge urlLeaseLimitExceeded userAccess userCannotCreateTeamDrives userRateLimitExceeded`.split(
    /\s+/,
  );

/** Reasons that the sources of the simulator answer. */
function answered(): Set<string> {
  const sources = readdirSync(SIMULATOR, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules') && !path.endsWith('known-reasons.ts'))
    .map((path) => readFileSync(join(SIMULATOR, path), 'utf8'))
    .join('\n');
  const quoted = new Set([...sources.matchAll(/'([A-Za-z_]+)'/g)].map(([, word = '']) => word));
  const table = Object.values(REFUSALS).map(({ reason }) => reason);
  return new Set([...KNOWN.filter((reason) => quoted.has(reason)), ...table]);
}

test('each reason that public clients know is answered, or docs/simulator.md says why not', () => {
  const known = answered();
  const explained = new Set([...Object.keys(NOT_PRODUCED), ...AS_FAULT]);
  expect(KNOWN.filter((reason) => !known.has(reason) && !explained.has(reason))).toEqual([]);
});

test('no reason is explained away that the simulator answers', () => {
  const known = answered();
  expect(Object.keys(NOT_PRODUCED).filter((reason) => known.has(reason))).toEqual([]);
});

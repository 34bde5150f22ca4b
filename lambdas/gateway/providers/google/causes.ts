import type { DeathCause, DeathText } from '../../core/grant-death.ts';
import { REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT } from '../../core/limits.ts';
import { WHAT_FREES_NO_TOKEN } from './what-frees-no-token.rules.ts';

/** Why Google ends grants, in words for the person who can fix it. */
export const GOOGLE_CAUSES: Readonly<Partial<Record<DeathCause, DeathText>>> = {
  user_revoked: {
    who: 'end_user',
    explanation: 'The user removed the app from their Google account.',
    remedy: 'Ask the user whether they want to connect again; if they removed the app, that was their choice.',
  },
  shared_grant_ended: {
    who: 'developer',
    explanation:
      'Another connection of this Google account was deleted here together with its grant, and Google ends all grants of an account to one Cloud project at once.',
    remedy: 'Ask the user to connect again; delete with revoke=if_last to keep grants that others share.',
  },
  password_changed: {
    who: 'end_user',
    explanation: 'The user changed their Google password, which ends grants that include Gmail scopes.',
    remedy: 'Ask the user to connect again; do not request Gmail scopes that you do not need.',
  },
  refresh_token_limit: {
    who: 'developer',
    explanation: `This Google account has consented more than ${REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT} times to the same OAuth client. Each consent creates a refresh token, and above ${REFRESH_TOKENS_PER_ACCOUNT_AND_CLIENT} Google silently ends the oldest.`,
    remedy: `Ask the user to remove the app at myaccount.google.com/connections, which frees all of its tokens, and to connect again; without that, each new consent ends another of the account’s connections. ${WHAT_FREES_NO_TOKEN}`,
  },
  account_token_limit: {
    who: 'end_user',
    explanation:
      'The Google account has reached its limit of refresh tokens over all apps, and Google silently ended the oldest.',
    remedy:
      'Ask the user to remove apps they no longer use at myaccount.google.com/connections, then to connect again.',
  },
  time_limited_access_over: {
    who: 'end_user',
    explanation: 'The user gave the app access for a limited time, and that time is over.',
    remedy: 'Ask the user to connect again.',
  },
  admin_restricted: {
    who: 'workspace_admin',
    explanation: 'An administrator of the user’s Google Workspace restricts the app or the service.',
    remedy:
      'Ask the Workspace administrator to allow the app (Admin console, Security, API controls); then ask Google again (POST /connections/{id}/refresh), and if it still refuses, ask the user to connect again.',
  },
  context_aware_access: {
    who: 'workspace_admin',
    explanation:
      'A context-aware access rule of the user’s Google Workspace refuses apps such as this one, for example by device or network.',
    remedy:
      'Ask the Workspace administrator to exempt the app (Admin console, Security, Context-Aware Access); then ask Google again (POST /connections/{id}/refresh).',
  },
  session_length_over: {
    who: 'workspace_admin',
    explanation:
      'The user’s Google Workspace limits how long a sign-in is valid, and Google requires this user to sign in again.',
    remedy:
      'Ask the user to connect again; an administrator can extend the session or exempt the app (Admin console, Security, Google Cloud session control).',
  },
  testing_mode_expired: {
    who: 'developer',
    explanation:
      'The app is External and in Testing at Google, and its grants end seven days after consent, even if the app is published in the meantime.',
    remedy:
      'Publish the app in the Google Cloud console (Google Auth Platform, Audience), then ask the user to connect again.',
  },
  unused_six_months: {
    who: 'end_user',
    explanation: 'The grant was not used for six months, after which Google ends it.',
    remedy: 'Ask the user to connect again; the gateway’s keep-alive prevents this as long as its schedule runs.',
  },
  account_unavailable: {
    who: 'end_user',
    explanation: 'The Google account was deleted or suspended.',
    remedy: 'Ask the user to connect another account, or their administrator to restore this one.',
  },
  account_restricted: {
    who: 'end_user',
    explanation: 'Google temporarily restricts this account, for example until its owner confirms something.',
    remedy:
      'Ask the user to do what Google asks for at myaccount.google.com/security; then ask Google again (POST /connections/{id}/refresh).',
  },
  advanced_protection: {
    who: 'end_user',
    explanation:
      'The account is in Google’s Advanced Protection Program, which refuses apps that Google has not approved for it.',
    remedy:
      'Reconnecting cannot help while the account is in the program. Ask the user to connect another account, or to leave the program; then ask Google again (POST /connections/{id}/refresh).',
  },
  unknown: {
    who: 'end_user',
    explanation: 'Google refuses the grant and gives no reason.',
    remedy: 'Ask the user to connect again.',
  },
};

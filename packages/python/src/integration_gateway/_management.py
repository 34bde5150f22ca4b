# Written by `npm run generate` from the gateway's routes.
"""The gateway's own routes as methods."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, List, Literal

from . import wire
from ._routes import NOT_GIVEN, AsyncSend, NotGiven, RouteCall, Send


class ConnectionsRoutes:
    """Links between your end users and their Google accounts."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def get_overview(
        self,
    ) -> wire.OverviewData:
        """Get the overview: how many connections work, how many do not, and what needs attention

        Computed from counters and the last count of all connections, so it costs the same for any number of connections. A key that is limited to some integrations sees only those.

        For operators and secret keys with the right read or full.
        """
        answer: wire.OverviewData = self._send(
            RouteCall(
                "GET",
                "/overview",
                is_wrapped=True,
            )
        )
        return answer

    def search(
        self,
        *,
        q: str,
        limit: int | None = None,
    ) -> wire.SearchAnswerData:
        """Search connections, integrations and secret keys by any part of their names and ids, best match first

        Every word must be part of one of these texts: for a connection, the end user’s name, e-mail and id, the organization, the provider account, the connection id, or a tag as key=value; for an integration, its name or unique_key; for a secret key, its name or id. Case and accents are ignored. Only callers who may list secret keys find them. total counts connections; total_is_complete is false if there are more than a search can find.

        For operators and secret keys with the right read or full.

        Args:
            q: Words; each must be part of a text of the result.
            limit: Maximum number of results.
        """
        answer: wire.SearchAnswerData = self._send(
            RouteCall(
                "GET",
                "/search",
                query={"q": q, "limit": limit},
                is_wrapped=True,
            )
        )
        return answer

    def list(
        self,
        *,
        connection_id: str | None = None,
        search: str | None = None,
        end_user_id: str | None = None,
        end_user_organization_id: str | None = None,
        provider_config_key: str | None = None,
        status: Literal["active", "reauthorization_required"] | None = None,
        health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead", "working"] | None = None,
        cause: Literal["user_revoked", "token_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "delegation_pending", "delegation_missing", "delegation_incomplete", "subject_unknown", "subject_not_allowed", "unknown"] | None = None,
        tags: Mapping[str, str] | None = None,
        sort: Literal["-created", "created", "name", "-name", "last_used", "-last_used"] | None = None,
        include: str | None = None,
        limit: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        integration_id: str | None = None,
    ) -> wire.ConnectionList:
        """List connections, newest first

        Without limit, a page has up to 2000 connections. Send `page` or `cursor`, not both. Follow next_cursor for more; page reaches at most 10,000 connections. A search finds at most 1,000 connections; sorting by last use works for at most 2,000, after search and filters. The total of a list that is taken from more than 2,000 connections may be minutes old. With health, a page may be short or empty and still have a next page, because every connection of that status is examined.

        For operators and secret keys with the right read or full.

        Args:
            connection_id: Only the connections with this id.
            search: Words; each must be part of the end user’s name, e-mail or id, the organization, the provider account, the connection id, or a tag as key=value.
            end_user_id: Your id of the end user: that of end_user, or of the tag end_user_id where there is no end_user.
            end_user_organization_id: Only connections of this organization.
            provider_config_key: The unique_key of an integration, or several separated by commas.
            status: Only connections in this state. For calls, only those with this result: 404, 4xx, ok or failed.
            health: Working: active, not_used_yet and ends_soon together.
            cause: Only connections that need a new authorization for this reason.
            tags: Only connections with all of these: tags[key]=value.
            sort: Order; - reverses it. The default is -created, newest first.
            include: Additional parts of the answer.
            limit: Maximum number of results.
            page: Starts at 0; for long lists, use cursor.
            cursor: `next_cursor` of the previous page.
            integration_id: Former name of provider_config_key.
        """
        answer: wire.ConnectionList = self._send(
            RouteCall(
                "GET",
                "/connections",
                query={"connection_id": connection_id, "search": search, "end_user_id": end_user_id, "end_user_organization_id": end_user_organization_id, "provider_config_key": provider_config_key, "status": status, "health": health, "cause": cause, "tags": tags, "sort": sort, "include": include, "limit": limit, "page": page, "cursor": cursor, "integrationId": integration_id},
            )
        )
        return answer

    def iterate(
        self,
        *,
        connection_id: str | None = None,
        search: str | None = None,
        end_user_id: str | None = None,
        end_user_organization_id: str | None = None,
        provider_config_key: str | None = None,
        status: Literal["active", "reauthorization_required"] | None = None,
        health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead", "working"] | None = None,
        cause: Literal["user_revoked", "token_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "delegation_pending", "delegation_missing", "delegation_incomplete", "subject_unknown", "subject_not_allowed", "unknown"] | None = None,
        tags: Mapping[str, str] | None = None,
        sort: Literal["-created", "created", "name", "-name", "last_used", "-last_used"] | None = None,
        include: str | None = None,
        limit: int | None = None,
        integration_id: str | None = None,
    ) -> Iterator[wire.ConnectionListItem]:
        """The entries of `list`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = self.list(connection_id=connection_id, search=search, end_user_id=end_user_id, end_user_organization_id=end_user_organization_id, provider_config_key=provider_config_key, status=status, health=health, cause=cause, tags=tags, sort=sort, include=include, limit=limit, integration_id=integration_id, cursor=next_one)
            yield from answer["connections"]
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    def import_(
        self,
        *,
        provider_config_key: str,
        connection_id: str | None = None,
        subject: str | None = None,
        credentials: wire.ImportConnectionBodyCredentials | None = None,
        consented_at: str | None = None,
        metadata: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        connection_config: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        end_user: wire.ImportConnectionBodyEndUser | None = None,
        organization: NotGiven | wire.ImportConnectionBodyOrganization | None = NOT_GIVEN,
        tags: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> wire.Connection:
        """Import a grant whose refresh token you have; the token is used once to prove it

        With `subject` instead of credentials, a service account acts for this user of a Workspace domain. Repeating the call returns the same connection. Google is asked for a token by the first proxied call.

        For operators and secret keys with the right full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            subject: For an integration of kind delegated, instead of credentials: the user’s primary address.
            credentials: Required unless there is a subject.
            consented_at: When the user gave consent, between 2004 and now.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.Connection = self._send(
            RouteCall(
                "POST",
                "/connections",
                body={"provider_config_key": provider_config_key, "connection_id": connection_id, "subject": subject, "credentials": credentials, "consented_at": consented_at, "metadata": metadata, "connection_config": connection_config, "end_user": end_user, "organization": organization, "tags": tags},
                nullable=frozenset({"metadata", "connection_config", "organization"}),
                is_once=True,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def list_pending_revocations(
        self,
        *,
        provider_config_key: str | None = None,
        limit: int | None = None,
        integration_id: str | None = None,
    ) -> wire.PendingRevocationsData:
        """List grants of deleted connections that are still to be revoked at the provider, oldest first

        A deletion with revoke calls the provider at once; if that fails, the schedule retries until the provider confirms it. A key that is limited to some integrations sees only those.

        For operators and secret keys with the right read or full.

        Args:
            provider_config_key: The unique_key of an integration, or several separated by commas.
            limit: Maximum number of results.
            integration_id: Former name of provider_config_key.
        """
        answer: wire.PendingRevocationsData = self._send(
            RouteCall(
                "GET",
                "/revocations",
                query={"provider_config_key": provider_config_key, "limit": limit, "integrationId": integration_id},
                is_wrapped=True,
            )
        )
        return answer

    def get(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        force_refresh: bool | None = None,
        refresh_token: bool | None = None,
        refresh_github_app_jwt_token: bool | None = None,
    ) -> wire.Connection:
        """Get a connection: its state, scopes, account and when its grant will end

        credentials is empty unless the secret key may read credentials. A connection with a dead grant is returned with its diagnosis; only a key that may read credentials gets 424.

        For operators and secret keys with the right read or full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            force_refresh: Refresh the access token first.
            refresh_token: Also return the refresh token; only for keys that may read credentials.
            refresh_github_app_jwt_token: Accepted for compatibility; has no effect.
        """
        answer: wire.Connection = self._send(
            RouteCall(
                "GET",
                "/connections/{connectionId}",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key, "force_refresh": force_refresh, "refresh_token": refresh_token, "refresh_github_app_jwt_token": refresh_github_app_jwt_token},
            )
        )
        return answer

    def update(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        end_user: wire.UpdateConnectionBodyEndUser | None = None,
        organization: NotGiven | wire.UpdateConnectionBodyOrganization | None = NOT_GIVEN,
        tags: Mapping[str, str] | None = None,
        budget: NotGiven | wire.UpdateConnectionBodyBudget | None = NOT_GIVEN,
        webhook_url_override: NotGiven | str | None = NOT_GIVEN,
    ) -> wire.Success:
        """Change the end user, the tags and the budget of a connection

        A budget replaces the one before as a whole; null takes it away. Processes of the gateway know it within a minute.

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.Success = self._send(
            RouteCall(
                "PATCH",
                "/connections/{connectionId}",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
                body={"end_user": end_user, "organization": organization, "tags": tags, "budget": budget, "webhook_url_override": webhook_url_override},
                nullable=frozenset({"organization", "budget", "webhook_url_override"}),
            )
        )
        return answer

    def delete(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        revoke: bool | Literal["if_last", "force"] | None = None,
    ) -> wire.DeletedConnection:
        """Delete a connection; revoke=true also ends its grant at the provider, and refuses when others share it

        Tokens are erased at once. Revoking the grant at the provider ends every connection that shares it. revoke=true refuses with conflict and names these connections, or with account_not_known if the owner of the grant is unknown; revoke=if_last keeps a shared grant; revoke=force revokes it for all.

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            revoke: Also revoke the grant at the provider. If other connections share the grant: true refuses and names them, if_last keeps the grant, force revokes it for all. For a whole integration, true means force.
        """
        answer: wire.DeletedConnection = self._send(
            RouteCall(
                "DELETE",
                "/connections/{connectionId}",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key, "revoke": revoke},
            )
        )
        return answer

    def set_metadata(
        self,
        *,
        connection_id: str | Sequence[str],
        provider_config_key: str,
        metadata: Mapping[str, Any],
    ) -> wire.MetadataEcho:
        """Replace the metadata of one or more connections

        For operators and secret keys with the right full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.MetadataEcho = self._send(
            RouteCall(
                "POST",
                "/connections/metadata",
                body={"connection_id": connection_id, "provider_config_key": provider_config_key, "metadata": metadata},
            )
        )
        return answer

    def update_metadata(
        self,
        *,
        connection_id: str | Sequence[str],
        provider_config_key: str,
        metadata: Mapping[str, Any],
    ) -> wire.MetadataEcho:
        """Merge members into the metadata of one or more connections

        Merges one level deep. If one connection is unknown, none is changed.

        For operators and secret keys with the right full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.MetadataEcho = self._send(
            RouteCall(
                "PATCH",
                "/connections/metadata",
                body={"connection_id": connection_id, "provider_config_key": provider_config_key, "metadata": metadata},
            )
        )
        return answer

    def refresh(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
    ) -> wire.Connection:
        """Force one refresh now

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.Connection = self._send(
            RouteCall(
                "POST",
                "/connections/{connectionId}/refresh",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
            )
        )
        return answer

    def check(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
    ) -> wire.ConnectionCheckData:
        """Check a connection with one harmless call to the provider

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.ConnectionCheckData = self._send(
            RouteCall(
                "POST",
                "/connections/{connectionId}/check",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
                is_wrapped=True,
            )
        )
        return answer

    def list_events(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        limit: int | None = None,
        cursor: str | None = None,
        before: str | None = None,
    ) -> wire.EventPage:
        """List the events of a connection, newest first, also after its deletion

        For operators and secret keys with the right read or full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            limit: Maximum number of results.
            cursor: Next_cursor of the previous page.
            before: Former name of cursor.
        """
        answer: wire.EventPage = self._send(
            RouteCall(
                "GET",
                "/connections/{connectionId}/events",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key, "limit": limit, "cursor": cursor, "before": before},
            )
        )
        return answer

    def iterate_events(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        limit: int | None = None,
    ) -> Iterator[wire.ConnectionEvent]:
        """The entries of `list_events`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = self.list_events(connection_id, provider_config_key=provider_config_key, limit=limit, cursor=next_one)
            yield from answer["events"]
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    def try_(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        path: str,
    ) -> wire.TriedCallData:
        """Try one GET at the provider as the connection’s user and get its answer as text

        To see the result of a call, for example from the dashboard. The body is truncated to 256 KB.

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.TriedCallData = self._send(
            RouteCall(
                "POST",
                "/connections/{connectionId}/try",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
                body={"path": path},
                is_wrapped=True,
            )
        )
        return answer


class ConnectSessionsRoutes:
    """How an end user creates or renews a connection."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def create(
        self,
        *,
        end_user: wire.CreateConnectSessionBodyEndUser | None = None,
        organization: NotGiven | wire.CreateConnectSessionBodyOrganization | None = NOT_GIVEN,
        allowed_integrations: Sequence[str] | None = None,
        integrations_config_defaults: Mapping[str, wire.CreateConnectSessionBodyIntegrationsConfigDefaultsValue] | None = None,
        overrides: Mapping[str, wire.CreateConnectSessionBodyOverridesValue] | None = None,
        webhook_url_override: NotGiven | str | None = NOT_GIVEN,
        tags: Mapping[str, str] | None = None,
        return_url: str | None = None,
        language: Literal["en", "de", "fr", "es", "pt", "ja"] | None = None,
        confirm: bool | None = None,
        pick: wire.CreateConnectSessionBodyPick | None = None,
        reuse_connection: bool | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedConnectSessionData:
        """Create a connect session for one end user; send the user to its connect_link

        The session is valid for 30 minutes and yields at most one connection. Without allowed_integrations, the end user chooses among all integrations. With confirm, the result waits for POST /connect/sessions/confirm. If the end user has a connection that needs a new authorization, a consent with the same Google account reauthorizes it instead of creating a second one; reuse_connection: false always creates one. With pick, the end user selects files in Google Drive for drive.file, for the given connection_id or for a new connection; GET /connect/session then returns them as picked. A session with pick needs exactly one integration in allowed_integrations.

        For operators and secret keys with the right full.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedConnectSessionData = self._send(
            RouteCall(
                "POST",
                "/connect/sessions",
                body={"end_user": end_user, "organization": organization, "allowed_integrations": allowed_integrations, "integrations_config_defaults": integrations_config_defaults, "overrides": overrides, "webhook_url_override": webhook_url_override, "tags": tags, "return_url": return_url, "language": language, "confirm": confirm, "pick": pick, "reuse_connection": reuse_connection},
                nullable=frozenset({"organization", "webhook_url_override"}),
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    def delete(
        self,
        *,
        end_user_id: str,
    ) -> wire.DeletedSessions:
        """Delete the connect sessions of an end user, open and finished, with all that they say of the person

        Deletes sessions that name the end user in end_user or in the tag end_user_id, and reconnect links for connections of the end user; connections stay. The links no longer open anything, flows in progress fail, and a grant that waits for confirmation is ended. Repeat the request while has_more is true. A key that is limited to some integrations deletes the sessions that allow only those. Sessions that version 0.2.0 or an earlier one created are not found; they expire by themselves.

        For operators and secret keys with the right full.

        Args:
            end_user_id: Your id of the end user: that of end_user, or of the tag end_user_id where there is no end_user.
        """
        answer: wire.DeletedSessions = self._send(
            RouteCall(
                "DELETE",
                "/connect/sessions",
                query={"end_user_id": end_user_id},
            )
        )
        return answer

    def create_reconnect_session(
        self,
        *,
        connection_id: str,
        integration_id: str,
        end_user: wire.CreateReconnectSessionBodyEndUser | None = None,
        organization: NotGiven | wire.CreateReconnectSessionBodyOrganization | None = NOT_GIVEN,
        integrations_config_defaults: Mapping[str, wire.CreateReconnectSessionBodyIntegrationsConfigDefaultsValue] | None = None,
        overrides: Mapping[str, wire.CreateReconnectSessionBodyOverridesValue] | None = None,
        webhook_url_override: NotGiven | str | None = NOT_GIVEN,
        tags: Mapping[str, str] | None = None,
        return_url: str | None = None,
        language: Literal["en", "de", "fr", "es", "pt", "ja"] | None = None,
        confirm: bool | None = None,
        allow_account_change: bool | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedConnectSessionData:
        """Create a connect session that reauthorizes an existing connection

        For operators and secret keys with the right full.

        Args:
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            integration_id: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedConnectSessionData = self._send(
            RouteCall(
                "POST",
                "/connect/sessions/reconnect",
                body={"connection_id": connection_id, "integration_id": integration_id, "end_user": end_user, "organization": organization, "integrations_config_defaults": integrations_config_defaults, "overrides": overrides, "webhook_url_override": webhook_url_override, "tags": tags, "return_url": return_url, "language": language, "confirm": confirm, "allow_account_change": allow_account_change},
                nullable=frozenset({"organization", "webhook_url_override"}),
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    def create_admin_session(
        self,
        *,
        integration_id: str,
        organization: wire.CreateAdminSessionBodyOrganization,
        language: Literal["en", "de", "fr", "es", "pt", "ja"] | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedConnectSessionData:
        """Create a link for the administrator of a Workspace domain, who lists a service account and checks it

        For integrations of kind delegated. The link is valid for seven days. Its page has what to list at Google and checks it with an address of the domain, scope by scope. A domain belongs to the organization whose administrator checked it first; the links of other organizations answer 409 for it.

        For operators and secret keys with the right full.

        Args:
            integration_id: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            organization: The customer whose administrator this is for.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedConnectSessionData = self._send(
            RouteCall(
                "POST",
                "/connect/sessions/admin",
                body={"integration_id": integration_id, "organization": organization, "language": language},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    def list_reconnect_links(
        self,
    ) -> List[wire.ListReconnectLinksAnswerData]:
        """List the latest batches of reconnect links, and how many users came back

        The newest 20 batches. Results are kept for 90 days.

        For operators and secret keys with the right read or full.
        """
        answer: List[wire.ListReconnectLinksAnswerData] = self._send(
            RouteCall(
                "GET",
                "/connect/reconnect-links",
                is_wrapped=True,
            )
        )
        return answer

    def create_reconnect_links(
        self,
        *,
        connections: Sequence[wire.CreateReconnectLinksBodyConnection] | None = None,
        all_dead: wire.CreateReconnectLinksBodyAllDead | None = None,
        lifetime_sec: int | None = None,
        message: str | None = None,
        language: Literal["en", "de", "fr", "es", "pt", "ja"] | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedReconnectLinks:
        """Create reconnect links for many connections, to be sent to their end users

        Each link works once, only for the Google account of its connection, and is shown only this once. Connections that cannot have a link are listed in refused with a reason; the others get theirs. Each comes with a message, in the language in which its end user read the pages when they connected: in the gateway’s own words, or in those of message, which may contain {link}, {name}, {integration} and {expires}; {integration} becomes the name that readers of that language see. language is for end users whose language is not known, such as those of imported connections; without it their message is in English and the page in the language of their browser. all_dead selects the next 100 connections that need a new authorization; continue with its next_cursor.

        For operators and secret keys with the right full.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedReconnectLinks = self._send(
            RouteCall(
                "POST",
                "/connect/reconnect-links",
                body={"connections": connections, "all_dead": all_dead, "lifetime_sec": lifetime_sec, "message": message, "language": language},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    def get_reconnect_links(
        self,
        batch_id: str,
    ) -> wire.ReconnectLinks:
        """Get what became of each reconnect link of a batch

        For operators and secret keys with the right read or full.

        Args:
            batch_id: The batch’s id.
        """
        answer: wire.ReconnectLinks = self._send(
            RouteCall(
                "GET",
                "/connect/reconnect-links/{batchId}",
                ids={"batchId": batch_id},
                is_wrapped=True,
            )
        )
        return answer

    def revoke_reconnect_links(
        self,
        batch_id: str,
    ) -> wire.Success:
        """Withdraw a batch of reconnect links: none of them works from then on

        A key that is limited to some integrations withdraws only the links of those; the others still work.

        For operators and secret keys with the right full.

        Args:
            batch_id: The batch’s id.
        """
        answer: wire.Success = self._send(
            RouteCall(
                "DELETE",
                "/connect/reconnect-links/{batchId}",
                ids={"batchId": batch_id},
            )
        )
        return answer

    def confirm_connection(
        self,
        *,
        handle: str,
        end_user_id: str,
        idempotency_key: str | None = None,
    ) -> wire.ConfirmedConnectionData:
        """Confirm that the browser which finished a session with confirm belongs to its end user

        For sessions created with confirm: true. The browser that finished brings a handle to your app, as confirmation_handle in the return URL or as confirmationHandle from connect(). Send it within 15 minutes, with the id of the user who is signed in to your app in that browser. If the session was created for another user, the answer is 409 and the grant is ended. A handle works once.

        For operators and secret keys with the right full.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.ConfirmedConnectionData = self._send(
            RouteCall(
                "POST",
                "/connect/sessions/confirm",
                body={"handle": handle, "end_user_id": end_user_id},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    def get(
        self,
        session_token: str,
    ) -> wire.ConnectSessionData:
        """Get what a connect session allows and how far it has come

        Args:
            session_token: `token` of the connect session; stands in for the secret key.
        """
        answer: wire.ConnectSessionData = self._send(
            RouteCall(
                "GET",
                "/connect/session",
                session_token=session_token,
                is_wrapped=True,
            )
        )
        return answer

    def end(
        self,
        session_token: str,
    ) -> None:
        """End a connect session

        Args:
            session_token: `token` of the connect session; stands in for the secret key.
        """
        self._send(
            RouteCall(
                "DELETE",
                "/connect/session",
                session_token=session_token,
            )
        )

    def start_authorization(
        self,
        session_token: str,
        *,
        provider_config_key: str | None = None,
        opener_origin: str | None = None,
    ) -> wire.StartedAuthorizationData:
        """Start an authorization in this browser

        Args:
            session_token: `token` of the connect session; stands in for the secret key.
            provider_config_key: May be omitted if the session allows only one.
            opener_origin: Allowed origin of the window that waits for the result.
        """
        answer: wire.StartedAuthorizationData = self._send(
            RouteCall(
                "POST",
                "/connect/authorizations",
                body={"provider_config_key": provider_config_key, "opener_origin": opener_origin},
                session_token=session_token,
                is_wrapped=True,
            )
        )
        return answer


class IntegrationsRoutes:
    """A provider with your OAuth client and scopes."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list_agent_tools(
        self,
    ) -> List[wire.AgentToolList]:
        """List the tools of Google’s MCP servers, with those that wait to be accepted

        Empty until an assistant has asked for tools of an agentic integration, or POST /agent-tools/fetch has fetched them.

        For operators and secret keys with the right read or full.
        """
        answer: List[wire.AgentToolList] = self._send(
            RouteCall(
                "GET",
                "/agent-tools",
                is_wrapped=True,
            )
        )
        return answer

    def fetch_agent_tools(
        self,
    ) -> List[wire.AgentToolList]:
        """Fetch the tools of Google’s MCP servers now; the gateway does so every 15 minutes while they are used

        A server that cannot be reached leaves its list as it was.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: List[wire.AgentToolList] = self._send(
            RouteCall(
                "POST",
                "/agent-tools/fetch",
                is_wrapped=True,
            )
        )
        return answer

    def accept_agent_tools(
        self,
        provider: str,
        *,
        endpoint: Literal["full", "self"],
        tools: Sequence[wire.AcceptAgentToolsBodyTool],
    ) -> wire.AgentToolList:
        """Accept changed or new tools as they are now, so that assistants are offered them

        hash is the one under waiting: a tool that has changed again since is a 409, and none is accepted.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.AgentToolList = self._send(
            RouteCall(
                "POST",
                "/agent-tools/{provider}/accept",
                ids={"provider": provider},
                body={"endpoint": endpoint, "tools": tools},
                is_wrapped=True,
            )
        )
        return answer

    def list(
        self,
        *,
        cursor: str | None = None,
    ) -> wire.IntegrationList:
        """List integrations, newest first

        For operators and secret keys with the right read or full.

        Args:
            cursor: `next_cursor` of the previous page.
        """
        answer: wire.IntegrationList = self._send(
            RouteCall(
                "GET",
                "/integrations",
                query={"cursor": cursor},
            )
        )
        return answer

    def iterate(
        self,
    ) -> Iterator[wire.Integration]:
        """The entries of `list`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = self.list(cursor=next_one)
            yield from answer["data"]
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    def create(
        self,
        *,
        provider: Literal["google-drive", "google-calendar"],
        unique_key: str,
        display_name: str | None = None,
        public_name: NotGiven | str | None = NOT_GIVEN,
        public_names: NotGiven | wire.CreateIntegrationBodyPublicNames | None = NOT_GIVEN,
        scopes: Sequence[str] | None = None,
        publishing_status: Literal["testing", "production"] | None = None,
        audience: Literal["external", "internal"] | None = None,
        mode: Literal["test", "live"] | None = None,
        include_granted_scopes: bool | None = None,
        hosted_domain: NotGiven | str | None = NOT_GIVEN,
        budget: NotGiven | wire.CreateIntegrationBodyBudget | None = NOT_GIVEN,
        quota: NotGiven | wire.CreateIntegrationBodyQuota | None = NOT_GIVEN,
        kind: Literal["oauth", "delegated"] | None = None,
        delegation: wire.CreateIntegrationBodyDelegation | None = None,
        agentic: bool | None = None,
        credentials: wire.CreateIntegrationBodyCredentials | None = None,
        credentials_source: Literal["own", "test"] | None = None,
        forward_webhooks: bool | None = None,
        integration_config: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        custom: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        idempotency_key: str | None = None,
    ) -> wire.ChangedIntegration:
        """Create an integration with your own OAuth client, or with the operator’s test credentials

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            unique_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            kind: Delegated: a service account acts for users of Workspace domains. The default is oauth.
            agentic: True where the OAuth client is marked for AI agents at Google: assistants call Google’s MCP servers with it, and the gateway sends no REST calls. Fixed for the life of the integration. The default is false.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.ChangedIntegration = self._send(
            RouteCall(
                "POST",
                "/integrations",
                body={"provider": provider, "unique_key": unique_key, "display_name": display_name, "public_name": public_name, "public_names": public_names, "scopes": scopes, "publishing_status": publishing_status, "audience": audience, "mode": mode, "include_granted_scopes": include_granted_scopes, "hosted_domain": hosted_domain, "budget": budget, "quota": quota, "kind": kind, "delegation": delegation, "agentic": agentic, "credentials": credentials, "credentials_source": credentials_source, "forward_webhooks": forward_webhooks, "integration_config": integration_config, "custom": custom},
                nullable=frozenset({"public_name", "public_names", "hosted_domain", "budget", "quota", "integration_config", "custom"}),
                is_once=True,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def create_quickstart(
        self,
        *,
        provider: Literal["google-drive", "google-calendar"],
        unique_key: str,
        display_name: str | None = None,
        public_name: NotGiven | str | None = NOT_GIVEN,
        public_names: NotGiven | wire.CreateQuickstartIntegrationBodyPublicNames | None = NOT_GIVEN,
        scopes: Sequence[str] | None = None,
        publishing_status: Literal["testing", "production"] | None = None,
        audience: Literal["external", "internal"] | None = None,
        mode: Literal["test", "live"] | None = None,
        include_granted_scopes: bool | None = None,
        hosted_domain: NotGiven | str | None = NOT_GIVEN,
        budget: NotGiven | wire.CreateQuickstartIntegrationBodyBudget | None = NOT_GIVEN,
        quota: NotGiven | wire.CreateQuickstartIntegrationBodyQuota | None = NOT_GIVEN,
        forward_webhooks: bool | None = None,
        integration_config: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        custom: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        idempotency_key: str | None = None,
    ) -> wire.ChangedIntegration:
        """Create an integration on the operator’s test credentials

        For trials: such an integration stays in test mode until it gets your own OAuth client.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            unique_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.ChangedIntegration = self._send(
            RouteCall(
                "POST",
                "/integrations/quickstart",
                body={"provider": provider, "unique_key": unique_key, "display_name": display_name, "public_name": public_name, "public_names": public_names, "scopes": scopes, "publishing_status": publishing_status, "audience": audience, "mode": mode, "include_granted_scopes": include_granted_scopes, "hosted_domain": hosted_domain, "budget": budget, "quota": quota, "forward_webhooks": forward_webhooks, "integration_config": integration_config, "custom": custom},
                nullable=frozenset({"public_name", "public_names", "hosted_domain", "budget", "quota", "integration_config", "custom"}),
                is_once=True,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def get(
        self,
        integration_id: str,
        *,
        include: Literal["webhook", "credentials"] | Sequence[Literal["webhook", "credentials"]] | None = None,
    ) -> wire.Integration:
        """Get an integration

        For operators and secret keys with the right read or full.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
            include: Additional parts of the answer.
        """
        answer: wire.Integration = self._send(
            RouteCall(
                "GET",
                "/integrations/{integrationId}",
                ids={"integrationId": integration_id},
                query={"include": include},
                is_wrapped=True,
            )
        )
        return answer

    def update(
        self,
        integration_id: str,
        *,
        force: bool | None = None,
        unique_key: str | None = None,
        display_name: str | None = None,
        public_name: NotGiven | str | None = NOT_GIVEN,
        public_names: NotGiven | wire.UpdateIntegrationBodyPublicNames | None = NOT_GIVEN,
        scopes: Sequence[str] | None = None,
        publishing_status: Literal["testing", "production"] | None = None,
        audience: Literal["external", "internal"] | None = None,
        mode: Literal["test", "live"] | None = None,
        include_granted_scopes: bool | None = None,
        hosted_domain: NotGiven | str | None = NOT_GIVEN,
        budget: NotGiven | wire.UpdateIntegrationBodyBudget | None = NOT_GIVEN,
        quota: NotGiven | wire.UpdateIntegrationBodyQuota | None = NOT_GIVEN,
        delegation: wire.UpdateIntegrationBodyDelegation | None = None,
        agentic: bool | None = None,
        credentials: wire.UpdateIntegrationBodyCredentials | None = None,
        credentials_source: Literal["own", "test"] | None = None,
        forward_webhooks: bool | None = None,
        integration_config: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        custom: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
    ) -> wire.ChangedIntegration:
        """Change an integration; a new client_secret under the same client_id is a rotation without downtime

        An integration with connections cannot be renamed. warnings describe the consequences of the change.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
            force: Make the change even if a CloudFormation stack declares this.
            unique_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            agentic: Fixed when the integration is created; only the present value is accepted.
        """
        answer: wire.ChangedIntegration = self._send(
            RouteCall(
                "PATCH",
                "/integrations/{integrationId}",
                ids={"integrationId": integration_id},
                query={"force": force},
                body={"unique_key": unique_key, "display_name": display_name, "public_name": public_name, "public_names": public_names, "scopes": scopes, "publishing_status": publishing_status, "audience": audience, "mode": mode, "include_granted_scopes": include_granted_scopes, "hosted_domain": hosted_domain, "budget": budget, "quota": quota, "delegation": delegation, "agentic": agentic, "credentials": credentials, "credentials_source": credentials_source, "forward_webhooks": forward_webhooks, "integration_config": integration_config, "custom": custom},
                nullable=frozenset({"public_name", "public_names", "hosted_domain", "budget", "quota", "integration_config", "custom"}),
            )
        )
        return answer

    def delete(
        self,
        integration_id: str,
        *,
        force: bool | None = None,
        revoke: bool | Literal["if_last", "force"] | None = None,
        if_unused: bool | None = None,
    ) -> wire.DeletedIntegration:
        """Delete an integration with all its connections; a large one takes several calls

        With many connections the answer is 503 with Retry-After until all are deleted: repeat the call. if_unused=true refuses with 409 while the integration has connections.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
            force: Make the change even if a CloudFormation stack declares this.
            revoke: Also revoke the grant at the provider. If other connections share the grant: true refuses and names them, if_last keeps the grant, force revokes it for all. For a whole integration, true means force.
        """
        answer: wire.DeletedIntegration = self._send(
            RouteCall(
                "DELETE",
                "/integrations/{integrationId}",
                ids={"integrationId": integration_id},
                query={"force": force, "revoke": revoke, "if_unused": if_unused},
            )
        )
        return answer

    def get_delegation(
        self,
        integration_id: str,
    ) -> wire.DelegationAnswer:
        """Get what administrators have to list for a service account, and how it stands in each domain

        For operators and secret keys with the right read or full.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
        """
        answer: wire.DelegationAnswer = self._send(
            RouteCall(
                "GET",
                "/integrations/{integrationId}/delegation",
                ids={"integrationId": integration_id},
            )
        )
        return answer

    def check_delegation(
        self,
        integration_id: str,
        *,
        address: str,
    ) -> wire.DelegationCheck:
        """Ask Google whether a service account may act for a user, scope by scope

        Names the scope that is missing. If all are listed, every connection of the domain works again at once. What an administrator has changed may take up to 24 hours to count. The token of an administrator’s session opens it too; a domain then belongs to the organization that checked it first.

        For operators and secret keys with the right full.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
            address: The address of any user of the domain.
        """
        answer: wire.DelegationCheck = self._send(
            RouteCall(
                "POST",
                "/integrations/{integrationId}/delegation/check",
                ids={"integrationId": integration_id},
                body={"address": address},
                is_wrapped=True,
            )
        )
        return answer

    def get_readiness(
        self,
        integration_id: str,
    ) -> wire.ReadinessData:
        """Get what going live still needs: scopes by review class, publishing status, open steps

        For operators and secret keys with the right read or full.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
        """
        answer: wire.ReadinessData = self._send(
            RouteCall(
                "GET",
                "/integrations/{integrationId}/readiness",
                ids={"integrationId": integration_id},
                is_wrapped=True,
            )
        )
        return answer


class ProvidersRoutes:
    """Providers and what their scopes mean."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        *,
        search: str | None = None,
    ) -> List[wire.Provider]:
        """List providers with their scopes, what each means and how strictly it is reviewed

        For operators and secret keys with the right read or full.

        Args:
            search: Words; each must be part of the end user’s name, e-mail or id, the organization, the provider account, the connection id, or a tag as key=value.
        """
        answer: List[wire.Provider] = self._send(
            RouteCall(
                "GET",
                "/providers",
                query={"search": search},
                is_wrapped=True,
            )
        )
        return answer

    def get(
        self,
        provider: str,
    ) -> wire.Provider:
        """Get a provider

        For operators and secret keys with the right read or full.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.Provider = self._send(
            RouteCall(
                "GET",
                "/providers/{provider}",
                ids={"provider": provider},
                is_wrapped=True,
            )
        )
        return answer

    def check_client(
        self,
        provider: str,
        *,
        client_id: str,
        client_secret: str,
    ) -> wire.ClientCheck:
        """Ask a provider whether it accepts an OAuth client, before the client is stored

        The gateway sends the token endpoint a code that was never given. The provider authenticates the client before it refuses the code, so its answer shows whether the client id and the secret are right. Nothing is granted or stored.

        For operators and secret keys with the right full.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.ClientCheck = self._send(
            RouteCall(
                "POST",
                "/providers/{provider}/check-client",
                ids={"provider": provider},
                body={"client_id": client_id, "client_secret": client_secret},
                is_wrapped=True,
            )
        )
        return answer


class SecretKeysRoutes:
    """Keys with which your servers authenticate."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        *,
        cursor: str | None = None,
    ) -> wire.SecretKeyList:
        """List secret keys and registered roles, newest first, without their text

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            cursor: `next_cursor` of the previous page.
        """
        answer: wire.SecretKeyList = self._send(
            RouteCall(
                "GET",
                "/account/keys",
                query={"cursor": cursor},
            )
        )
        return answer

    def iterate(
        self,
    ) -> Iterator[wire.SecretKey]:
        """The entries of `list`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = self.list(cursor=next_one)
            yield from answer["data"]
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    def create(
        self,
        *,
        name: str,
        right: Literal["proxy", "read", "full"],
        integration_ids: Sequence[str] | None = None,
        can_read_credentials: bool | None = None,
        limits: wire.CreateSecretKeyBodyLimits | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedSecretKeyData:
        """Create a secret key; its text is shown only this once

        A caller can grant only rights that it has: can_read_credentials can be set by keys that have it, and by operators who signed in with a second factor within the last five minutes.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedSecretKeyData = self._send(
            RouteCall(
                "POST",
                "/account/keys",
                body={"name": name, "right": right, "integration_ids": integration_ids, "can_read_credentials": can_read_credentials, "limits": limits},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    def register_role(
        self,
        *,
        name: str,
        right: Literal["proxy", "read", "full"],
        role_arn: str,
        integration_ids: Sequence[str] | None = None,
        can_read_credentials: bool | None = None,
        limits: wire.RegisterRoleBodyLimits | None = None,
        role_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> wire.SecretKey:
        """Let an IAM role call instead of a secret key, below /iam

        The role signs its calls as AWS services expect it (Signature Version 4, service execute-api). It is listed, limited and revoked with the secret keys. A role that was revoked can be registered again. A caller can grant only rights that it has: can_read_credentials can be set by keys that have it, and by operators who signed in with a second factor within the last five minutes.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.SecretKey = self._send(
            RouteCall(
                "POST",
                "/account/roles",
                body={"name": name, "right": right, "integration_ids": integration_ids, "can_read_credentials": can_read_credentials, "limits": limits, "role_arn": role_arn, "role_id": role_id},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    def update(
        self,
        key_id: str,
        *,
        limits: wire.UpdateSecretKeyBodyLimits | None,
        force: bool | None = None,
    ) -> wire.SecretKey:
        """Set or take away the limits of a secret key or role; they hold everywhere within a minute

        The limits are replaced as a whole; null takes them away. Only keys with the right proxy can have limits. A method that a later version of the gateway adds is not among those that named limits leave, until they are set again.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            key_id: The id from GET /account/keys: SHA-256 of the key in hex.
            force: Make the change even if a CloudFormation stack declares this.
        """
        answer: wire.SecretKey = self._send(
            RouteCall(
                "PATCH",
                "/account/keys/{keyId}",
                ids={"keyId": key_id},
                query={"force": force},
                body={"limits": limits},
                nullable=frozenset({"limits"}),
                is_wrapped=True,
            )
        )
        return answer

    def revoke(
        self,
        key_id: str,
    ) -> wire.Success:
        """Revoke a secret key or role; it stops working everywhere within a minute

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            key_id: The id from GET /account/keys: SHA-256 of the key in hex.
        """
        answer: wire.Success = self._send(
            RouteCall(
                "DELETE",
                "/account/keys/{keyId}",
                ids={"keyId": key_id},
            )
        )
        return answer

    def read_observed_calls(
        self,
        key_id: str,
    ) -> wire.ObservedCallsData:
        """Get which calls of a week the limits of a secret key or role would have refused, by limit and method

        Limits with the mode observe let every call pass and count what enforce would refuse. A call is here within five minutes of its end. Calls that earlier limits of the key observed are among them: last_at says how old they are.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            key_id: The id from GET /account/keys: SHA-256 of the key in hex.
        """
        answer: wire.ObservedCallsData = self._send(
            RouteCall(
                "GET",
                "/account/keys/{keyId}/observed",
                ids={"keyId": key_id},
                is_wrapped=True,
            )
        )
        return answer

    def list_limit_methods(
        self,
    ) -> List[wire.LimitMethod]:
        """List the methods and sets that limits of keys can name

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: List[wire.LimitMethod] = self._send(
            RouteCall(
                "GET",
                "/account/limits/catalogue",
                is_wrapped=True,
            )
        )
        return answer

    def create_agent(
        self,
        *,
        name: str,
        end_user_id: str | None = None,
        integrations: Sequence[str] | None = None,
        connections: Sequence[wire.CreateAgentBodyConnection] | None = None,
        tools: Sequence[Literal["drive_search_files", "drive_list_recent_files", "drive_get_file_metadata", "drive_read_file_content", "drive_create_file", "drive_copy_file", "drive_rename_or_move_file", "drive_update_file_content", "drive_trash_file", "calendar_list_calendars", "calendar_list_events", "calendar_get_event", "calendar_find_free_time", "calendar_create_event", "calendar_update_event", "calendar_respond_to_event", "calendar_delete_event", "gateway_approval_status", "drive_google_search_files", "drive_google_list_recent_files", "drive_google_get_file_metadata", "drive_google_get_file_permissions", "drive_google_read_file_content", "drive_google_download_file_content", "drive_google_create_file", "drive_google_copy_file", "calendar_google_list_calendars", "calendar_google_list_events", "calendar_google_get_event", "calendar_google_search_events", "calendar_google_suggest_time", "calendar_google_create_event", "calendar_google_update_event", "calendar_google_delete_event", "calendar_google_respond_to_event"]] | None = None,
        limits: wire.CreateAgentBodyLimits | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedAgentData:
        """Create a key for an assistant, which calls tools at /mcp; its text is shown only this once

        The key is bound to the connections of one end user, at most one of each provider, and works only at /mcp. It always has limits. Defaults: 60 calls a minute, 500 calls, 200,000 units and 100 MB a day, 30 days of life, a journal (`journal: false` switches it off) and, where no methods are named, reading. It is listed, limited and revoked with the secret keys. Several connections of one provider need the tag agent: primary on one of them, or are named themselves.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedAgentData = self._send(
            RouteCall(
                "POST",
                "/account/agents",
                body={"name": name, "end_user_id": end_user_id, "integrations": integrations, "connections": connections, "tools": tools, "limits": limits},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer


class ApprovalsRoutes:
    """Calls that wait until a person approves them."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        *,
        about: bool | None = None,
    ) -> List[wire.Approval]:
        """List calls of the last day that a person was asked to approve, newest first

        For operators and secret keys with the right read or full.

        Args:
            about: False: about is null, and nothing is read at Google. Default: true.
        """
        answer: List[wire.Approval] = self._send(
            RouteCall(
                "GET",
                "/approvals",
                query={"about": about},
                is_wrapped=True,
            )
        )
        return answer

    def read(
        self,
        approval_id: str,
    ) -> wire.ShownApproval:
        """Get how a call stands that a person has to approve, and its result

        Answers 202 while nobody has decided or the call is on its way. The key that called gets Google’s answer in result. Keys with the right proxy see their own approvals only.

        For operators and secret keys with the right read or full.
        """
        answer: wire.ShownApproval = self._send(
            RouteCall(
                "GET",
                "/approvals/{approvalId}",
                ids={"approvalId": approval_id},
                is_wrapped=True,
            )
        )
        return answer

    def create_session(
        self,
        approval_id: str,
    ) -> wire.ApprovalLink:
        """Create a link with which an end user decides in one browser

        For a user who is signed in to your app: the first browser that opens the link decides as the end user, so give it to that user only. It works in that browser only, for ten minutes. A full key can therefore approve: every link is an event (ApprovalLinkCreated) and the record names its maker.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.ApprovalLink = self._send(
            RouteCall(
                "POST",
                "/approvals/{approvalId}/session",
                ids={"approvalId": approval_id},
                is_wrapped=True,
            )
        )
        return answer

    def decide(
        self,
        approval_id: str,
        *,
        decision: Literal["approve", "refuse"],
        seen: NotGiven | str | None = NOT_GIVEN,
    ) -> wire.Approval:
        """Approve or refuse a call as an operator

        Only a signed-in operator can: a key proves no person, and neither does the address of the page. What is approved is sent once, within seconds, if the object is still as seen says.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            seen: About.seen of the approval that was looked at.
        """
        answer: wire.Approval = self._send(
            RouteCall(
                "POST",
                "/approvals/{approvalId}/decision",
                ids={"approvalId": approval_id},
                body={"decision": decision, "seen": seen},
                nullable=frozenset({"seen"}),
                is_wrapped=True,
            )
        )
        return answer


class FeedsRoutes:
    """Watched resources and their changes."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        *,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        cursor: str | None = None,
    ) -> wire.FeedPage:
        """List feeds of the account or of one connection, newest first

        `connection_id` also needs `provider_config_key`.

        For operators and secret keys with the right read or full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            cursor: `next_cursor` of the previous page.
        """
        answer: wire.FeedPage = self._send(
            RouteCall(
                "GET",
                "/feeds",
                query={"provider_config_key": provider_config_key, "connection_id": connection_id, "cursor": cursor},
            )
        )
        return answer

    def iterate(
        self,
        *,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
    ) -> Iterator[wire.FeedSummary]:
        """The entries of `list`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = self.list(provider_config_key=provider_config_key, connection_id=connection_id, cursor=next_one)
            yield from answer["data"]
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    def create(
        self,
        *,
        provider_config_key: str,
        connection_id: str,
        resource: str,
        delivery: Literal["bus", "pull"] | None = None,
        safety_interval_sec: int | None = None,
        poll_interval_sec: int | None = None,
        meaning: bool | None = None,
        seen: bool | None = None,
        reminders: Sequence[int] | None = None,
        idempotency_key: str | None = None,
    ) -> wire.Feed:
        """Create a feed that watches a resource; for the same resource again it returns the existing feed

        Opens a push channel and stores the position in the history before it answers. To miss nothing, list everything once when `state` is no longer `starting`, then read the changes. If push is not available, the feed polls and says why.

        For operators and secret keys with the right full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.Feed = self._send(
            RouteCall(
                "POST",
                "/feeds",
                body={"provider_config_key": provider_config_key, "connection_id": connection_id, "resource": resource, "delivery": delivery, "safety_interval_sec": safety_interval_sec, "poll_interval_sec": poll_interval_sec, "meaning": meaning, "seen": seen, "reminders": reminders},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    def get(
        self,
        feed_id: str,
    ) -> wire.Feed:
        """Get a feed with its state, its last message and the cursors of its consumers

        For operators and secret keys with the right read or full.
        """
        answer: wire.Feed = self._send(
            RouteCall(
                "GET",
                "/feeds/{feedId}",
                ids={"feedId": feed_id},
                is_wrapped=True,
            )
        )
        return answer

    def update(
        self,
        feed_id: str,
        *,
        force: bool | None = None,
        delivery: Literal["bus", "pull"] | None = None,
        safety_interval_sec: int | None = None,
        poll_interval_sec: int | None = None,
        meaning: bool | None = None,
        seen: bool | None = None,
        reminders: Sequence[int] | None = None,
    ) -> wire.Feed:
        """Change how a feed is delivered, how often it is polled, whether changes have a meaning, and reminders

        The position in the history is kept. New settings apply from the next pull. Without `meaning`, what the feed remembers is erased.

        For operators and secret keys with the right full.

        Args:
            force: Make the change even if a CloudFormation stack declares this.
        """
        answer: wire.Feed = self._send(
            RouteCall(
                "PATCH",
                "/feeds/{feedId}",
                ids={"feedId": feed_id},
                query={"force": force},
                body={"delivery": delivery, "safety_interval_sec": safety_interval_sec, "poll_interval_sec": poll_interval_sec, "meaning": meaning, "seen": seen, "reminders": reminders},
                is_wrapped=True,
            )
        )
        return answer

    def delete(
        self,
        feed_id: str,
        *,
        force: bool | None = None,
    ) -> wire.Success:
        """Stop a feed’s channels and delete it

        For operators and secret keys with the right full.

        Args:
            force: Make the change even if a CloudFormation stack declares this.
        """
        answer: wire.Success = self._send(
            RouteCall(
                "DELETE",
                "/feeds/{feedId}",
                ids={"feedId": feed_id},
                query={"force": force},
            )
        )
        return answer

    def pull(
        self,
        feed_id: str,
    ) -> wire.Feed:
        """Pull now, whatever is due

        Waits for the pull. If another pull is running, the answer shows the present state of the feed. If the pull waits for Google’s quota, `state` is `waiting`, `reason` says for which, and `next_pull_at` until when.

        For operators and secret keys with the right full.
        """
        answer: wire.Feed = self._send(
            RouteCall(
                "POST",
                "/feeds/{feedId}/pull",
                ids={"feedId": feed_id},
                is_wrapped=True,
            )
        )
        return answer

    def list_changes(
        self,
        feed_id: str,
        *,
        after: int | None = None,
        name: str | None = None,
        limit: int | None = None,
    ) -> wire.FeedChanges:
        """List the batches after a sequence number or after a named cursor, in order

        Send either `after` or `name`, one of them. All stored batches above `after`, in order and without gaps. Up to 10,000 batches are stored for 14 days. Reading removes nothing: remember the sequence of the last batch that you have processed, or store it in the gateway under a name (`PUT …/cursors/{name}`) and send `name`.

        For operators and secret keys with the right read or full.

        Args:
            limit: Maximum number of results.
        """
        answer: wire.FeedChanges = self._send(
            RouteCall(
                "GET",
                "/feeds/{feedId}/changes",
                ids={"feedId": feed_id},
                query={"after": after, "name": name, "limit": limit},
            )
        )
        return answer

    def move_cursor(
        self,
        feed_id: str,
        name: str,
        *,
        sequence: int,
    ) -> wire.FeedCursor:
        """Store how far a consumer has read

        Each consumer needs its own name. The feed shows the lag of each.

        For operators and secret keys with the right full.
        """
        answer: wire.FeedCursor = self._send(
            RouteCall(
                "PUT",
                "/feeds/{feedId}/cursors/{name}",
                ids={"feedId": feed_id, "name": name},
                body={"sequence": sequence},
                is_wrapped=True,
            )
        )
        return answer

    def delete_cursor(
        self,
        feed_id: str,
        name: str,
    ) -> wire.Success:
        """Delete a consumer’s cursor

        For operators and secret keys with the right full.
        """
        answer: wire.Success = self._send(
            RouteCall(
                "DELETE",
                "/feeds/{feedId}/cursors/{name}",
                ids={"feedId": feed_id, "name": name},
            )
        )
        return answer


class SecurityEventsRoutes:
    """Which Cloud projects Google states security events of accounts and tokens for."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list_projects(
        self,
    ) -> wire.SecurityEventsData:
        """List the Cloud projects of the account and whether their security events reach the gateway

        Google states security events of accounts and tokens (Cross-Account Protection) to one receiver of each Cloud project, which the owner of the project registers: gateway security-events register.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.SecurityEventsData = self._send(
            RouteCall(
                "GET",
                "/security-events",
                is_wrapped=True,
            )
        )
        return answer

    def register(
        self,
        cloud_project: str,
        *,
        verification: NotGiven | str | None = NOT_GIVEN,
    ) -> wire.SecurityEventProject:
        """Accept the security events of a Cloud project, and expect a verification

        Google signs its statements, and the gateway accepts those for registered projects. Register the receiver at Google as well: the command gateway security-events register does both.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            verification: Text that the next verification from Google must contain.
        """
        answer: wire.SecurityEventProject = self._send(
            RouteCall(
                "PUT",
                "/security-events/{cloudProject}",
                ids={"cloudProject": cloud_project},
                body={"verification": verification},
                nullable=frozenset({"verification"}),
                is_wrapped=True,
            )
        )
        return answer

    def remove(
        self,
        cloud_project: str,
    ) -> wire.Success:
        """Refuse the security events of a Cloud project from now on

        Disable the stream at Google as well: the command gateway security-events off does both.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.Success = self._send(
            RouteCall(
                "DELETE",
                "/security-events/{cloudProject}",
                ids={"cloudProject": cloud_project},
            )
        )
        return answer


class UndoRoutes:
    """What journalled keys have written, and the way back."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list_journal(
        self,
        *,
        key_id: str | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        object_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> wire.Journal:
        """List what journalled keys have written in the last seven days, newest first

        A key is journalled if its limits say so (journal), and the keys of assistants are unless that is switched off. The list names methods and objects and has no names, texts or other contents. What an undo wrote is in the list of the connection, with undoes. A page of one object (object_id) can be empty and have a next one.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            key_id: Id of a secret key, or its first 12 characters: its writes on every connection.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            object_id: Only writes on this file, event, calendar or other object, by its id at the provider; without a key or connection, of every key of the account.
            since: Only entries that happened, or ended, at or after this time (ISO 8601).
            until: Only writes before this time.
            limit: Maximum number of results.
            cursor: Next_cursor of the previous page.
        """
        answer: wire.Journal = self._send(
            RouteCall(
                "GET",
                "/journal",
                query={"key_id": key_id, "provider_config_key": provider_config_key, "connection_id": connection_id, "object_id": object_id, "since": since, "until": until, "limit": limit, "cursor": cursor},
            )
        )
        return answer

    def iterate_journal(
        self,
        *,
        key_id: str | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        object_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> Iterator[wire.JournalRow]:
        """The entries of `list_journal`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = self.list_journal(key_id=key_id, provider_config_key=provider_config_key, connection_id=connection_id, object_id=object_id, since=since, until=until, limit=limit, cursor=next_one)
            yield from answer["data"]
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    def undo_changes(
        self,
        *,
        key_id: str | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        since: str | None = None,
        write_id: str | None = None,
        until: str | None = None,
        dry_run: bool | None = None,
        cursor: str | None = None,
    ) -> wire.UndoReport:
        """Undo what a journalled key wrote, or what all wrote on a connection, newest first

        write_id names one write. Each write is undone only if its object is still as the write left it; what somebody else has changed since is left alone and listed in conflicts. No mail is sent. One request works for some seconds and on at most 500 writes; continue with next_cursor. A repeated request finishes the previous one and does nothing twice.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            key_id: Id of a secret key, or its first 12 characters: its writes on every connection.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            since: The first writes to undo.
            write_id: Only this write, instead of since and until.
            until: Only writes before this time; absent: all until now.
            dry_run: Look and compare, and change nothing.
            cursor: `next_cursor` of the previous response, with the same other members.
        """
        answer: wire.UndoReport = self._send(
            RouteCall(
                "POST",
                "/undo",
                body={"key_id": key_id, "provider_config_key": provider_config_key, "connection_id": connection_id, "since": since, "write_id": write_id, "until": until, "dry_run": dry_run, "cursor": cursor},
                is_wrapped=True,
            )
        )
        return answer


class WebhooksRoutes:
    """Signed events, sent to your own endpoints."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
    ) -> List[wire.Webhook]:
        """List webhooks, newest first

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: List[wire.Webhook] = self._send(
            RouteCall(
                "GET",
                "/webhooks",
                is_wrapped=True,
            )
        )
        return answer

    def create(
        self,
        *,
        url: str,
        description: NotGiven | str | None = NOT_GIVEN,
        types: NotGiven | Sequence[Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"]] | None = NOT_GIVEN,
        integrations: NotGiven | Sequence[str] | None = NOT_GIVEN,
        idempotency_key: str | None = None,
    ) -> wire.WebhookWithSecretData:
        """Create a webhook; its secret is shown only this once

        The webhook receives nothing until POST /webhooks/{webhookId}/enable: configure the secret at the receiver first. Messages follow Standard Webhooks 1.0.0; their data is the same as on the event bus.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            url: Https on port 443, with a public host.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.WebhookWithSecretData = self._send(
            RouteCall(
                "POST",
                "/webhooks",
                body={"url": url, "description": description, "types": types, "integrations": integrations},
                nullable=frozenset({"description", "types", "integrations"}),
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    def get(
        self,
        webhook_id: str,
    ) -> wire.Webhook:
        """Get a webhook

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.Webhook = self._send(
            RouteCall(
                "GET",
                "/webhooks/{webhookId}",
                ids={"webhookId": webhook_id},
                is_wrapped=True,
            )
        )
        return answer

    def update(
        self,
        webhook_id: str,
        *,
        force: bool | None = None,
        url: str | None = None,
        description: NotGiven | str | None = NOT_GIVEN,
        types: NotGiven | Sequence[Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"]] | None = NOT_GIVEN,
        integrations: NotGiven | Sequence[str] | None = NOT_GIVEN,
        status: Literal["disabled"] | None = None,
    ) -> wire.Webhook:
        """Change or disable a webhook; a new address has to be proven again

        null removes a filter or the description. status: disabled stops sending until the webhook is enabled again.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            force: Make the change even if a CloudFormation stack declares this.
            url: Https on port 443, with a public host.
        """
        answer: wire.Webhook = self._send(
            RouteCall(
                "PATCH",
                "/webhooks/{webhookId}",
                ids={"webhookId": webhook_id},
                query={"force": force},
                body={"url": url, "description": description, "types": types, "integrations": integrations, "status": status},
                nullable=frozenset({"description", "types", "integrations"}),
                is_wrapped=True,
            )
        )
        return answer

    def delete(
        self,
        webhook_id: str,
        *,
        force: bool | None = None,
    ) -> wire.Success:
        """Delete a webhook; waiting deliveries are no longer sent

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            force: Make the change even if a CloudFormation stack declares this.
        """
        answer: wire.Success = self._send(
            RouteCall(
                "DELETE",
                "/webhooks/{webhookId}",
                ids={"webhookId": webhook_id},
                query={"force": force},
            )
        )
        return answer

    def rotate_secret(
        self,
        webhook_id: str,
        *,
        force: bool | None = None,
        idempotency_key: str | None = None,
    ) -> wire.WebhookWithSecretData:
        """Give a webhook a new secret, shown only this once; the former signs too for 24 hours

        Two rotations may overlap, and each former secret signs for its 24 hours. A third one within them is answered 409, unless `force=true` ends the oldest secret at once.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            force: Rotate even if two former secrets are still valid; the older one ends at once.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.WebhookWithSecretData = self._send(
            RouteCall(
                "POST",
                "/webhooks/{webhookId}/rotate-secret",
                ids={"webhookId": webhook_id},
                query={"force": force},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    def enable(
        self,
        webhook_id: str,
    ) -> wire.Webhook:
        """Enable a webhook that answers a signed endpoint.test with 2xx

        The endpoint has nine seconds to answer. If the test fails, the answer is 409 with the reason. It counts among the tests.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.Webhook = self._send(
            RouteCall(
                "POST",
                "/webhooks/{webhookId}/enable",
                ids={"webhookId": webhook_id},
                is_wrapped=True,
            )
        )
        return answer

    def test(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> wire.WebhookAttempt:
        """Send a signed endpoint.test now and return the result

        The result is returned and added to the delivery log; nothing else changes. At most 10 tests a minute.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.WebhookAttempt = self._send(
            RouteCall(
                "POST",
                "/webhooks/{webhookId}/test",
                ids={"webhookId": webhook_id},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        state: Literal["pending", "delivered", "failed", "waiting"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> wire.WebhookDeliveryList:
        """List deliveries of the last 14 days with their attempts, newest event first

        pending: the next attempt is at next_attempt_at. delivered: the endpoint answered 2xx. failed: given up after ten attempts over 75 hours. waiting: the webhook is disabled; a replay sends it.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            limit: Maximum number of results.
            cursor: `next_cursor` of the previous page.
        """
        answer: wire.WebhookDeliveryList = self._send(
            RouteCall(
                "GET",
                "/webhooks/{webhookId}/deliveries",
                ids={"webhookId": webhook_id},
                query={"state": state, "limit": limit, "cursor": cursor},
            )
        )
        return answer

    def iterate_deliveries(
        self,
        webhook_id: str,
        *,
        state: Literal["pending", "delivered", "failed", "waiting"] | None = None,
        limit: int | None = None,
    ) -> Iterator[wire.WebhookDelivery]:
        """The entries of `list_deliveries`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = self.list_deliveries(webhook_id, state=state, limit=limit, cursor=next_one)
            yield from answer["data"]
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    def replay(
        self,
        webhook_id: str,
        *,
        since: str | None = None,
        until: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        idempotency_key: str | None = None,
    ) -> wire.WebhookReplayData:
        """Send stored events again, oldest first; call again with next_from for the rest

        Queues the events of up to 400 days that match the webhook’s filters, 500 per call; they are sent within about a minute, with their original webhook-id. `since` is required for a webhook that was never disabled, and must not be after `until`.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            since: Start time; by default when the webhook was last disabled.
            until: End time; by default now.
            from_: Former name of since.
            to: Former name of until.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.WebhookReplayData = self._send(
            RouteCall(
                "POST",
                "/webhooks/{webhookId}/replay",
                ids={"webhookId": webhook_id},
                query={"since": since, "until": until, "from": from_, "to": to},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer


class TestCredentialsRoutes:
    """The OAuth clients that quickstart integrations use."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def get(
        self,
        provider: str,
    ) -> wire.TestCredentialsData:
        """Get whether a provider has test credentials, and their client_id

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.TestCredentialsData = self._send(
            RouteCall(
                "GET",
                "/test-credentials/{provider}",
                ids={"provider": provider},
                is_wrapped=True,
            )
        )
        return answer

    def set(
        self,
        provider: str,
        *,
        client_id: str,
        client_secret: str,
    ) -> wire.TestCredentialsData:
        """Set the OAuth client that quickstart integrations of a provider run on

        Running functions use the new client within five minutes. Connections created with another client end, and their users must connect again.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.TestCredentialsData = self._send(
            RouteCall(
                "PUT",
                "/test-credentials/{provider}",
                ids={"provider": provider},
                body={"client_id": client_id, "client_secret": client_secret},
                is_wrapped=True,
            )
        )
        return answer

    def delete(
        self,
        provider: str,
    ) -> wire.Success:
        """Remove the test credentials of a provider; integrations on them stop working

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.Success = self._send(
            RouteCall(
                "DELETE",
                "/test-credentials/{provider}",
                ids={"provider": provider},
            )
        )
        return answer


class CallsRoutes:
    """The call log: proxied calls, without content."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list_failed(
        self,
        *,
        failure: Literal["provider_failed", "rate_limited", "gateway_failed", "refused", "broken_off"] | None = None,
        reason: str | None = None,
        status: int | None = None,
        key_id: str | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> wire.FailedCallPage:
        """List the failed calls of all connections, newest first

        From the call log, by how calls failed, by reason, status, secret key, integration, connection and time. A call is listed when it has ended. Calls that wait for approval are not failures. Calls that were refused before their connection was known are not logged, and those of deleted connections are left out. A page may be shorter than limit, or empty, and still have a next page.

        For operators and secret keys with the right read or full.

        Args:
            failure: How the calls failed.
            reason: Google’s reason, such as notFound, or the code of the gateway’s own answer.
            status: Only connections in this state. For calls, only those with this result: 404, 4xx, ok or failed.
            key_id: Id of a secret key, or its first 12 characters.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            since: Only entries that happened, or ended, at or after this time (ISO 8601).
            until: Calls that ended before this time.
            limit: Maximum number of results.
            cursor: Next_cursor of the previous page.
        """
        answer: wire.FailedCallPage = self._send(
            RouteCall(
                "GET",
                "/calls",
                query={"failure": failure, "reason": reason, "status": status, "key_id": key_id, "provider_config_key": provider_config_key, "connection_id": connection_id, "since": since, "until": until, "limit": limit, "cursor": cursor},
            )
        )
        return answer

    def iterate_failed(
        self,
        *,
        failure: Literal["provider_failed", "rate_limited", "gateway_failed", "refused", "broken_off"] | None = None,
        reason: str | None = None,
        status: int | None = None,
        key_id: str | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> Iterator[wire.FailedCall]:
        """The entries of `list_failed`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = self.list_failed(failure=failure, reason=reason, status=status, key_id=key_id, provider_config_key=provider_config_key, connection_id=connection_id, since=since, until=until, limit=limit, cursor=next_one)
            yield from answer["data"]
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    def get(
        self,
        request_id: str,
    ) -> wire.Call:
        """Get the proxied call that a request id belongs to

        For operators and secret keys with the right read or full.

        Args:
            request_id: X-request-id of the answer, or request_id of its error.
        """
        answer: wire.Call = self._send(
            RouteCall(
                "GET",
                "/calls/{requestId}",
                ids={"requestId": request_id},
                is_wrapped=True,
            )
        )
        return answer

    def read_usage(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        by: Literal["integration", "connection", "key"] | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> wire.UsageData:
        """Get proxied calls per day, counted by integration, connection or key

        Days in UTC, first and last included; by default the last 14, at most 92. A call is counted within five minutes of its end, from a line that it leaves in the log of the proxy. by=connection needs provider_config_key, connection_id needs by=connection, and by=key takes neither. Counts are kept for 400 days, those of connections for 92.

        For operators and secret keys with the right read or full.

        Args:
            since: First day, UTC.
            until: Last day, UTC, included.
            by: Whose calls are counted.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            from_: Former name of since.
            to: Former name of until.
        """
        answer: wire.UsageData = self._send(
            RouteCall(
                "GET",
                "/usage",
                query={"since": since, "until": until, "by": by, "provider_config_key": provider_config_key, "connection_id": connection_id, "from": from_, "to": to},
                is_wrapped=True,
            )
        )
        return answer

    def read_last_hour(
        self,
        *,
        provider_config_key: str | None = None,
    ) -> wire.LastHourData:
        """Get the proxied calls of the last hour by minute, and whether Google, the gateway or callers make them fail

        The hour ends with the last minute that is counted, some three minutes ago. verdict says what more than half of the failed calls have in common: provider for 5xx of Google, or no usable answer from it; quota for 429 of Google; gateway for 5xx of the gateway; callers for any other 4xx; mixed where there is no such kind. healthy: fewer than one call in a hundred failed. Reasons in evidence are those of the newest 200 failed calls in the call log.

        For operators and secret keys with the right read or full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.LastHourData = self._send(
            RouteCall(
                "GET",
                "/usage/minutes",
                query={"provider_config_key": provider_config_key},
                is_wrapped=True,
            )
        )
        return answer

    def read_connection_counts(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        provider_config_key: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> wire.ConnectionCountsData:
        """Get what happened to connections per day: created, deleted, dead by cause, reconnected, and how refreshes ended

        For each integration, and in total for all that the key can access. Days in UTC, first and last included; by default the last 14, at most 92. Counts are kept for 400 days. Refreshes in the last seconds of a process that ended are missing.

        For operators and secret keys with the right read or full.

        Args:
            since: First day, UTC.
            until: Last day, UTC, included.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            from_: Former name of since.
            to: Former name of until.
        """
        answer: wire.ConnectionCountsData = self._send(
            RouteCall(
                "GET",
                "/usage/connections",
                query={"since": since, "until": until, "provider_config_key": provider_config_key, "from": from_, "to": to},
                is_wrapped=True,
            )
        )
        return answer

    def read_quota(
        self,
    ) -> wire.QuotaData:
        """Get what today’s calls took of Google’s quotas by Cloud project and API, and what the day will come to

        Google counts units and bytes of a Cloud project by the day, for each API, and refuses or charges what is above its limits. The limits are those that Cloud projects have had since May 2026, unless `quota` of an integration says what its project has. A call is counted within five minutes of its end, what feeds and checks call for themselves included. The forecast is what was used so far and what the remaining hours took a week before, or on average since the first call, adjusted to how today compares with that day. It needs a day of calls before it means much.

        For operators and secret keys with the right read or full.
        """
        answer: wire.QuotaData = self._send(
            RouteCall(
                "GET",
                "/quota",
                is_wrapped=True,
            )
        )
        return answer

    def list(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        status: str | None = None,
        since: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> wire.CallPage:
        """List a connection’s calls in the call log, newest first

        Contains failed calls, unless the deployment logs all calls or none (gateway:callLog). A row appears when its call has ended. Calls that were refused before their connection was known are not logged.

        For operators and secret keys with the right read or full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            status: Only connections in this state. For calls, only those with this result: 404, 4xx, ok or failed.
            since: Only entries that happened, or ended, at or after this time (ISO 8601).
            limit: Maximum number of results.
            cursor: Next_cursor of the previous page.
        """
        answer: wire.CallPage = self._send(
            RouteCall(
                "GET",
                "/connections/{connectionId}/calls",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key, "status": status, "since": since, "limit": limit, "cursor": cursor},
            )
        )
        return answer

    def iterate(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        status: str | None = None,
        since: str | None = None,
        limit: int | None = None,
    ) -> Iterator[wire.Call]:
        """The entries of `list`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = self.list(connection_id, provider_config_key=provider_config_key, status=status, since=since, limit=limit, cursor=next_one)
            yield from answer["data"]
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    def record(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
    ) -> wire.CallRecordingData:
        """Log every call of a connection for an hour, including successful ones

        Takes effect within half a minute. Another call restarts the hour.

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.CallRecordingData = self._send(
            RouteCall(
                "POST",
                "/connections/{connectionId}/calls/record",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
                is_wrapped=True,
            )
        )
        return answer

    def stop_recording(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
    ) -> wire.CallRecordingData:
        """Stop logging successful calls of a connection before the hour is over

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.CallRecordingData = self._send(
            RouteCall(
                "DELETE",
                "/connections/{connectionId}/calls/record",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
                is_wrapped=True,
            )
        )
        return answer


class ServiceRoutes:
    """The gateway itself."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def health(
        self,
    ) -> wire.Health:
        """Check that the gateway answers

        Needs no authentication.
        """
        answer: wire.Health = self._send(
            RouteCall(
                "GET",
                "/healthz",
            )
        )
        return answer

    def list_events(
        self,
        *,
        actor: str | None = None,
        type: Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"] | None = None,
        object: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> wire.AuditPage:
        """List the audit trail of the account, newest first

        The audit trail of the account and all its connections. `actor` is an actor as in the answer, its name, or its kind: `key`, `iam`, `operator`, `session`, `stack`, or `gateway` for the gateway’s own work, such as detecting that a grant has ended. Events are kept for 400 days. Each has in data what the bus and webhooks carry of it. A page may be shorter than limit, or empty, and still have a next page.

        For operators and secret keys with the right read or full.

        Args:
            actor: An actor such as key:f3a1c5d2e4b6, a kind of actor (operator, key, session, gateway), or a name.
            type: One type of event.
            object: Id of an integration, a connection or an end user, or key: followed by the id of a secret key.
            since: Only entries that happened, or ended, at or after this time (ISO 8601).
            until: Only entries before this time (ISO 8601).
            limit: Maximum number of results.
            cursor: Next_cursor of the previous page.
        """
        answer: wire.AuditPage = self._send(
            RouteCall(
                "GET",
                "/events",
                query={"actor": actor, "type": type, "object": object, "since": since, "until": until, "limit": limit, "cursor": cursor},
            )
        )
        return answer

    def iterate_events(
        self,
        *,
        actor: str | None = None,
        type: Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"] | None = None,
        object: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> Iterator[wire.AuditEvent]:
        """The entries of `list_events`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = self.list_events(actor=actor, type=type, object=object, since=since, until=until, limit=limit, cursor=next_one)
            yield from answer["data"]
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    def introduce_operator(
        self,
        *,
        id_token: str,
    ) -> wire.Success:
        """Set the name under which the audit trail shows the signed-in operator

        For the dashboard: takes the ID token of the same sign-in and stores its e-mail address.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.Success = self._send(
            RouteCall(
                "PUT",
                "/account/operator",
                body={"id_token": id_token},
            )
        )
        return answer


class Management:
    """The gateway's own routes, by subject."""

    def __init__(self, send: Send) -> None:
        self.connections = ConnectionsRoutes(send)
        """Links between your end users and their Google accounts."""
        self.connect_sessions = ConnectSessionsRoutes(send)
        """How an end user creates or renews a connection."""
        self.integrations = IntegrationsRoutes(send)
        """A provider with your OAuth client and scopes."""
        self.providers = ProvidersRoutes(send)
        """Providers and what their scopes mean."""
        self.secret_keys = SecretKeysRoutes(send)
        """Keys with which your servers authenticate."""
        self.approvals = ApprovalsRoutes(send)
        """Calls that wait until a person approves them."""
        self.feeds = FeedsRoutes(send)
        """Watched resources and their changes."""
        self.security_events = SecurityEventsRoutes(send)
        """Which Cloud projects Google states security events of accounts and tokens for."""
        self.undo = UndoRoutes(send)
        """What journalled keys have written, and the way back."""
        self.webhooks = WebhooksRoutes(send)
        """Signed events, sent to your own endpoints."""
        self.test_credentials = TestCredentialsRoutes(send)
        """The OAuth clients that quickstart integrations use."""
        self.calls = CallsRoutes(send)
        """The call log: proxied calls, without content."""
        self.service = ServiceRoutes(send)
        """The gateway itself."""


class AsyncConnectionsRoutes:
    """Links between your end users and their Google accounts."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def get_overview(
        self,
    ) -> wire.OverviewData:
        """Get the overview: how many connections work, how many do not, and what needs attention

        Computed from counters and the last count of all connections, so it costs the same for any number of connections. A key that is limited to some integrations sees only those.

        For operators and secret keys with the right read or full.
        """
        answer: wire.OverviewData = await self._send(
            RouteCall(
                "GET",
                "/overview",
                is_wrapped=True,
            )
        )
        return answer

    async def search(
        self,
        *,
        q: str,
        limit: int | None = None,
    ) -> wire.SearchAnswerData:
        """Search connections, integrations and secret keys by any part of their names and ids, best match first

        Every word must be part of one of these texts: for a connection, the end user’s name, e-mail and id, the organization, the provider account, the connection id, or a tag as key=value; for an integration, its name or unique_key; for a secret key, its name or id. Case and accents are ignored. Only callers who may list secret keys find them. total counts connections; total_is_complete is false if there are more than a search can find.

        For operators and secret keys with the right read or full.

        Args:
            q: Words; each must be part of a text of the result.
            limit: Maximum number of results.
        """
        answer: wire.SearchAnswerData = await self._send(
            RouteCall(
                "GET",
                "/search",
                query={"q": q, "limit": limit},
                is_wrapped=True,
            )
        )
        return answer

    async def list(
        self,
        *,
        connection_id: str | None = None,
        search: str | None = None,
        end_user_id: str | None = None,
        end_user_organization_id: str | None = None,
        provider_config_key: str | None = None,
        status: Literal["active", "reauthorization_required"] | None = None,
        health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead", "working"] | None = None,
        cause: Literal["user_revoked", "token_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "delegation_pending", "delegation_missing", "delegation_incomplete", "subject_unknown", "subject_not_allowed", "unknown"] | None = None,
        tags: Mapping[str, str] | None = None,
        sort: Literal["-created", "created", "name", "-name", "last_used", "-last_used"] | None = None,
        include: str | None = None,
        limit: int | None = None,
        page: int | None = None,
        cursor: str | None = None,
        integration_id: str | None = None,
    ) -> wire.ConnectionList:
        """List connections, newest first

        Without limit, a page has up to 2000 connections. Send `page` or `cursor`, not both. Follow next_cursor for more; page reaches at most 10,000 connections. A search finds at most 1,000 connections; sorting by last use works for at most 2,000, after search and filters. The total of a list that is taken from more than 2,000 connections may be minutes old. With health, a page may be short or empty and still have a next page, because every connection of that status is examined.

        For operators and secret keys with the right read or full.

        Args:
            connection_id: Only the connections with this id.
            search: Words; each must be part of the end user’s name, e-mail or id, the organization, the provider account, the connection id, or a tag as key=value.
            end_user_id: Your id of the end user: that of end_user, or of the tag end_user_id where there is no end_user.
            end_user_organization_id: Only connections of this organization.
            provider_config_key: The unique_key of an integration, or several separated by commas.
            status: Only connections in this state. For calls, only those with this result: 404, 4xx, ok or failed.
            health: Working: active, not_used_yet and ends_soon together.
            cause: Only connections that need a new authorization for this reason.
            tags: Only connections with all of these: tags[key]=value.
            sort: Order; - reverses it. The default is -created, newest first.
            include: Additional parts of the answer.
            limit: Maximum number of results.
            page: Starts at 0; for long lists, use cursor.
            cursor: `next_cursor` of the previous page.
            integration_id: Former name of provider_config_key.
        """
        answer: wire.ConnectionList = await self._send(
            RouteCall(
                "GET",
                "/connections",
                query={"connection_id": connection_id, "search": search, "end_user_id": end_user_id, "end_user_organization_id": end_user_organization_id, "provider_config_key": provider_config_key, "status": status, "health": health, "cause": cause, "tags": tags, "sort": sort, "include": include, "limit": limit, "page": page, "cursor": cursor, "integrationId": integration_id},
            )
        )
        return answer

    async def iterate(
        self,
        *,
        connection_id: str | None = None,
        search: str | None = None,
        end_user_id: str | None = None,
        end_user_organization_id: str | None = None,
        provider_config_key: str | None = None,
        status: Literal["active", "reauthorization_required"] | None = None,
        health: Literal["active", "not_used_yet", "failing", "ends_soon", "refused_by_provider", "client_refused", "dead", "working"] | None = None,
        cause: Literal["user_revoked", "token_revoked", "shared_grant_ended", "password_changed", "refresh_token_limit", "account_token_limit", "time_limited_access_over", "admin_restricted", "context_aware_access", "session_length_over", "testing_mode_expired", "unused_six_months", "account_unavailable", "account_restricted", "advanced_protection", "rotation_lost", "credentials_changed", "delegation_pending", "delegation_missing", "delegation_incomplete", "subject_unknown", "subject_not_allowed", "unknown"] | None = None,
        tags: Mapping[str, str] | None = None,
        sort: Literal["-created", "created", "name", "-name", "last_used", "-last_used"] | None = None,
        include: str | None = None,
        limit: int | None = None,
        integration_id: str | None = None,
    ) -> AsyncIterator[wire.ConnectionListItem]:
        """The entries of `list`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = await self.list(connection_id=connection_id, search=search, end_user_id=end_user_id, end_user_organization_id=end_user_organization_id, provider_config_key=provider_config_key, status=status, health=health, cause=cause, tags=tags, sort=sort, include=include, limit=limit, integration_id=integration_id, cursor=next_one)
            for entry in answer["connections"]:
                yield entry
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    async def import_(
        self,
        *,
        provider_config_key: str,
        connection_id: str | None = None,
        subject: str | None = None,
        credentials: wire.ImportConnectionBodyCredentials | None = None,
        consented_at: str | None = None,
        metadata: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        connection_config: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        end_user: wire.ImportConnectionBodyEndUser | None = None,
        organization: NotGiven | wire.ImportConnectionBodyOrganization | None = NOT_GIVEN,
        tags: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> wire.Connection:
        """Import a grant whose refresh token you have; the token is used once to prove it

        With `subject` instead of credentials, a service account acts for this user of a Workspace domain. Repeating the call returns the same connection. Google is asked for a token by the first proxied call.

        For operators and secret keys with the right full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            subject: For an integration of kind delegated, instead of credentials: the user’s primary address.
            credentials: Required unless there is a subject.
            consented_at: When the user gave consent, between 2004 and now.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.Connection = await self._send(
            RouteCall(
                "POST",
                "/connections",
                body={"provider_config_key": provider_config_key, "connection_id": connection_id, "subject": subject, "credentials": credentials, "consented_at": consented_at, "metadata": metadata, "connection_config": connection_config, "end_user": end_user, "organization": organization, "tags": tags},
                nullable=frozenset({"metadata", "connection_config", "organization"}),
                is_once=True,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    async def list_pending_revocations(
        self,
        *,
        provider_config_key: str | None = None,
        limit: int | None = None,
        integration_id: str | None = None,
    ) -> wire.PendingRevocationsData:
        """List grants of deleted connections that are still to be revoked at the provider, oldest first

        A deletion with revoke calls the provider at once; if that fails, the schedule retries until the provider confirms it. A key that is limited to some integrations sees only those.

        For operators and secret keys with the right read or full.

        Args:
            provider_config_key: The unique_key of an integration, or several separated by commas.
            limit: Maximum number of results.
            integration_id: Former name of provider_config_key.
        """
        answer: wire.PendingRevocationsData = await self._send(
            RouteCall(
                "GET",
                "/revocations",
                query={"provider_config_key": provider_config_key, "limit": limit, "integrationId": integration_id},
                is_wrapped=True,
            )
        )
        return answer

    async def get(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        force_refresh: bool | None = None,
        refresh_token: bool | None = None,
        refresh_github_app_jwt_token: bool | None = None,
    ) -> wire.Connection:
        """Get a connection: its state, scopes, account and when its grant will end

        credentials is empty unless the secret key may read credentials. A connection with a dead grant is returned with its diagnosis; only a key that may read credentials gets 424.

        For operators and secret keys with the right read or full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            force_refresh: Refresh the access token first.
            refresh_token: Also return the refresh token; only for keys that may read credentials.
            refresh_github_app_jwt_token: Accepted for compatibility; has no effect.
        """
        answer: wire.Connection = await self._send(
            RouteCall(
                "GET",
                "/connections/{connectionId}",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key, "force_refresh": force_refresh, "refresh_token": refresh_token, "refresh_github_app_jwt_token": refresh_github_app_jwt_token},
            )
        )
        return answer

    async def update(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        end_user: wire.UpdateConnectionBodyEndUser | None = None,
        organization: NotGiven | wire.UpdateConnectionBodyOrganization | None = NOT_GIVEN,
        tags: Mapping[str, str] | None = None,
        budget: NotGiven | wire.UpdateConnectionBodyBudget | None = NOT_GIVEN,
        webhook_url_override: NotGiven | str | None = NOT_GIVEN,
    ) -> wire.Success:
        """Change the end user, the tags and the budget of a connection

        A budget replaces the one before as a whole; null takes it away. Processes of the gateway know it within a minute.

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.Success = await self._send(
            RouteCall(
                "PATCH",
                "/connections/{connectionId}",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
                body={"end_user": end_user, "organization": organization, "tags": tags, "budget": budget, "webhook_url_override": webhook_url_override},
                nullable=frozenset({"organization", "budget", "webhook_url_override"}),
            )
        )
        return answer

    async def delete(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        revoke: bool | Literal["if_last", "force"] | None = None,
    ) -> wire.DeletedConnection:
        """Delete a connection; revoke=true also ends its grant at the provider, and refuses when others share it

        Tokens are erased at once. Revoking the grant at the provider ends every connection that shares it. revoke=true refuses with conflict and names these connections, or with account_not_known if the owner of the grant is unknown; revoke=if_last keeps a shared grant; revoke=force revokes it for all.

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            revoke: Also revoke the grant at the provider. If other connections share the grant: true refuses and names them, if_last keeps the grant, force revokes it for all. For a whole integration, true means force.
        """
        answer: wire.DeletedConnection = await self._send(
            RouteCall(
                "DELETE",
                "/connections/{connectionId}",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key, "revoke": revoke},
            )
        )
        return answer

    async def set_metadata(
        self,
        *,
        connection_id: str | Sequence[str],
        provider_config_key: str,
        metadata: Mapping[str, Any],
    ) -> wire.MetadataEcho:
        """Replace the metadata of one or more connections

        For operators and secret keys with the right full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.MetadataEcho = await self._send(
            RouteCall(
                "POST",
                "/connections/metadata",
                body={"connection_id": connection_id, "provider_config_key": provider_config_key, "metadata": metadata},
            )
        )
        return answer

    async def update_metadata(
        self,
        *,
        connection_id: str | Sequence[str],
        provider_config_key: str,
        metadata: Mapping[str, Any],
    ) -> wire.MetadataEcho:
        """Merge members into the metadata of one or more connections

        Merges one level deep. If one connection is unknown, none is changed.

        For operators and secret keys with the right full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.MetadataEcho = await self._send(
            RouteCall(
                "PATCH",
                "/connections/metadata",
                body={"connection_id": connection_id, "provider_config_key": provider_config_key, "metadata": metadata},
            )
        )
        return answer

    async def refresh(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
    ) -> wire.Connection:
        """Force one refresh now

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.Connection = await self._send(
            RouteCall(
                "POST",
                "/connections/{connectionId}/refresh",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
            )
        )
        return answer

    async def check(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
    ) -> wire.ConnectionCheckData:
        """Check a connection with one harmless call to the provider

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.ConnectionCheckData = await self._send(
            RouteCall(
                "POST",
                "/connections/{connectionId}/check",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
                is_wrapped=True,
            )
        )
        return answer

    async def list_events(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        limit: int | None = None,
        cursor: str | None = None,
        before: str | None = None,
    ) -> wire.EventPage:
        """List the events of a connection, newest first, also after its deletion

        For operators and secret keys with the right read or full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            limit: Maximum number of results.
            cursor: Next_cursor of the previous page.
            before: Former name of cursor.
        """
        answer: wire.EventPage = await self._send(
            RouteCall(
                "GET",
                "/connections/{connectionId}/events",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key, "limit": limit, "cursor": cursor, "before": before},
            )
        )
        return answer

    async def iterate_events(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        limit: int | None = None,
    ) -> AsyncIterator[wire.ConnectionEvent]:
        """The entries of `list_events`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = await self.list_events(connection_id, provider_config_key=provider_config_key, limit=limit, cursor=next_one)
            for entry in answer["events"]:
                yield entry
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    async def try_(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        path: str,
    ) -> wire.TriedCallData:
        """Try one GET at the provider as the connection’s user and get its answer as text

        To see the result of a call, for example from the dashboard. The body is truncated to 256 KB.

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.TriedCallData = await self._send(
            RouteCall(
                "POST",
                "/connections/{connectionId}/try",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
                body={"path": path},
                is_wrapped=True,
            )
        )
        return answer


class AsyncConnectSessionsRoutes:
    """How an end user creates or renews a connection."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def create(
        self,
        *,
        end_user: wire.CreateConnectSessionBodyEndUser | None = None,
        organization: NotGiven | wire.CreateConnectSessionBodyOrganization | None = NOT_GIVEN,
        allowed_integrations: Sequence[str] | None = None,
        integrations_config_defaults: Mapping[str, wire.CreateConnectSessionBodyIntegrationsConfigDefaultsValue] | None = None,
        overrides: Mapping[str, wire.CreateConnectSessionBodyOverridesValue] | None = None,
        webhook_url_override: NotGiven | str | None = NOT_GIVEN,
        tags: Mapping[str, str] | None = None,
        return_url: str | None = None,
        language: Literal["en", "de", "fr", "es", "pt", "ja"] | None = None,
        confirm: bool | None = None,
        pick: wire.CreateConnectSessionBodyPick | None = None,
        reuse_connection: bool | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedConnectSessionData:
        """Create a connect session for one end user; send the user to its connect_link

        The session is valid for 30 minutes and yields at most one connection. Without allowed_integrations, the end user chooses among all integrations. With confirm, the result waits for POST /connect/sessions/confirm. If the end user has a connection that needs a new authorization, a consent with the same Google account reauthorizes it instead of creating a second one; reuse_connection: false always creates one. With pick, the end user selects files in Google Drive for drive.file, for the given connection_id or for a new connection; GET /connect/session then returns them as picked. A session with pick needs exactly one integration in allowed_integrations.

        For operators and secret keys with the right full.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedConnectSessionData = await self._send(
            RouteCall(
                "POST",
                "/connect/sessions",
                body={"end_user": end_user, "organization": organization, "allowed_integrations": allowed_integrations, "integrations_config_defaults": integrations_config_defaults, "overrides": overrides, "webhook_url_override": webhook_url_override, "tags": tags, "return_url": return_url, "language": language, "confirm": confirm, "pick": pick, "reuse_connection": reuse_connection},
                nullable=frozenset({"organization", "webhook_url_override"}),
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    async def delete(
        self,
        *,
        end_user_id: str,
    ) -> wire.DeletedSessions:
        """Delete the connect sessions of an end user, open and finished, with all that they say of the person

        Deletes sessions that name the end user in end_user or in the tag end_user_id, and reconnect links for connections of the end user; connections stay. The links no longer open anything, flows in progress fail, and a grant that waits for confirmation is ended. Repeat the request while has_more is true. A key that is limited to some integrations deletes the sessions that allow only those. Sessions that version 0.2.0 or an earlier one created are not found; they expire by themselves.

        For operators and secret keys with the right full.

        Args:
            end_user_id: Your id of the end user: that of end_user, or of the tag end_user_id where there is no end_user.
        """
        answer: wire.DeletedSessions = await self._send(
            RouteCall(
                "DELETE",
                "/connect/sessions",
                query={"end_user_id": end_user_id},
            )
        )
        return answer

    async def create_reconnect_session(
        self,
        *,
        connection_id: str,
        integration_id: str,
        end_user: wire.CreateReconnectSessionBodyEndUser | None = None,
        organization: NotGiven | wire.CreateReconnectSessionBodyOrganization | None = NOT_GIVEN,
        integrations_config_defaults: Mapping[str, wire.CreateReconnectSessionBodyIntegrationsConfigDefaultsValue] | None = None,
        overrides: Mapping[str, wire.CreateReconnectSessionBodyOverridesValue] | None = None,
        webhook_url_override: NotGiven | str | None = NOT_GIVEN,
        tags: Mapping[str, str] | None = None,
        return_url: str | None = None,
        language: Literal["en", "de", "fr", "es", "pt", "ja"] | None = None,
        confirm: bool | None = None,
        allow_account_change: bool | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedConnectSessionData:
        """Create a connect session that reauthorizes an existing connection

        For operators and secret keys with the right full.

        Args:
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            integration_id: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedConnectSessionData = await self._send(
            RouteCall(
                "POST",
                "/connect/sessions/reconnect",
                body={"connection_id": connection_id, "integration_id": integration_id, "end_user": end_user, "organization": organization, "integrations_config_defaults": integrations_config_defaults, "overrides": overrides, "webhook_url_override": webhook_url_override, "tags": tags, "return_url": return_url, "language": language, "confirm": confirm, "allow_account_change": allow_account_change},
                nullable=frozenset({"organization", "webhook_url_override"}),
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    async def create_admin_session(
        self,
        *,
        integration_id: str,
        organization: wire.CreateAdminSessionBodyOrganization,
        language: Literal["en", "de", "fr", "es", "pt", "ja"] | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedConnectSessionData:
        """Create a link for the administrator of a Workspace domain, who lists a service account and checks it

        For integrations of kind delegated. The link is valid for seven days. Its page has what to list at Google and checks it with an address of the domain, scope by scope. A domain belongs to the organization whose administrator checked it first; the links of other organizations answer 409 for it.

        For operators and secret keys with the right full.

        Args:
            integration_id: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            organization: The customer whose administrator this is for.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedConnectSessionData = await self._send(
            RouteCall(
                "POST",
                "/connect/sessions/admin",
                body={"integration_id": integration_id, "organization": organization, "language": language},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    async def list_reconnect_links(
        self,
    ) -> List[wire.ListReconnectLinksAnswerData]:
        """List the latest batches of reconnect links, and how many users came back

        The newest 20 batches. Results are kept for 90 days.

        For operators and secret keys with the right read or full.
        """
        answer: List[wire.ListReconnectLinksAnswerData] = await self._send(
            RouteCall(
                "GET",
                "/connect/reconnect-links",
                is_wrapped=True,
            )
        )
        return answer

    async def create_reconnect_links(
        self,
        *,
        connections: Sequence[wire.CreateReconnectLinksBodyConnection] | None = None,
        all_dead: wire.CreateReconnectLinksBodyAllDead | None = None,
        lifetime_sec: int | None = None,
        message: str | None = None,
        language: Literal["en", "de", "fr", "es", "pt", "ja"] | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedReconnectLinks:
        """Create reconnect links for many connections, to be sent to their end users

        Each link works once, only for the Google account of its connection, and is shown only this once. Connections that cannot have a link are listed in refused with a reason; the others get theirs. Each comes with a message, in the language in which its end user read the pages when they connected: in the gateway’s own words, or in those of message, which may contain {link}, {name}, {integration} and {expires}; {integration} becomes the name that readers of that language see. language is for end users whose language is not known, such as those of imported connections; without it their message is in English and the page in the language of their browser. all_dead selects the next 100 connections that need a new authorization; continue with its next_cursor.

        For operators and secret keys with the right full.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedReconnectLinks = await self._send(
            RouteCall(
                "POST",
                "/connect/reconnect-links",
                body={"connections": connections, "all_dead": all_dead, "lifetime_sec": lifetime_sec, "message": message, "language": language},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    async def get_reconnect_links(
        self,
        batch_id: str,
    ) -> wire.ReconnectLinks:
        """Get what became of each reconnect link of a batch

        For operators and secret keys with the right read or full.

        Args:
            batch_id: The batch’s id.
        """
        answer: wire.ReconnectLinks = await self._send(
            RouteCall(
                "GET",
                "/connect/reconnect-links/{batchId}",
                ids={"batchId": batch_id},
                is_wrapped=True,
            )
        )
        return answer

    async def revoke_reconnect_links(
        self,
        batch_id: str,
    ) -> wire.Success:
        """Withdraw a batch of reconnect links: none of them works from then on

        A key that is limited to some integrations withdraws only the links of those; the others still work.

        For operators and secret keys with the right full.

        Args:
            batch_id: The batch’s id.
        """
        answer: wire.Success = await self._send(
            RouteCall(
                "DELETE",
                "/connect/reconnect-links/{batchId}",
                ids={"batchId": batch_id},
            )
        )
        return answer

    async def confirm_connection(
        self,
        *,
        handle: str,
        end_user_id: str,
        idempotency_key: str | None = None,
    ) -> wire.ConfirmedConnectionData:
        """Confirm that the browser which finished a session with confirm belongs to its end user

        For sessions created with confirm: true. The browser that finished brings a handle to your app, as confirmation_handle in the return URL or as confirmationHandle from connect(). Send it within 15 minutes, with the id of the user who is signed in to your app in that browser. If the session was created for another user, the answer is 409 and the grant is ended. A handle works once.

        For operators and secret keys with the right full.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.ConfirmedConnectionData = await self._send(
            RouteCall(
                "POST",
                "/connect/sessions/confirm",
                body={"handle": handle, "end_user_id": end_user_id},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    async def get(
        self,
        session_token: str,
    ) -> wire.ConnectSessionData:
        """Get what a connect session allows and how far it has come

        Args:
            session_token: `token` of the connect session; stands in for the secret key.
        """
        answer: wire.ConnectSessionData = await self._send(
            RouteCall(
                "GET",
                "/connect/session",
                session_token=session_token,
                is_wrapped=True,
            )
        )
        return answer

    async def end(
        self,
        session_token: str,
    ) -> None:
        """End a connect session

        Args:
            session_token: `token` of the connect session; stands in for the secret key.
        """
        await self._send(
            RouteCall(
                "DELETE",
                "/connect/session",
                session_token=session_token,
            )
        )

    async def start_authorization(
        self,
        session_token: str,
        *,
        provider_config_key: str | None = None,
        opener_origin: str | None = None,
    ) -> wire.StartedAuthorizationData:
        """Start an authorization in this browser

        Args:
            session_token: `token` of the connect session; stands in for the secret key.
            provider_config_key: May be omitted if the session allows only one.
            opener_origin: Allowed origin of the window that waits for the result.
        """
        answer: wire.StartedAuthorizationData = await self._send(
            RouteCall(
                "POST",
                "/connect/authorizations",
                body={"provider_config_key": provider_config_key, "opener_origin": opener_origin},
                session_token=session_token,
                is_wrapped=True,
            )
        )
        return answer


class AsyncIntegrationsRoutes:
    """A provider with your OAuth client and scopes."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def list_agent_tools(
        self,
    ) -> List[wire.AgentToolList]:
        """List the tools of Google’s MCP servers, with those that wait to be accepted

        Empty until an assistant has asked for tools of an agentic integration, or POST /agent-tools/fetch has fetched them.

        For operators and secret keys with the right read or full.
        """
        answer: List[wire.AgentToolList] = await self._send(
            RouteCall(
                "GET",
                "/agent-tools",
                is_wrapped=True,
            )
        )
        return answer

    async def fetch_agent_tools(
        self,
    ) -> List[wire.AgentToolList]:
        """Fetch the tools of Google’s MCP servers now; the gateway does so every 15 minutes while they are used

        A server that cannot be reached leaves its list as it was.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: List[wire.AgentToolList] = await self._send(
            RouteCall(
                "POST",
                "/agent-tools/fetch",
                is_wrapped=True,
            )
        )
        return answer

    async def accept_agent_tools(
        self,
        provider: str,
        *,
        endpoint: Literal["full", "self"],
        tools: Sequence[wire.AcceptAgentToolsBodyTool],
    ) -> wire.AgentToolList:
        """Accept changed or new tools as they are now, so that assistants are offered them

        hash is the one under waiting: a tool that has changed again since is a 409, and none is accepted.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.AgentToolList = await self._send(
            RouteCall(
                "POST",
                "/agent-tools/{provider}/accept",
                ids={"provider": provider},
                body={"endpoint": endpoint, "tools": tools},
                is_wrapped=True,
            )
        )
        return answer

    async def list(
        self,
        *,
        cursor: str | None = None,
    ) -> wire.IntegrationList:
        """List integrations, newest first

        For operators and secret keys with the right read or full.

        Args:
            cursor: `next_cursor` of the previous page.
        """
        answer: wire.IntegrationList = await self._send(
            RouteCall(
                "GET",
                "/integrations",
                query={"cursor": cursor},
            )
        )
        return answer

    async def iterate(
        self,
    ) -> AsyncIterator[wire.Integration]:
        """The entries of `list`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = await self.list(cursor=next_one)
            for entry in answer["data"]:
                yield entry
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    async def create(
        self,
        *,
        provider: Literal["google-drive", "google-calendar"],
        unique_key: str,
        display_name: str | None = None,
        public_name: NotGiven | str | None = NOT_GIVEN,
        public_names: NotGiven | wire.CreateIntegrationBodyPublicNames | None = NOT_GIVEN,
        scopes: Sequence[str] | None = None,
        publishing_status: Literal["testing", "production"] | None = None,
        audience: Literal["external", "internal"] | None = None,
        mode: Literal["test", "live"] | None = None,
        include_granted_scopes: bool | None = None,
        hosted_domain: NotGiven | str | None = NOT_GIVEN,
        budget: NotGiven | wire.CreateIntegrationBodyBudget | None = NOT_GIVEN,
        quota: NotGiven | wire.CreateIntegrationBodyQuota | None = NOT_GIVEN,
        kind: Literal["oauth", "delegated"] | None = None,
        delegation: wire.CreateIntegrationBodyDelegation | None = None,
        agentic: bool | None = None,
        credentials: wire.CreateIntegrationBodyCredentials | None = None,
        credentials_source: Literal["own", "test"] | None = None,
        forward_webhooks: bool | None = None,
        integration_config: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        custom: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        idempotency_key: str | None = None,
    ) -> wire.ChangedIntegration:
        """Create an integration with your own OAuth client, or with the operator’s test credentials

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            unique_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            kind: Delegated: a service account acts for users of Workspace domains. The default is oauth.
            agentic: True where the OAuth client is marked for AI agents at Google: assistants call Google’s MCP servers with it, and the gateway sends no REST calls. Fixed for the life of the integration. The default is false.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.ChangedIntegration = await self._send(
            RouteCall(
                "POST",
                "/integrations",
                body={"provider": provider, "unique_key": unique_key, "display_name": display_name, "public_name": public_name, "public_names": public_names, "scopes": scopes, "publishing_status": publishing_status, "audience": audience, "mode": mode, "include_granted_scopes": include_granted_scopes, "hosted_domain": hosted_domain, "budget": budget, "quota": quota, "kind": kind, "delegation": delegation, "agentic": agentic, "credentials": credentials, "credentials_source": credentials_source, "forward_webhooks": forward_webhooks, "integration_config": integration_config, "custom": custom},
                nullable=frozenset({"public_name", "public_names", "hosted_domain", "budget", "quota", "integration_config", "custom"}),
                is_once=True,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    async def create_quickstart(
        self,
        *,
        provider: Literal["google-drive", "google-calendar"],
        unique_key: str,
        display_name: str | None = None,
        public_name: NotGiven | str | None = NOT_GIVEN,
        public_names: NotGiven | wire.CreateQuickstartIntegrationBodyPublicNames | None = NOT_GIVEN,
        scopes: Sequence[str] | None = None,
        publishing_status: Literal["testing", "production"] | None = None,
        audience: Literal["external", "internal"] | None = None,
        mode: Literal["test", "live"] | None = None,
        include_granted_scopes: bool | None = None,
        hosted_domain: NotGiven | str | None = NOT_GIVEN,
        budget: NotGiven | wire.CreateQuickstartIntegrationBodyBudget | None = NOT_GIVEN,
        quota: NotGiven | wire.CreateQuickstartIntegrationBodyQuota | None = NOT_GIVEN,
        forward_webhooks: bool | None = None,
        integration_config: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        custom: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        idempotency_key: str | None = None,
    ) -> wire.ChangedIntegration:
        """Create an integration on the operator’s test credentials

        For trials: such an integration stays in test mode until it gets your own OAuth client.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            unique_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.ChangedIntegration = await self._send(
            RouteCall(
                "POST",
                "/integrations/quickstart",
                body={"provider": provider, "unique_key": unique_key, "display_name": display_name, "public_name": public_name, "public_names": public_names, "scopes": scopes, "publishing_status": publishing_status, "audience": audience, "mode": mode, "include_granted_scopes": include_granted_scopes, "hosted_domain": hosted_domain, "budget": budget, "quota": quota, "forward_webhooks": forward_webhooks, "integration_config": integration_config, "custom": custom},
                nullable=frozenset({"public_name", "public_names", "hosted_domain", "budget", "quota", "integration_config", "custom"}),
                is_once=True,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    async def get(
        self,
        integration_id: str,
        *,
        include: Literal["webhook", "credentials"] | Sequence[Literal["webhook", "credentials"]] | None = None,
    ) -> wire.Integration:
        """Get an integration

        For operators and secret keys with the right read or full.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
            include: Additional parts of the answer.
        """
        answer: wire.Integration = await self._send(
            RouteCall(
                "GET",
                "/integrations/{integrationId}",
                ids={"integrationId": integration_id},
                query={"include": include},
                is_wrapped=True,
            )
        )
        return answer

    async def update(
        self,
        integration_id: str,
        *,
        force: bool | None = None,
        unique_key: str | None = None,
        display_name: str | None = None,
        public_name: NotGiven | str | None = NOT_GIVEN,
        public_names: NotGiven | wire.UpdateIntegrationBodyPublicNames | None = NOT_GIVEN,
        scopes: Sequence[str] | None = None,
        publishing_status: Literal["testing", "production"] | None = None,
        audience: Literal["external", "internal"] | None = None,
        mode: Literal["test", "live"] | None = None,
        include_granted_scopes: bool | None = None,
        hosted_domain: NotGiven | str | None = NOT_GIVEN,
        budget: NotGiven | wire.UpdateIntegrationBodyBudget | None = NOT_GIVEN,
        quota: NotGiven | wire.UpdateIntegrationBodyQuota | None = NOT_GIVEN,
        delegation: wire.UpdateIntegrationBodyDelegation | None = None,
        agentic: bool | None = None,
        credentials: wire.UpdateIntegrationBodyCredentials | None = None,
        credentials_source: Literal["own", "test"] | None = None,
        forward_webhooks: bool | None = None,
        integration_config: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
        custom: NotGiven | Mapping[str, Any] | None = NOT_GIVEN,
    ) -> wire.ChangedIntegration:
        """Change an integration; a new client_secret under the same client_id is a rotation without downtime

        An integration with connections cannot be renamed. warnings describe the consequences of the change.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
            force: Make the change even if a CloudFormation stack declares this.
            unique_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            agentic: Fixed when the integration is created; only the present value is accepted.
        """
        answer: wire.ChangedIntegration = await self._send(
            RouteCall(
                "PATCH",
                "/integrations/{integrationId}",
                ids={"integrationId": integration_id},
                query={"force": force},
                body={"unique_key": unique_key, "display_name": display_name, "public_name": public_name, "public_names": public_names, "scopes": scopes, "publishing_status": publishing_status, "audience": audience, "mode": mode, "include_granted_scopes": include_granted_scopes, "hosted_domain": hosted_domain, "budget": budget, "quota": quota, "delegation": delegation, "agentic": agentic, "credentials": credentials, "credentials_source": credentials_source, "forward_webhooks": forward_webhooks, "integration_config": integration_config, "custom": custom},
                nullable=frozenset({"public_name", "public_names", "hosted_domain", "budget", "quota", "integration_config", "custom"}),
            )
        )
        return answer

    async def delete(
        self,
        integration_id: str,
        *,
        force: bool | None = None,
        revoke: bool | Literal["if_last", "force"] | None = None,
        if_unused: bool | None = None,
    ) -> wire.DeletedIntegration:
        """Delete an integration with all its connections; a large one takes several calls

        With many connections the answer is 503 with Retry-After until all are deleted: repeat the call. if_unused=true refuses with 409 while the integration has connections.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
            force: Make the change even if a CloudFormation stack declares this.
            revoke: Also revoke the grant at the provider. If other connections share the grant: true refuses and names them, if_last keeps the grant, force revokes it for all. For a whole integration, true means force.
        """
        answer: wire.DeletedIntegration = await self._send(
            RouteCall(
                "DELETE",
                "/integrations/{integrationId}",
                ids={"integrationId": integration_id},
                query={"force": force, "revoke": revoke, "if_unused": if_unused},
            )
        )
        return answer

    async def get_delegation(
        self,
        integration_id: str,
    ) -> wire.DelegationAnswer:
        """Get what administrators have to list for a service account, and how it stands in each domain

        For operators and secret keys with the right read or full.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
        """
        answer: wire.DelegationAnswer = await self._send(
            RouteCall(
                "GET",
                "/integrations/{integrationId}/delegation",
                ids={"integrationId": integration_id},
            )
        )
        return answer

    async def check_delegation(
        self,
        integration_id: str,
        *,
        address: str,
    ) -> wire.DelegationCheck:
        """Ask Google whether a service account may act for a user, scope by scope

        Names the scope that is missing. If all are listed, every connection of the domain works again at once. What an administrator has changed may take up to 24 hours to count. The token of an administrator’s session opens it too; a domain then belongs to the organization that checked it first.

        For operators and secret keys with the right full.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
            address: The address of any user of the domain.
        """
        answer: wire.DelegationCheck = await self._send(
            RouteCall(
                "POST",
                "/integrations/{integrationId}/delegation/check",
                ids={"integrationId": integration_id},
                body={"address": address},
                is_wrapped=True,
            )
        )
        return answer

    async def get_readiness(
        self,
        integration_id: str,
    ) -> wire.ReadinessData:
        """Get what going live still needs: scopes by review class, publishing status, open steps

        For operators and secret keys with the right read or full.

        Args:
            integration_id: The integration’s unique_key, percent-encoded.
        """
        answer: wire.ReadinessData = await self._send(
            RouteCall(
                "GET",
                "/integrations/{integrationId}/readiness",
                ids={"integrationId": integration_id},
                is_wrapped=True,
            )
        )
        return answer


class AsyncProvidersRoutes:
    """Providers and what their scopes mean."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def list(
        self,
        *,
        search: str | None = None,
    ) -> List[wire.Provider]:
        """List providers with their scopes, what each means and how strictly it is reviewed

        For operators and secret keys with the right read or full.

        Args:
            search: Words; each must be part of the end user’s name, e-mail or id, the organization, the provider account, the connection id, or a tag as key=value.
        """
        answer: List[wire.Provider] = await self._send(
            RouteCall(
                "GET",
                "/providers",
                query={"search": search},
                is_wrapped=True,
            )
        )
        return answer

    async def get(
        self,
        provider: str,
    ) -> wire.Provider:
        """Get a provider

        For operators and secret keys with the right read or full.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.Provider = await self._send(
            RouteCall(
                "GET",
                "/providers/{provider}",
                ids={"provider": provider},
                is_wrapped=True,
            )
        )
        return answer

    async def check_client(
        self,
        provider: str,
        *,
        client_id: str,
        client_secret: str,
    ) -> wire.ClientCheck:
        """Ask a provider whether it accepts an OAuth client, before the client is stored

        The gateway sends the token endpoint a code that was never given. The provider authenticates the client before it refuses the code, so its answer shows whether the client id and the secret are right. Nothing is granted or stored.

        For operators and secret keys with the right full.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.ClientCheck = await self._send(
            RouteCall(
                "POST",
                "/providers/{provider}/check-client",
                ids={"provider": provider},
                body={"client_id": client_id, "client_secret": client_secret},
                is_wrapped=True,
            )
        )
        return answer


class AsyncSecretKeysRoutes:
    """Keys with which your servers authenticate."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def list(
        self,
        *,
        cursor: str | None = None,
    ) -> wire.SecretKeyList:
        """List secret keys and registered roles, newest first, without their text

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            cursor: `next_cursor` of the previous page.
        """
        answer: wire.SecretKeyList = await self._send(
            RouteCall(
                "GET",
                "/account/keys",
                query={"cursor": cursor},
            )
        )
        return answer

    async def iterate(
        self,
    ) -> AsyncIterator[wire.SecretKey]:
        """The entries of `list`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = await self.list(cursor=next_one)
            for entry in answer["data"]:
                yield entry
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    async def create(
        self,
        *,
        name: str,
        right: Literal["proxy", "read", "full"],
        integration_ids: Sequence[str] | None = None,
        can_read_credentials: bool | None = None,
        limits: wire.CreateSecretKeyBodyLimits | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedSecretKeyData:
        """Create a secret key; its text is shown only this once

        A caller can grant only rights that it has: can_read_credentials can be set by keys that have it, and by operators who signed in with a second factor within the last five minutes.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedSecretKeyData = await self._send(
            RouteCall(
                "POST",
                "/account/keys",
                body={"name": name, "right": right, "integration_ids": integration_ids, "can_read_credentials": can_read_credentials, "limits": limits},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    async def register_role(
        self,
        *,
        name: str,
        right: Literal["proxy", "read", "full"],
        role_arn: str,
        integration_ids: Sequence[str] | None = None,
        can_read_credentials: bool | None = None,
        limits: wire.RegisterRoleBodyLimits | None = None,
        role_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> wire.SecretKey:
        """Let an IAM role call instead of a secret key, below /iam

        The role signs its calls as AWS services expect it (Signature Version 4, service execute-api). It is listed, limited and revoked with the secret keys. A role that was revoked can be registered again. A caller can grant only rights that it has: can_read_credentials can be set by keys that have it, and by operators who signed in with a second factor within the last five minutes.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.SecretKey = await self._send(
            RouteCall(
                "POST",
                "/account/roles",
                body={"name": name, "right": right, "integration_ids": integration_ids, "can_read_credentials": can_read_credentials, "limits": limits, "role_arn": role_arn, "role_id": role_id},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    async def update(
        self,
        key_id: str,
        *,
        limits: wire.UpdateSecretKeyBodyLimits | None,
        force: bool | None = None,
    ) -> wire.SecretKey:
        """Set or take away the limits of a secret key or role; they hold everywhere within a minute

        The limits are replaced as a whole; null takes them away. Only keys with the right proxy can have limits. A method that a later version of the gateway adds is not among those that named limits leave, until they are set again.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            key_id: The id from GET /account/keys: SHA-256 of the key in hex.
            force: Make the change even if a CloudFormation stack declares this.
        """
        answer: wire.SecretKey = await self._send(
            RouteCall(
                "PATCH",
                "/account/keys/{keyId}",
                ids={"keyId": key_id},
                query={"force": force},
                body={"limits": limits},
                nullable=frozenset({"limits"}),
                is_wrapped=True,
            )
        )
        return answer

    async def revoke(
        self,
        key_id: str,
    ) -> wire.Success:
        """Revoke a secret key or role; it stops working everywhere within a minute

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            key_id: The id from GET /account/keys: SHA-256 of the key in hex.
        """
        answer: wire.Success = await self._send(
            RouteCall(
                "DELETE",
                "/account/keys/{keyId}",
                ids={"keyId": key_id},
            )
        )
        return answer

    async def read_observed_calls(
        self,
        key_id: str,
    ) -> wire.ObservedCallsData:
        """Get which calls of a week the limits of a secret key or role would have refused, by limit and method

        Limits with the mode observe let every call pass and count what enforce would refuse. A call is here within five minutes of its end. Calls that earlier limits of the key observed are among them: last_at says how old they are.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            key_id: The id from GET /account/keys: SHA-256 of the key in hex.
        """
        answer: wire.ObservedCallsData = await self._send(
            RouteCall(
                "GET",
                "/account/keys/{keyId}/observed",
                ids={"keyId": key_id},
                is_wrapped=True,
            )
        )
        return answer

    async def list_limit_methods(
        self,
    ) -> List[wire.LimitMethod]:
        """List the methods and sets that limits of keys can name

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: List[wire.LimitMethod] = await self._send(
            RouteCall(
                "GET",
                "/account/limits/catalogue",
                is_wrapped=True,
            )
        )
        return answer

    async def create_agent(
        self,
        *,
        name: str,
        end_user_id: str | None = None,
        integrations: Sequence[str] | None = None,
        connections: Sequence[wire.CreateAgentBodyConnection] | None = None,
        tools: Sequence[Literal["drive_search_files", "drive_list_recent_files", "drive_get_file_metadata", "drive_read_file_content", "drive_create_file", "drive_copy_file", "drive_rename_or_move_file", "drive_update_file_content", "drive_trash_file", "calendar_list_calendars", "calendar_list_events", "calendar_get_event", "calendar_find_free_time", "calendar_create_event", "calendar_update_event", "calendar_respond_to_event", "calendar_delete_event", "gateway_approval_status", "drive_google_search_files", "drive_google_list_recent_files", "drive_google_get_file_metadata", "drive_google_get_file_permissions", "drive_google_read_file_content", "drive_google_download_file_content", "drive_google_create_file", "drive_google_copy_file", "calendar_google_list_calendars", "calendar_google_list_events", "calendar_google_get_event", "calendar_google_search_events", "calendar_google_suggest_time", "calendar_google_create_event", "calendar_google_update_event", "calendar_google_delete_event", "calendar_google_respond_to_event"]] | None = None,
        limits: wire.CreateAgentBodyLimits | None = None,
        idempotency_key: str | None = None,
    ) -> wire.CreatedAgentData:
        """Create a key for an assistant, which calls tools at /mcp; its text is shown only this once

        The key is bound to the connections of one end user, at most one of each provider, and works only at /mcp. It always has limits. Defaults: 60 calls a minute, 500 calls, 200,000 units and 100 MB a day, 30 days of life, a journal (`journal: false` switches it off) and, where no methods are named, reading. It is listed, limited and revoked with the secret keys. Several connections of one provider need the tag agent: primary on one of them, or are named themselves.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.CreatedAgentData = await self._send(
            RouteCall(
                "POST",
                "/account/agents",
                body={"name": name, "end_user_id": end_user_id, "integrations": integrations, "connections": connections, "tools": tools, "limits": limits},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer


class AsyncApprovalsRoutes:
    """Calls that wait until a person approves them."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def list(
        self,
        *,
        about: bool | None = None,
    ) -> List[wire.Approval]:
        """List calls of the last day that a person was asked to approve, newest first

        For operators and secret keys with the right read or full.

        Args:
            about: False: about is null, and nothing is read at Google. Default: true.
        """
        answer: List[wire.Approval] = await self._send(
            RouteCall(
                "GET",
                "/approvals",
                query={"about": about},
                is_wrapped=True,
            )
        )
        return answer

    async def read(
        self,
        approval_id: str,
    ) -> wire.ShownApproval:
        """Get how a call stands that a person has to approve, and its result

        Answers 202 while nobody has decided or the call is on its way. The key that called gets Google’s answer in result. Keys with the right proxy see their own approvals only.

        For operators and secret keys with the right read or full.
        """
        answer: wire.ShownApproval = await self._send(
            RouteCall(
                "GET",
                "/approvals/{approvalId}",
                ids={"approvalId": approval_id},
                is_wrapped=True,
            )
        )
        return answer

    async def create_session(
        self,
        approval_id: str,
    ) -> wire.ApprovalLink:
        """Create a link with which an end user decides in one browser

        For a user who is signed in to your app: the first browser that opens the link decides as the end user, so give it to that user only. It works in that browser only, for ten minutes. A full key can therefore approve: every link is an event (ApprovalLinkCreated) and the record names its maker.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.ApprovalLink = await self._send(
            RouteCall(
                "POST",
                "/approvals/{approvalId}/session",
                ids={"approvalId": approval_id},
                is_wrapped=True,
            )
        )
        return answer

    async def decide(
        self,
        approval_id: str,
        *,
        decision: Literal["approve", "refuse"],
        seen: NotGiven | str | None = NOT_GIVEN,
    ) -> wire.Approval:
        """Approve or refuse a call as an operator

        Only a signed-in operator can: a key proves no person, and neither does the address of the page. What is approved is sent once, within seconds, if the object is still as seen says.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            seen: About.seen of the approval that was looked at.
        """
        answer: wire.Approval = await self._send(
            RouteCall(
                "POST",
                "/approvals/{approvalId}/decision",
                ids={"approvalId": approval_id},
                body={"decision": decision, "seen": seen},
                nullable=frozenset({"seen"}),
                is_wrapped=True,
            )
        )
        return answer


class AsyncFeedsRoutes:
    """Watched resources and their changes."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def list(
        self,
        *,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        cursor: str | None = None,
    ) -> wire.FeedPage:
        """List feeds of the account or of one connection, newest first

        `connection_id` also needs `provider_config_key`.

        For operators and secret keys with the right read or full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            cursor: `next_cursor` of the previous page.
        """
        answer: wire.FeedPage = await self._send(
            RouteCall(
                "GET",
                "/feeds",
                query={"provider_config_key": provider_config_key, "connection_id": connection_id, "cursor": cursor},
            )
        )
        return answer

    async def iterate(
        self,
        *,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
    ) -> AsyncIterator[wire.FeedSummary]:
        """The entries of `list`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = await self.list(provider_config_key=provider_config_key, connection_id=connection_id, cursor=next_one)
            for entry in answer["data"]:
                yield entry
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    async def create(
        self,
        *,
        provider_config_key: str,
        connection_id: str,
        resource: str,
        delivery: Literal["bus", "pull"] | None = None,
        safety_interval_sec: int | None = None,
        poll_interval_sec: int | None = None,
        meaning: bool | None = None,
        seen: bool | None = None,
        reminders: Sequence[int] | None = None,
        idempotency_key: str | None = None,
    ) -> wire.Feed:
        """Create a feed that watches a resource; for the same resource again it returns the existing feed

        Opens a push channel and stores the position in the history before it answers. To miss nothing, list everything once when `state` is no longer `starting`, then read the changes. If push is not available, the feed polls and says why.

        For operators and secret keys with the right full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.Feed = await self._send(
            RouteCall(
                "POST",
                "/feeds",
                body={"provider_config_key": provider_config_key, "connection_id": connection_id, "resource": resource, "delivery": delivery, "safety_interval_sec": safety_interval_sec, "poll_interval_sec": poll_interval_sec, "meaning": meaning, "seen": seen, "reminders": reminders},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    async def get(
        self,
        feed_id: str,
    ) -> wire.Feed:
        """Get a feed with its state, its last message and the cursors of its consumers

        For operators and secret keys with the right read or full.
        """
        answer: wire.Feed = await self._send(
            RouteCall(
                "GET",
                "/feeds/{feedId}",
                ids={"feedId": feed_id},
                is_wrapped=True,
            )
        )
        return answer

    async def update(
        self,
        feed_id: str,
        *,
        force: bool | None = None,
        delivery: Literal["bus", "pull"] | None = None,
        safety_interval_sec: int | None = None,
        poll_interval_sec: int | None = None,
        meaning: bool | None = None,
        seen: bool | None = None,
        reminders: Sequence[int] | None = None,
    ) -> wire.Feed:
        """Change how a feed is delivered, how often it is polled, whether changes have a meaning, and reminders

        The position in the history is kept. New settings apply from the next pull. Without `meaning`, what the feed remembers is erased.

        For operators and secret keys with the right full.

        Args:
            force: Make the change even if a CloudFormation stack declares this.
        """
        answer: wire.Feed = await self._send(
            RouteCall(
                "PATCH",
                "/feeds/{feedId}",
                ids={"feedId": feed_id},
                query={"force": force},
                body={"delivery": delivery, "safety_interval_sec": safety_interval_sec, "poll_interval_sec": poll_interval_sec, "meaning": meaning, "seen": seen, "reminders": reminders},
                is_wrapped=True,
            )
        )
        return answer

    async def delete(
        self,
        feed_id: str,
        *,
        force: bool | None = None,
    ) -> wire.Success:
        """Stop a feed’s channels and delete it

        For operators and secret keys with the right full.

        Args:
            force: Make the change even if a CloudFormation stack declares this.
        """
        answer: wire.Success = await self._send(
            RouteCall(
                "DELETE",
                "/feeds/{feedId}",
                ids={"feedId": feed_id},
                query={"force": force},
            )
        )
        return answer

    async def pull(
        self,
        feed_id: str,
    ) -> wire.Feed:
        """Pull now, whatever is due

        Waits for the pull. If another pull is running, the answer shows the present state of the feed. If the pull waits for Google’s quota, `state` is `waiting`, `reason` says for which, and `next_pull_at` until when.

        For operators and secret keys with the right full.
        """
        answer: wire.Feed = await self._send(
            RouteCall(
                "POST",
                "/feeds/{feedId}/pull",
                ids={"feedId": feed_id},
                is_wrapped=True,
            )
        )
        return answer

    async def list_changes(
        self,
        feed_id: str,
        *,
        after: int | None = None,
        name: str | None = None,
        limit: int | None = None,
    ) -> wire.FeedChanges:
        """List the batches after a sequence number or after a named cursor, in order

        Send either `after` or `name`, one of them. All stored batches above `after`, in order and without gaps. Up to 10,000 batches are stored for 14 days. Reading removes nothing: remember the sequence of the last batch that you have processed, or store it in the gateway under a name (`PUT …/cursors/{name}`) and send `name`.

        For operators and secret keys with the right read or full.

        Args:
            limit: Maximum number of results.
        """
        answer: wire.FeedChanges = await self._send(
            RouteCall(
                "GET",
                "/feeds/{feedId}/changes",
                ids={"feedId": feed_id},
                query={"after": after, "name": name, "limit": limit},
            )
        )
        return answer

    async def move_cursor(
        self,
        feed_id: str,
        name: str,
        *,
        sequence: int,
    ) -> wire.FeedCursor:
        """Store how far a consumer has read

        Each consumer needs its own name. The feed shows the lag of each.

        For operators and secret keys with the right full.
        """
        answer: wire.FeedCursor = await self._send(
            RouteCall(
                "PUT",
                "/feeds/{feedId}/cursors/{name}",
                ids={"feedId": feed_id, "name": name},
                body={"sequence": sequence},
                is_wrapped=True,
            )
        )
        return answer

    async def delete_cursor(
        self,
        feed_id: str,
        name: str,
    ) -> wire.Success:
        """Delete a consumer’s cursor

        For operators and secret keys with the right full.
        """
        answer: wire.Success = await self._send(
            RouteCall(
                "DELETE",
                "/feeds/{feedId}/cursors/{name}",
                ids={"feedId": feed_id, "name": name},
            )
        )
        return answer


class AsyncSecurityEventsRoutes:
    """Which Cloud projects Google states security events of accounts and tokens for."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def list_projects(
        self,
    ) -> wire.SecurityEventsData:
        """List the Cloud projects of the account and whether their security events reach the gateway

        Google states security events of accounts and tokens (Cross-Account Protection) to one receiver of each Cloud project, which the owner of the project registers: gateway security-events register.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.SecurityEventsData = await self._send(
            RouteCall(
                "GET",
                "/security-events",
                is_wrapped=True,
            )
        )
        return answer

    async def register(
        self,
        cloud_project: str,
        *,
        verification: NotGiven | str | None = NOT_GIVEN,
    ) -> wire.SecurityEventProject:
        """Accept the security events of a Cloud project, and expect a verification

        Google signs its statements, and the gateway accepts those for registered projects. Register the receiver at Google as well: the command gateway security-events register does both.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            verification: Text that the next verification from Google must contain.
        """
        answer: wire.SecurityEventProject = await self._send(
            RouteCall(
                "PUT",
                "/security-events/{cloudProject}",
                ids={"cloudProject": cloud_project},
                body={"verification": verification},
                nullable=frozenset({"verification"}),
                is_wrapped=True,
            )
        )
        return answer

    async def remove(
        self,
        cloud_project: str,
    ) -> wire.Success:
        """Refuse the security events of a Cloud project from now on

        Disable the stream at Google as well: the command gateway security-events off does both.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.Success = await self._send(
            RouteCall(
                "DELETE",
                "/security-events/{cloudProject}",
                ids={"cloudProject": cloud_project},
            )
        )
        return answer


class AsyncUndoRoutes:
    """What journalled keys have written, and the way back."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def list_journal(
        self,
        *,
        key_id: str | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        object_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> wire.Journal:
        """List what journalled keys have written in the last seven days, newest first

        A key is journalled if its limits say so (journal), and the keys of assistants are unless that is switched off. The list names methods and objects and has no names, texts or other contents. What an undo wrote is in the list of the connection, with undoes. A page of one object (object_id) can be empty and have a next one.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            key_id: Id of a secret key, or its first 12 characters: its writes on every connection.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            object_id: Only writes on this file, event, calendar or other object, by its id at the provider; without a key or connection, of every key of the account.
            since: Only entries that happened, or ended, at or after this time (ISO 8601).
            until: Only writes before this time.
            limit: Maximum number of results.
            cursor: Next_cursor of the previous page.
        """
        answer: wire.Journal = await self._send(
            RouteCall(
                "GET",
                "/journal",
                query={"key_id": key_id, "provider_config_key": provider_config_key, "connection_id": connection_id, "object_id": object_id, "since": since, "until": until, "limit": limit, "cursor": cursor},
            )
        )
        return answer

    async def iterate_journal(
        self,
        *,
        key_id: str | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        object_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[wire.JournalRow]:
        """The entries of `list_journal`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = await self.list_journal(key_id=key_id, provider_config_key=provider_config_key, connection_id=connection_id, object_id=object_id, since=since, until=until, limit=limit, cursor=next_one)
            for entry in answer["data"]:
                yield entry
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    async def undo_changes(
        self,
        *,
        key_id: str | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        since: str | None = None,
        write_id: str | None = None,
        until: str | None = None,
        dry_run: bool | None = None,
        cursor: str | None = None,
    ) -> wire.UndoReport:
        """Undo what a journalled key wrote, or what all wrote on a connection, newest first

        write_id names one write. Each write is undone only if its object is still as the write left it; what somebody else has changed since is left alone and listed in conflicts. No mail is sent. One request works for some seconds and on at most 500 writes; continue with next_cursor. A repeated request finishes the previous one and does nothing twice.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            key_id: Id of a secret key, or its first 12 characters: its writes on every connection.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            since: The first writes to undo.
            write_id: Only this write, instead of since and until.
            until: Only writes before this time; absent: all until now.
            dry_run: Look and compare, and change nothing.
            cursor: `next_cursor` of the previous response, with the same other members.
        """
        answer: wire.UndoReport = await self._send(
            RouteCall(
                "POST",
                "/undo",
                body={"key_id": key_id, "provider_config_key": provider_config_key, "connection_id": connection_id, "since": since, "write_id": write_id, "until": until, "dry_run": dry_run, "cursor": cursor},
                is_wrapped=True,
            )
        )
        return answer


class AsyncWebhooksRoutes:
    """Signed events, sent to your own endpoints."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def list(
        self,
    ) -> List[wire.Webhook]:
        """List webhooks, newest first

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: List[wire.Webhook] = await self._send(
            RouteCall(
                "GET",
                "/webhooks",
                is_wrapped=True,
            )
        )
        return answer

    async def create(
        self,
        *,
        url: str,
        description: NotGiven | str | None = NOT_GIVEN,
        types: NotGiven | Sequence[Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"]] | None = NOT_GIVEN,
        integrations: NotGiven | Sequence[str] | None = NOT_GIVEN,
        idempotency_key: str | None = None,
    ) -> wire.WebhookWithSecretData:
        """Create a webhook; its secret is shown only this once

        The webhook receives nothing until POST /webhooks/{webhookId}/enable: configure the secret at the receiver first. Messages follow Standard Webhooks 1.0.0; their data is the same as on the event bus.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            url: Https on port 443, with a public host.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.WebhookWithSecretData = await self._send(
            RouteCall(
                "POST",
                "/webhooks",
                body={"url": url, "description": description, "types": types, "integrations": integrations},
                nullable=frozenset({"description", "types", "integrations"}),
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    async def get(
        self,
        webhook_id: str,
    ) -> wire.Webhook:
        """Get a webhook

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.Webhook = await self._send(
            RouteCall(
                "GET",
                "/webhooks/{webhookId}",
                ids={"webhookId": webhook_id},
                is_wrapped=True,
            )
        )
        return answer

    async def update(
        self,
        webhook_id: str,
        *,
        force: bool | None = None,
        url: str | None = None,
        description: NotGiven | str | None = NOT_GIVEN,
        types: NotGiven | Sequence[Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"]] | None = NOT_GIVEN,
        integrations: NotGiven | Sequence[str] | None = NOT_GIVEN,
        status: Literal["disabled"] | None = None,
    ) -> wire.Webhook:
        """Change or disable a webhook; a new address has to be proven again

        null removes a filter or the description. status: disabled stops sending until the webhook is enabled again.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            force: Make the change even if a CloudFormation stack declares this.
            url: Https on port 443, with a public host.
        """
        answer: wire.Webhook = await self._send(
            RouteCall(
                "PATCH",
                "/webhooks/{webhookId}",
                ids={"webhookId": webhook_id},
                query={"force": force},
                body={"url": url, "description": description, "types": types, "integrations": integrations, "status": status},
                nullable=frozenset({"description", "types", "integrations"}),
                is_wrapped=True,
            )
        )
        return answer

    async def delete(
        self,
        webhook_id: str,
        *,
        force: bool | None = None,
    ) -> wire.Success:
        """Delete a webhook; waiting deliveries are no longer sent

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            force: Make the change even if a CloudFormation stack declares this.
        """
        answer: wire.Success = await self._send(
            RouteCall(
                "DELETE",
                "/webhooks/{webhookId}",
                ids={"webhookId": webhook_id},
                query={"force": force},
            )
        )
        return answer

    async def rotate_secret(
        self,
        webhook_id: str,
        *,
        force: bool | None = None,
        idempotency_key: str | None = None,
    ) -> wire.WebhookWithSecretData:
        """Give a webhook a new secret, shown only this once; the former signs too for 24 hours

        Two rotations may overlap, and each former secret signs for its 24 hours. A third one within them is answered 409, unless `force=true` ends the oldest secret at once.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            force: Rotate even if two former secrets are still valid; the older one ends at once.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.WebhookWithSecretData = await self._send(
            RouteCall(
                "POST",
                "/webhooks/{webhookId}/rotate-secret",
                ids={"webhookId": webhook_id},
                query={"force": force},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    async def enable(
        self,
        webhook_id: str,
    ) -> wire.Webhook:
        """Enable a webhook that answers a signed endpoint.test with 2xx

        The endpoint has nine seconds to answer. If the test fails, the answer is 409 with the reason. It counts among the tests.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.Webhook = await self._send(
            RouteCall(
                "POST",
                "/webhooks/{webhookId}/enable",
                ids={"webhookId": webhook_id},
                is_wrapped=True,
            )
        )
        return answer

    async def test(
        self,
        webhook_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> wire.WebhookAttempt:
        """Send a signed endpoint.test now and return the result

        The result is returned and added to the delivery log; nothing else changes. At most 10 tests a minute.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.WebhookAttempt = await self._send(
            RouteCall(
                "POST",
                "/webhooks/{webhookId}/test",
                ids={"webhookId": webhook_id},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer

    async def list_deliveries(
        self,
        webhook_id: str,
        *,
        state: Literal["pending", "delivered", "failed", "waiting"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> wire.WebhookDeliveryList:
        """List deliveries of the last 14 days with their attempts, newest event first

        pending: the next attempt is at next_attempt_at. delivered: the endpoint answered 2xx. failed: given up after ten attempts over 75 hours. waiting: the webhook is disabled; a replay sends it.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            limit: Maximum number of results.
            cursor: `next_cursor` of the previous page.
        """
        answer: wire.WebhookDeliveryList = await self._send(
            RouteCall(
                "GET",
                "/webhooks/{webhookId}/deliveries",
                ids={"webhookId": webhook_id},
                query={"state": state, "limit": limit, "cursor": cursor},
            )
        )
        return answer

    async def iterate_deliveries(
        self,
        webhook_id: str,
        *,
        state: Literal["pending", "delivered", "failed", "waiting"] | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[wire.WebhookDelivery]:
        """The entries of `list_deliveries`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = await self.list_deliveries(webhook_id, state=state, limit=limit, cursor=next_one)
            for entry in answer["data"]:
                yield entry
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    async def replay(
        self,
        webhook_id: str,
        *,
        since: str | None = None,
        until: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        idempotency_key: str | None = None,
    ) -> wire.WebhookReplayData:
        """Send stored events again, oldest first; call again with next_from for the rest

        Queues the events of up to 400 days that match the webhook’s filters, 500 per call; they are sent within about a minute, with their original webhook-id. `since` is required for a webhook that was never disabled, and must not be after `until`.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            since: Start time; by default when the webhook was last disabled.
            until: End time; by default now.
            from_: Former name of since.
            to: Former name of until.
            idempotency_key: The same within 24 hours makes nothing more and gives the first answer; a new one by default.
        """
        answer: wire.WebhookReplayData = await self._send(
            RouteCall(
                "POST",
                "/webhooks/{webhookId}/replay",
                ids={"webhookId": webhook_id},
                query={"since": since, "until": until, "from": from_, "to": to},
                is_once=True,
                idempotency_key=idempotency_key,
                is_wrapped=True,
            )
        )
        return answer


class AsyncTestCredentialsRoutes:
    """The OAuth clients that quickstart integrations use."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def get(
        self,
        provider: str,
    ) -> wire.TestCredentialsData:
        """Get whether a provider has test credentials, and their client_id

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.TestCredentialsData = await self._send(
            RouteCall(
                "GET",
                "/test-credentials/{provider}",
                ids={"provider": provider},
                is_wrapped=True,
            )
        )
        return answer

    async def set(
        self,
        provider: str,
        *,
        client_id: str,
        client_secret: str,
    ) -> wire.TestCredentialsData:
        """Set the OAuth client that quickstart integrations of a provider run on

        Running functions use the new client within five minutes. Connections created with another client end, and their users must connect again.

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.TestCredentialsData = await self._send(
            RouteCall(
                "PUT",
                "/test-credentials/{provider}",
                ids={"provider": provider},
                body={"client_id": client_id, "client_secret": client_secret},
                is_wrapped=True,
            )
        )
        return answer

    async def delete(
        self,
        provider: str,
    ) -> wire.Success:
        """Remove the test credentials of a provider; integrations on them stop working

        For operators, and for secret keys with the right full that are not limited to some integrations.

        Args:
            provider: Google-drive or google-calendar.
        """
        answer: wire.Success = await self._send(
            RouteCall(
                "DELETE",
                "/test-credentials/{provider}",
                ids={"provider": provider},
            )
        )
        return answer


class AsyncCallsRoutes:
    """The call log: proxied calls, without content."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def list_failed(
        self,
        *,
        failure: Literal["provider_failed", "rate_limited", "gateway_failed", "refused", "broken_off"] | None = None,
        reason: str | None = None,
        status: int | None = None,
        key_id: str | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> wire.FailedCallPage:
        """List the failed calls of all connections, newest first

        From the call log, by how calls failed, by reason, status, secret key, integration, connection and time. A call is listed when it has ended. Calls that wait for approval are not failures. Calls that were refused before their connection was known are not logged, and those of deleted connections are left out. A page may be shorter than limit, or empty, and still have a next page.

        For operators and secret keys with the right read or full.

        Args:
            failure: How the calls failed.
            reason: Google’s reason, such as notFound, or the code of the gateway’s own answer.
            status: Only connections in this state. For calls, only those with this result: 404, 4xx, ok or failed.
            key_id: Id of a secret key, or its first 12 characters.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            since: Only entries that happened, or ended, at or after this time (ISO 8601).
            until: Calls that ended before this time.
            limit: Maximum number of results.
            cursor: Next_cursor of the previous page.
        """
        answer: wire.FailedCallPage = await self._send(
            RouteCall(
                "GET",
                "/calls",
                query={"failure": failure, "reason": reason, "status": status, "key_id": key_id, "provider_config_key": provider_config_key, "connection_id": connection_id, "since": since, "until": until, "limit": limit, "cursor": cursor},
            )
        )
        return answer

    async def iterate_failed(
        self,
        *,
        failure: Literal["provider_failed", "rate_limited", "gateway_failed", "refused", "broken_off"] | None = None,
        reason: str | None = None,
        status: int | None = None,
        key_id: str | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[wire.FailedCall]:
        """The entries of `list_failed`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = await self.list_failed(failure=failure, reason=reason, status=status, key_id=key_id, provider_config_key=provider_config_key, connection_id=connection_id, since=since, until=until, limit=limit, cursor=next_one)
            for entry in answer["data"]:
                yield entry
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    async def get(
        self,
        request_id: str,
    ) -> wire.Call:
        """Get the proxied call that a request id belongs to

        For operators and secret keys with the right read or full.

        Args:
            request_id: X-request-id of the answer, or request_id of its error.
        """
        answer: wire.Call = await self._send(
            RouteCall(
                "GET",
                "/calls/{requestId}",
                ids={"requestId": request_id},
                is_wrapped=True,
            )
        )
        return answer

    async def read_usage(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        by: Literal["integration", "connection", "key"] | None = None,
        provider_config_key: str | None = None,
        connection_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> wire.UsageData:
        """Get proxied calls per day, counted by integration, connection or key

        Days in UTC, first and last included; by default the last 14, at most 92. A call is counted within five minutes of its end, from a line that it leaves in the log of the proxy. by=connection needs provider_config_key, connection_id needs by=connection, and by=key takes neither. Counts are kept for 400 days, those of connections for 92.

        For operators and secret keys with the right read or full.

        Args:
            since: First day, UTC.
            until: Last day, UTC, included.
            by: Whose calls are counted.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            connection_id: Use 1 to 255 letters, digits, spaces or . : = + ~ [ ] | @ _ -.
            from_: Former name of since.
            to: Former name of until.
        """
        answer: wire.UsageData = await self._send(
            RouteCall(
                "GET",
                "/usage",
                query={"since": since, "until": until, "by": by, "provider_config_key": provider_config_key, "connection_id": connection_id, "from": from_, "to": to},
                is_wrapped=True,
            )
        )
        return answer

    async def read_last_hour(
        self,
        *,
        provider_config_key: str | None = None,
    ) -> wire.LastHourData:
        """Get the proxied calls of the last hour by minute, and whether Google, the gateway or callers make them fail

        The hour ends with the last minute that is counted, some three minutes ago. verdict says what more than half of the failed calls have in common: provider for 5xx of Google, or no usable answer from it; quota for 429 of Google; gateway for 5xx of the gateway; callers for any other 4xx; mixed where there is no such kind. healthy: fewer than one call in a hundred failed. Reasons in evidence are those of the newest 200 failed calls in the call log.

        For operators and secret keys with the right read or full.

        Args:
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.LastHourData = await self._send(
            RouteCall(
                "GET",
                "/usage/minutes",
                query={"provider_config_key": provider_config_key},
                is_wrapped=True,
            )
        )
        return answer

    async def read_connection_counts(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        provider_config_key: str | None = None,
        from_: str | None = None,
        to: str | None = None,
    ) -> wire.ConnectionCountsData:
        """Get what happened to connections per day: created, deleted, dead by cause, reconnected, and how refreshes ended

        For each integration, and in total for all that the key can access. Days in UTC, first and last included; by default the last 14, at most 92. Counts are kept for 400 days. Refreshes in the last seconds of a process that ended are missing.

        For operators and secret keys with the right read or full.

        Args:
            since: First day, UTC.
            until: Last day, UTC, included.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            from_: Former name of since.
            to: Former name of until.
        """
        answer: wire.ConnectionCountsData = await self._send(
            RouteCall(
                "GET",
                "/usage/connections",
                query={"since": since, "until": until, "provider_config_key": provider_config_key, "from": from_, "to": to},
                is_wrapped=True,
            )
        )
        return answer

    async def read_quota(
        self,
    ) -> wire.QuotaData:
        """Get what today’s calls took of Google’s quotas by Cloud project and API, and what the day will come to

        Google counts units and bytes of a Cloud project by the day, for each API, and refuses or charges what is above its limits. The limits are those that Cloud projects have had since May 2026, unless `quota` of an integration says what its project has. A call is counted within five minutes of its end, what feeds and checks call for themselves included. The forecast is what was used so far and what the remaining hours took a week before, or on average since the first call, adjusted to how today compares with that day. It needs a day of calls before it means much.

        For operators and secret keys with the right read or full.
        """
        answer: wire.QuotaData = await self._send(
            RouteCall(
                "GET",
                "/quota",
                is_wrapped=True,
            )
        )
        return answer

    async def list(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        status: str | None = None,
        since: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> wire.CallPage:
        """List a connection’s calls in the call log, newest first

        Contains failed calls, unless the deployment logs all calls or none (gateway:callLog). A row appears when its call has ended. Calls that were refused before their connection was known are not logged.

        For operators and secret keys with the right read or full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
            status: Only connections in this state. For calls, only those with this result: 404, 4xx, ok or failed.
            since: Only entries that happened, or ended, at or after this time (ISO 8601).
            limit: Maximum number of results.
            cursor: Next_cursor of the previous page.
        """
        answer: wire.CallPage = await self._send(
            RouteCall(
                "GET",
                "/connections/{connectionId}/calls",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key, "status": status, "since": since, "limit": limit, "cursor": cursor},
            )
        )
        return answer

    async def iterate(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
        status: str | None = None,
        since: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[wire.Call]:
        """The entries of `list`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = await self.list(connection_id, provider_config_key=provider_config_key, status=status, since=since, limit=limit, cursor=next_one)
            for entry in answer["data"]:
                yield entry
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    async def record(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
    ) -> wire.CallRecordingData:
        """Log every call of a connection for an hour, including successful ones

        Takes effect within half a minute. Another call restarts the hour.

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.CallRecordingData = await self._send(
            RouteCall(
                "POST",
                "/connections/{connectionId}/calls/record",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
                is_wrapped=True,
            )
        )
        return answer

    async def stop_recording(
        self,
        connection_id: str,
        *,
        provider_config_key: str,
    ) -> wire.CallRecordingData:
        """Stop logging successful calls of a connection before the hour is over

        For operators and secret keys with the right full.

        Args:
            connection_id: Id of the connection within its integration, percent-encoded.
            provider_config_key: Use 1 to 255 letters, digits, spaces or ~ : . @ _ -.
        """
        answer: wire.CallRecordingData = await self._send(
            RouteCall(
                "DELETE",
                "/connections/{connectionId}/calls/record",
                ids={"connectionId": connection_id},
                query={"provider_config_key": provider_config_key},
                is_wrapped=True,
            )
        )
        return answer


class AsyncServiceRoutes:
    """The gateway itself."""

    def __init__(self, send: AsyncSend) -> None:
        self._send = send

    async def health(
        self,
    ) -> wire.Health:
        """Check that the gateway answers

        Needs no authentication.
        """
        answer: wire.Health = await self._send(
            RouteCall(
                "GET",
                "/healthz",
            )
        )
        return answer

    async def list_events(
        self,
        *,
        actor: str | None = None,
        type: Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"] | None = None,
        object: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> wire.AuditPage:
        """List the audit trail of the account, newest first

        The audit trail of the account and all its connections. `actor` is an actor as in the answer, its name, or its kind: `key`, `iam`, `operator`, `session`, `stack`, or `gateway` for the gateway’s own work, such as detecting that a grant has ended. Events are kept for 400 days. Each has in data what the bus and webhooks carry of it. A page may be shorter than limit, or empty, and still have a next page.

        For operators and secret keys with the right read or full.

        Args:
            actor: An actor such as key:f3a1c5d2e4b6, a kind of actor (operator, key, session, gateway), or a name.
            type: One type of event.
            object: Id of an integration, a connection or an end user, or key: followed by the id of a secret key.
            since: Only entries that happened, or ended, at or after this time (ISO 8601).
            until: Only entries before this time (ISO 8601).
            limit: Maximum number of results.
            cursor: Next_cursor of the previous page.
        """
        answer: wire.AuditPage = await self._send(
            RouteCall(
                "GET",
                "/events",
                query={"actor": actor, "type": type, "object": object, "since": since, "until": until, "limit": limit, "cursor": cursor},
            )
        )
        return answer

    async def iterate_events(
        self,
        *,
        actor: str | None = None,
        type: Literal["ConnectionCreated", "ConnectionReauthorized", "ConnectionScopesChanged", "ConnectionExpiring", "ConnectionReauthorizationRequired", "ConnectionCauseProven", "ConnectionRecovered", "ConnectionRefreshRefused", "ConnectionRefreshRecovered", "ConnectionDeleted", "ConnectionUpdated", "ConnectionRestored", "IntegrationCredentialsRejected", "IntegrationRecovered", "IntegrationGrantsFailing", "DelegationGranted", "DelegationLost", "RefreshTokenLimitNear", "IntegrationCreated", "IntegrationUpdated", "IntegrationDeleted", "SecretKeyCreated", "SecretKeyRevoked", "SecretKeyLimitsChanged", "ApprovalRequested", "ApprovalLinkCreated", "ApprovalDecided", "ApprovalEnded", "FeedCreated", "FeedUpdated", "FeedDeleted", "FeedChanged", "FeedPaused", "FeedResumed", "FeedFailing", "SecurityEventsRegistered", "SecurityEventsRemoved", "ConnectionSecurityEvent", "ChangesUndone", "WebhookCreated", "WebhookUpdated", "WebhookDeleted", "WebhookSecretRotated", "WebhookEnabled", "WebhookDisabled", "BudgetReached", "QuotaReached", "HigherLimitsEnding", "ServerToolsChanged", "ServerToolsAccepted", "TestCredentialsChanged", "TestCredentialsRemoved", "ConnectSessionCreated", "ConnectSessionDeleted", "AuthorizationStarted", "AuthorizationFailed", "ConnectionConfirmationPending", "ConnectionNotConfirmed", "FilesPicked", "ConnectionCredentialsRead", "ConnectionTried", "ConnectionGrantRevoked", "Heartbeat"] | None = None,
        object: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[wire.AuditEvent]:
        """The entries of `list_events`, page after page: each page is asked for when it is needed."""
        next_one: str | None = None
        while True:
            answer = await self.list_events(actor=actor, type=type, object=object, since=since, until=until, limit=limit, cursor=next_one)
            for entry in answer["data"]:
                yield entry
            next_one = answer.get("next_cursor")
            if next_one is None:
                return

    async def introduce_operator(
        self,
        *,
        id_token: str,
    ) -> wire.Success:
        """Set the name under which the audit trail shows the signed-in operator

        For the dashboard: takes the ID token of the same sign-in and stores its e-mail address.

        For operators, and for secret keys with the right full that are not limited to some integrations.
        """
        answer: wire.Success = await self._send(
            RouteCall(
                "PUT",
                "/account/operator",
                body={"id_token": id_token},
            )
        )
        return answer


class AsyncManagement:
    """The gateway's own routes, by subject."""

    def __init__(self, send: AsyncSend) -> None:
        self.connections = AsyncConnectionsRoutes(send)
        """Links between your end users and their Google accounts."""
        self.connect_sessions = AsyncConnectSessionsRoutes(send)
        """How an end user creates or renews a connection."""
        self.integrations = AsyncIntegrationsRoutes(send)
        """A provider with your OAuth client and scopes."""
        self.providers = AsyncProvidersRoutes(send)
        """Providers and what their scopes mean."""
        self.secret_keys = AsyncSecretKeysRoutes(send)
        """Keys with which your servers authenticate."""
        self.approvals = AsyncApprovalsRoutes(send)
        """Calls that wait until a person approves them."""
        self.feeds = AsyncFeedsRoutes(send)
        """Watched resources and their changes."""
        self.security_events = AsyncSecurityEventsRoutes(send)
        """Which Cloud projects Google states security events of accounts and tokens for."""
        self.undo = AsyncUndoRoutes(send)
        """What journalled keys have written, and the way back."""
        self.webhooks = AsyncWebhooksRoutes(send)
        """Signed events, sent to your own endpoints."""
        self.test_credentials = AsyncTestCredentialsRoutes(send)
        """The OAuth clients that quickstart integrations use."""
        self.calls = AsyncCallsRoutes(send)
        """The call log: proxied calls, without content."""
        self.service = AsyncServiceRoutes(send)
        """The gateway itself."""

"""What calls fail with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import httpx

MAX_BODY_BYTES = 4_500_000
"""What the gateway takes in one request: about 4.5 MB (its README, "Limits")."""


@dataclass(frozen=True)
class Problem:
    """One problem of a request: where it is, and what to do."""

    path: str
    message: str


@dataclass(frozen=True)
class LikelyCause:
    """One explanation of a dead grant."""

    cause: str
    likelihood: float
    """Share of belief, 0 to 1."""
    who: str
    """Who can fix it: `end_user`, `developer` or `workspace_admin`."""
    explanation: str
    remedy: str


@dataclass(frozen=True)
class DeathEvidence:
    """A security event of Google's that explains why a grant ended."""

    type: str
    """Such as `account-disabled`."""
    reason: str | None
    """Google's word for why, such as `hijacking`."""
    stated_at: str
    """ISO 8601, by Google's clock."""


@dataclass(frozen=True)
class ConnectionDiagnosis:
    """Why a connection cannot be used, and who can fix it."""

    status: str
    cause: str
    """The most likely cause, such as `user_revoked`; a guess unless `certain`."""
    certain: bool
    """Whether Google or the facts on record name the cause."""
    what_happened: str
    """One sentence; begins with "Probably:" unless the cause is certain. Empty where nothing is known."""
    can_be_checked_again: bool
    """Whether the same grant may work again without the user: ask with `connections.refresh`."""
    likely_causes: Sequence[LikelyCause]
    remedy: str
    since: str | None
    """ISO 8601, UTC."""
    evidence: DeathEvidence | None = None
    """Google's signed statement that proves the cause; None where none does."""


@dataclass(frozen=True)
class WaitingApproval:
    """A call that waits for a person."""

    id: str
    """What `approvals.get` takes."""
    url: str
    """Page where a person decides."""
    expires_at: str
    """ISO 8601, UTC."""


class IntegrationGatewayError(Exception):
    """Everything that a call fails with, calls that cannot be sent as written (TypeError, ValueError) excepted."""


class GatewayError(IntegrationGatewayError):
    """The gateway itself refused or failed; its front door, where a body was too large."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        request_id: str | None = None,
        problems: Sequence[Problem] = (),
        connection: ConnectionDiagnosis | None = None,
        retry_after_sec: int | None = None,
        approval: WaitingApproval | None = None,
        applied: Literal["no", "unknown"] | None = None,
        may_have_been_applied: bool = False,
    ) -> None:
        super().__init__(message)
        self.code = code
        """Stable code, such as `unknown_connection` or `reauthorization_required`."""
        self.status = status
        """HTTP status."""
        self.request_id = request_id
        """Find the request in the gateway's log by this."""
        self.problems = problems
        """Everything that is wrong with the request at once; empty where the code says it all."""
        self.connection = connection
        """Why the connection cannot be used, where that is what is wrong."""
        self.retry_after_sec = retry_after_sec
        """Seconds after which the same call may succeed."""
        self.approval = approval
        """Where a person decides on the call, with the code `approval_required`."""
        self.applied = applied
        """Whether Google acted on the call: "no", "unknown", or None where the gateway says nothing."""
        self.may_have_been_applied = may_have_been_applied
        """Whether a write may have reached Google nevertheless; False for reads."""

    @property
    def cause(self) -> str | None:
        """The most likely cause, such as `user_revoked`; None where the connection is not what is wrong."""
        return None if self.connection is None else self.connection.cause

    @property
    def remedy(self) -> str | None:
        """What to do, for somebody who can; None where the connection is not what is wrong."""
        return None if self.connection is None else self.connection.remedy


class ReauthorizationRequiredError(GatewayError):
    """The grant is dead: `connection` says why; `connect_sessions.create_reconnect_session` begins a new one."""

    connection: ConnectionDiagnosis

    @property
    def cause(self) -> str:
        """The most likely cause, such as `user_revoked`; a guess unless `connection.certain`."""
        return self.connection.cause

    @property
    def remedy(self) -> str:
        """What to do, for somebody who can."""
        return self.connection.remedy


class ProviderError(IntegrationGatewayError):
    """Google answered with a status that is neither 2xx, 304 nor the 308 of an unfinished upload."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        headers: httpx.Headers,
        body: Any,
        reason: str | None,
        request_id: str | None,
        retry_after_sec: int | None,
    ) -> None:
        super().__init__(message)
        self.status = status
        """HTTP status."""
        self.headers = headers
        self.body = body
        """The parsed JSON, or the text when it is not JSON; None without a body."""
        self.reason = reason
        """Google's first `error.errors[].reason`, such as `rateLimitExceeded`."""
        self.request_id = request_id
        """Find the request in the gateway's log by this."""
        self.retry_after_sec = retry_after_sec
        """Seconds after which the same call may succeed, where Google says so."""


class NetworkError(IntegrationGatewayError, ConnectionError):
    """No complete answer arrived: the gateway could not be reached, or the connection broke."""

    def __init__(self, message: str, *, may_have_been_applied: bool) -> None:
        super().__init__(message)
        self.may_have_been_applied = may_have_been_applied
        """Whether a write may have been applied; False for reads, and for requests that never left."""


class GatewayTimeoutError(IntegrationGatewayError, TimeoutError):
    """The gateway said nothing for longer than `timeout`."""

    def __init__(self, message: str, *, may_have_been_applied: bool) -> None:
        super().__init__(message)
        self.may_have_been_applied = may_have_been_applied
        """Whether a write may have been applied; False for reads, and for requests that never left."""


class UnexpectedAnswerError(IntegrationGatewayError):
    """An answer that is not the gateway's: broken JSON, or a failure of something in front of it."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        """HTTP status, where the answer is one that failed."""


class UploadError(IntegrationGatewayError):
    """An upload that cannot continue; `__cause__` is the response that ended it, if there was one."""


class WebhookVerificationError(IntegrationGatewayError, ValueError):
    """A webhook that does not come from the gateway, is too old, or was changed on its way."""


def request_too_large(request_id: str | None, hint: str = "") -> GatewayError:
    """A body that no request can carry; `request_id` is None when nothing was sent."""
    message = "A request body may have about 4.5 MB; this one has more."
    advice = hint or "Send larger files with upload_file, which sends them in chunks."
    return GatewayError(
        f"The gateway refused the call (request_too_large): {message} {advice}",
        code="request_too_large",
        status=413,
        request_id=request_id,
    )


def diagnosis(fields: Mapping[str, Any]) -> ConnectionDiagnosis:
    """Reads why a connection cannot be used (`error.connection`, or `death` of a connection)."""
    causes = [_likely_cause(one) for one in records(fields.get("likely_causes"))]
    certain = fields.get("certain") is True
    explanation = causes[0].explanation if causes else ""
    # A gateway of an earlier version sends only the parts.
    told = explanation if certain or not explanation else f"Probably: {explanation}"
    return ConnectionDiagnosis(
        status=text(fields, "status") or "",
        cause=text(fields, "cause") or "unknown",
        certain=certain,
        what_happened=text(fields, "what_happened") or told,
        can_be_checked_again=fields.get("can_be_checked_again") is True,
        likely_causes=causes,
        remedy=text(fields, "remedy") or "",
        since=text(fields, "since"),
        evidence=_evidence(fields.get("evidence")),
    )


def _evidence(fields: Any) -> DeathEvidence | None:
    if not isinstance(fields, Mapping):
        return None
    return DeathEvidence(
        type=text(fields, "type") or "",
        reason=text(fields, "reason"),
        stated_at=text(fields, "stated_at") or "",
    )


def _likely_cause(fields: Mapping[str, Any]) -> LikelyCause:
    likelihood = fields.get("likelihood")
    return LikelyCause(
        cause=text(fields, "cause") or "unknown",
        likelihood=float(likelihood) if isinstance(likelihood, int | float) else 0.0,
        who=text(fields, "who") or "",
        explanation=text(fields, "explanation") or "",
        remedy=text(fields, "remedy") or "",
    )


def text(fields: Any, name: str) -> str | None:
    """A text of a JSON object, or None where it is absent or something else."""
    value = fields.get(name) if isinstance(fields, dict) else None
    return value if isinstance(value, str) else None


def records(value: Any) -> list[dict[str, Any]]:
    """The objects of a JSON list; empty where it is none."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []

"""What answers become."""

from __future__ import annotations

import httpx
import pytest

from integration_gateway import (
    GatewayError,
    GatewayTimeoutError,
    NetworkError,
    ProviderError,
    QuotaStanding,
    ReauthorizationRequiredError,
    UnexpectedAnswerError,
    WaitingApproval,
)
from test_requests import connection

CONNECTION = {
    "status": "reauthorization_required",
    "cause": "user_revoked",
    "certain": False,
    "likely_causes": [
        {
            "cause": "user_revoked",
            "likelihood": 0.7,
            "who": "end_user",
            "explanation": "Access was removed.",
            "remedy": "Connect again.",
        }
    ],
    "remedy": "Connect again.",
    "since": "2026-01-01T00:00:00.000Z",
}


def test_data_is_what_the_content_type_says() -> None:
    for headers, content, data in [
        ({"content-type": "application/json; charset=UTF-8"}, b'{"a":1}', {"a": 1}),
        ({"content-type": "application/vnd.x+json"}, b"[1]", [1]),
        ({"content-type": "text/plain"}, "ü".encode(), "ü"),
        ({"content-type": "image/png"}, b"\x89PNG", b"\x89PNG"),
        ({"content-type": "application/json"}, b"", None),
    ]:
        answer = connection(lambda _, h=headers, c=content: httpx.Response(200, headers=h, content=c)).get("/x")  # type: ignore[misc]
        assert answer.data == data
    broken = connection(lambda _: httpx.Response(200, headers={"content-type": "application/json"}, content=b"{")).get(
        "/x"
    )
    with pytest.raises(UnexpectedAnswerError):
        _ = broken.data
    assert broken.text == "{"


def test_an_answer_says_how_full_the_quotas_are_where_the_call_has_a_priority() -> None:
    def asked(headers: dict[str, str]) -> QuotaStanding | None:
        return connection(lambda _: httpx.Response(200, headers=headers)).get("/x", priority="interactive").quota

    whole = asked({"x-gateway-quota": "google-drive;cost=100;minute=0.42;day=0.31"})
    assert whole == QuotaStanding("google-drive", 100, 0.42, 0.31)
    assert asked({"x-gateway-quota": "google-calendar;cost=1"}) == QuotaStanding("google-calendar", 1, None, None)
    assert asked({"x-gateway-quota": "something else"}) is None
    assert asked({}) is None


def test_304_and_an_unfinished_upload_are_answers_and_redirects_are_not() -> None:
    assert connection(lambda _: httpx.Response(304)).get("/x").status == 304
    assert connection(lambda _: httpx.Response(308, headers={"range": "bytes=0-9"})).put("/x").status == 308
    for status in (301, 302, 307, 308):
        redirect = httpx.Response(status, headers={"location": "https://evil.example/"})
        with pytest.raises(ProviderError) as caught:
            connection(lambda _, r=redirect: r, follow_redirects=True).get("/x")  # type: ignore[misc]
        assert caught.value.status == status


def test_an_error_with_the_gateways_header_is_the_gateways() -> None:
    body = {
        "error": {
            "code": "reauthorization_required",
            "message": "It ended.",
            "request_id": "r-1",
            "connection": CONNECTION,
        }
    }
    headers = {"x-gateway-error": "reauthorization_required", "retry-after": "7"}
    with pytest.raises(ReauthorizationRequiredError) as caught:
        connection(lambda _: httpx.Response(424, headers=headers, json=body)).get("/x")
    error = caught.value
    assert (error.code, error.status, error.request_id, error.retry_after_sec) == (
        "reauthorization_required",
        424,
        "r-1",
        7,
    )
    assert (error.cause, error.remedy) == ("user_revoked", "Connect again.")
    assert error.connection.what_happened == "Probably: Access was removed."
    assert error.connection.likely_causes[0].likelihood == 0.7
    assert str(error) == "The gateway refused the call (reauthorization_required): It ended."


@pytest.mark.parametrize(
    ("method", "code", "applied", "expected"),
    [
        ("POST", "upstream_timeout", None, True),
        ("GET", "upstream_timeout", None, False),
        ("POST", "upstream_timeout", "no", False),
        ("POST", "rate_limited", None, False),
        ("POST", "rate_limited", "unknown", True),
        ("POST", "rate_limited", "perhaps", True),
    ],
)
def test_an_error_says_whether_a_write_may_have_been_applied(
    method: str, code: str, applied: str | None, expected: bool
) -> None:
    error = {"code": code, "message": "No.", **({} if applied is None else {"applied": applied})}
    answer = httpx.Response(504, headers={"x-gateway-error": code}, json={"error": error})
    with pytest.raises(GatewayError) as caught:
        connection(lambda _: answer).request(method, "/x")
    assert caught.value.may_have_been_applied is expected


def test_the_front_doors_413_is_told_from_googles() -> None:
    with pytest.raises(GatewayError, match="upload_file") as caught:
        connection(lambda _: httpx.Response(413, json={"message": "Request Too Long"})).post("/x", json={})
    assert caught.value.code == "request_too_large"
    with pytest.raises(ProviderError):
        connection(lambda _: httpx.Response(413, json={"error": {"message": "x"}})).post("/x", json={})


def test_lambdas_own_answers_at_a_function_url_are_told_from_googles() -> None:
    with pytest.raises(GatewayError) as caught:
        connection(lambda _: httpx.Response(413, json={"Message": "Request must be smaller"})).post("/x", json={})
    assert caught.value.code == "request_too_large"
    headers = {"x-amzn-errortype": "TooManyRequestsException"}
    with pytest.raises(GatewayError) as refused:
        connection(lambda _: httpx.Response(429, headers=headers, json={"Message": "Rate Exceeded."})).post(
            "/x", json={}
        )
    assert (refused.value.code, refused.value.retry_after_sec) == ("rate_limited", 1)
    assert refused.value.may_have_been_applied is False
    with pytest.raises(ProviderError):
        connection(lambda _: httpx.Response(429, json={"error": {"message": "x"}})).post("/x", json={})


def test_a_call_that_waits_says_where_a_person_decides() -> None:
    url, until = "https://gateway.example/approve/x", "2026-01-02T00:00:00Z"
    approval = {"approval_id": "apr_1", "url": url, "expires_at": until}
    body = {"error": {"code": "approval_required", "message": "A person decides.", "approval": approval}}
    headers = {"x-gateway-error": "approval_required"}
    with pytest.raises(GatewayError) as caught:
        connection(lambda _: httpx.Response(403, headers=headers, json=body)).delete("/x")
    assert caught.value.approval == WaitingApproval("apr_1", url, until)
    unknown = {"error": {"code": "approval_required", "approval": {"approval_id": 1}}}
    with pytest.raises(GatewayError) as other:
        connection(lambda _: httpx.Response(403, headers=headers, json=unknown)).delete("/x")
    assert other.value.approval is None


def test_googles_error_has_its_reason() -> None:
    body = {"error": {"code": 403, "message": "Slow down.", "errors": [{"reason": "rateLimitExceeded"}]}}
    headers = {"retry-after": "Fri, 01 Jan 2100 00:00:00 GMT", "x-request-id": "r-2"}
    with pytest.raises(ProviderError) as caught:
        connection(lambda _: httpx.Response(403, headers=headers, json=body)).get("/x")
    error = caught.value
    assert (error.reason, error.status, error.request_id) == ("rateLimitExceeded", 403, "r-2")
    assert error.retry_after_sec is not None
    assert error.retry_after_sec > 10**9
    assert str(error) == "Google answered GET with status 403 (rateLimitExceeded): Slow down."


def test_a_body_that_ends_early_never_looks_complete() -> None:
    def short(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"x-upstream-content-length": "10"}, content=iter([b"12345"]))

    with pytest.raises(NetworkError, match="5 of 10"):
        connection(short).get("/x")
    with pytest.raises(NetworkError, match="5 of 10"), connection(short).stream("/x") as answer:
        list(answer)
    assert connection(short).head("/x").status == 200


@pytest.mark.parametrize(
    ("failure", "kind", "may_have_been_applied"),
    [
        (httpx.ConnectError("refused"), NetworkError, False),
        (httpx.ReadError("reset"), NetworkError, True),
        (httpx.RemoteProtocolError("closed"), NetworkError, True),
        (httpx.ConnectTimeout("slow"), GatewayTimeoutError, False),
        (httpx.ReadTimeout("slow"), GatewayTimeoutError, True),
    ],
)
def test_failures_of_the_network_say_whether_a_write_may_have_been_applied(
    failure: Exception, kind: type[NetworkError] | type[GatewayTimeoutError], may_have_been_applied: bool
) -> None:
    def fail(_: httpx.Request) -> httpx.Response:
        raise failure

    with pytest.raises((NetworkError, GatewayTimeoutError)) as caught:
        connection(fail).post("/x", json={})
    assert isinstance(caught.value, kind)
    assert caught.value.may_have_been_applied is may_have_been_applied
    with pytest.raises((NetworkError, GatewayTimeoutError)) as caught:
        connection(fail).get("/x")
    assert isinstance(caught.value, kind)
    assert caught.value.may_have_been_applied is False


def test_an_address_without_its_stage_is_told_from_googles_403() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(403, headers={"x-amzn-errortype": "ForbiddenException"}, json={"message": "Forbidden"})

    with pytest.raises(UnexpectedAnswerError, match="stage"):
        connection(answer).get("/x")
    with pytest.raises(UnexpectedAnswerError, match="stage"):
        connection(answer)._gateway.connections.list()
    with pytest.raises(ProviderError):
        connection(lambda _: httpx.Response(403, json={"message": "Forbidden"})).get("/x")


def test_something_in_front_of_the_gateway_is_not_taken_for_it() -> None:
    drive = connection(lambda _: httpx.Response(502, text="<html>Bad gateway</html>"))
    with pytest.raises(UnexpectedAnswerError, match="base_url is not its address"):
        drive._gateway.connections.list()
    page = connection(lambda _: httpx.Response(200, text="<html>"))
    with pytest.raises(UnexpectedAnswerError, match="base_url"):
        page._gateway.connections.list()

/** Names of failed flows, as front ends of a compatible peer know them. */
export type FlowErrorType = 'url_param_err' | 'state_err' | 'state_cookie_err' | 'callback_err' | 'token_err' | 'unknown_config_key' | 'unknown_err';

/** A flow that cannot end in a connection. */
export class FlowFailure extends Error {
  readonly status: 400 | 403 | 409 | 502;
  readonly errorType: FlowErrorType;
  readonly detail: string | undefined;
  constructor(status: 400 | 403 | 409 | 502, errorType: FlowErrorType, message: string, detail?: string) {
    super(message);
    this.status = status;
    this.errorType = errorType;
    this.detail = detail;
  }
}

/** A refusal that came back from the provider, as whose move it is. */
export function providerRefusal(error: string, description: string | undefined): FlowFailure {
  const detail = description === undefined ? error : `${error}: ${description}`;
  switch (error) {
    case 'access_denied':
      return new FlowFailure(400, 'callback_err', 'Access was not granted, so nothing was connected. You can try again.', detail);
    case 'admin_policy_enforced':
      return new FlowFailure(
        400,
        'callback_err',
        "Your organization's administrator does not allow this app. Ask them to allow it in the Google Admin console, then try again.",
        detail,
      );
    default:
      return new FlowFailure(400, 'callback_err', 'Google did not grant access. Nothing was connected; you can try again.', detail);
  }
}

/** Options of the browser module. */
export interface ConnectOptions {
  /** Public address of the gateway, a stage path included. */
  readonly baseUrl: string;
  /**
   * Token of a connect session that your backend made, or how to get one. Call `connect` straight from a click: the
   * window is opened at once, and the token may come later.
   */
  readonly sessionToken: string | (() => Promise<string>);
  /** `popup`: the connect page in a window; `frame`: a panel over your page, whose button opens it. @default 'popup' */
  readonly mode?: 'popup' | 'frame';
  /**
   * Behaviour where the browser opens no window: `report` ends with `blocked` and a link; `frame` shows the panel over your page, whose
   * button opens the window by a click of its own. @default 'report'
   */
  readonly whenBlocked?: 'report' | 'frame';
  /** Element that takes the frame. @default the whole window */
  readonly container?: HTMLElement;
  /** Colours of the connect page in a frame. @default the system's preference */
  readonly theme?: 'light' | 'dark';
  /** Language of the connect page, where the session has none of its own. @default the browser's preference */
  readonly language?: 'en' | 'de' | 'fr' | 'es' | 'pt' | 'ja';
  /** Aborts: closes the window or frame and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called for every failed try, and for a window that was blocked or closed in a frame; the user may still try again. */
  readonly onProblem?: (problem: ConnectProblem) => void;
}

/** A try that failed, in words that may be shown. */
export interface ConnectProblem {
  /**
   * Such as `callback_err`, `token_err`, `state_cookie_err`, `timed_out`; `cookies_blocked` where the browser keeps none
   * for the gateway; of a frame also `popup_blocked` and `window_closed`.
   */
  readonly errorType: string;
  readonly message: string;
}

/** How connecting ended. A result in the browser is a hint: your backend reads the connection itself. */
export type ConnectResult =
  | {
      readonly status: 'connected';
      /** Id of the integration; with `connectionId` what calls of `GatewayClient` take. */
      readonly providerConfigKey: string;
      /** @deprecated Since 0.2.0: read `providerConfigKey`, which is the same. It stays until 0.4.0. */
      readonly integrationId: string;
      readonly connectionId: string;
      /** Asked for and not granted. */
      readonly missingScopes: readonly string[];
      /** The selected files, where the session was created with `pick`. */
      readonly picked?: readonly PickedFile[];
    }
  /**
   * The session was made with `confirm`: nothing is connected until your backend has confirmed the handle
   * (`connectSessions.confirm`) for the user who is signed in to your app here.
   */
  | {
      readonly status: 'confirmation_required';
      readonly confirmationHandle: string;
      /** Id of the integration. */
      readonly providerConfigKey: string;
      /** @deprecated Since 0.2.0: read `providerConfigKey`, which is the same. It stays until 0.4.0. */
      readonly integrationId: string;
      readonly connectionId: string;
      /** Asked for and not granted. */
      readonly missingScopes: readonly string[];
    }
  /** The last try failed or was refused, and the user closed the window. */
  | ({
      readonly status: 'refused' | 'failed' | 'expired';
      /** The connect page to offer as a page of its own, where it could not be shown in a frame. */
      readonly connectLink?: string;
    } & ConnectProblem)
  /** The user closed the window before there was a result. */
  | { readonly status: 'closed' }
  /** The browser opened no window: show the link, or call `connect` from a click. */
  | { readonly status: 'blocked'; readonly connectLink: string };

/** A file that the user selected. */
export interface PickedFile {
  readonly id: string;
  /** Absent where the connection could not open the file. */
  readonly mimeType: string | undefined;
  /** Whether the connection could open it. */
  readonly confirmed: boolean;
}

/** How selecting files ended. A result in the browser is a hint: your backend reads the session itself. */
export type PickResult =
  | {
      readonly status: 'picked';
      /** Id of the integration; with `connectionId` what calls of `GatewayClient` take. */
      readonly providerConfigKey: string;
      /** @deprecated Since 0.2.0: read `providerConfigKey`, which is the same. It stays until 0.4.0. */
      readonly integrationId: string;
      readonly connectionId: string;
      readonly files: readonly PickedFile[];
    }
  /** The user selected nothing or closed the window; nothing was changed. */
  | { readonly status: 'cancelled' }
  | Extract<ConnectResult, { status: 'refused' | 'failed' | 'expired' | 'blocked' }>;

/** Where a connect session stands. */
export interface SessionState {
  readonly status:
    | 'pending'
    | 'authorizing'
    | 'pending_confirmation'
    | 'connected'
    | 'cancelled'
    | 'refused'
    | 'failed'
    | 'expired';
  readonly integrationId: string | undefined;
  readonly connectionId: string | undefined;
  readonly problem: ConnectProblem | undefined;
  readonly missingScopes: readonly string[];
  /** Undefined where the session is only for connecting. */
  readonly picked: readonly PickedFile[] | undefined;
}

/** Error replies in the shape the AWS SDKs parse: an HTTP status, an exception name and a message. */

/** Thrown by an emulated operation; the server turns it into `{"__type", "message"}`. */
export class AwsError extends Error {
  readonly type: string;
  readonly status: number;
  constructor(type: string, message: string, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
  }
}

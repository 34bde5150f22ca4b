/** The echo as a Lambda function behind a function URL that streams (AWS: "Response streaming for Lambda functions"). */
import { answerEcho } from './answer.ts';

/** The part of a function URL's request, payload format 2.0, that the echo reads. */
interface UrlEvent {
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded: boolean;
  readonly requestContext: { readonly domainName: string; readonly http: { readonly method: string } };
}

interface ResponseStream {
  write(chunk: Uint8Array | string): boolean;
  end(): void;
  once(event: 'drain', listener: () => void): void;
}

/** Globals that Lambda's Node runtime adds. */
declare const awslambda: {
  streamifyResponse(handler: (event: UrlEvent, stream: ResponseStream) => Promise<void>): unknown;
  HttpResponseStream: {
    from(
      stream: ResponseStream,
      metadata: { statusCode: number; headers: Record<string, string>; cookies: string[] },
    ): ResponseStream;
  };
};

export const handler = awslambda.streamifyResponse(async (event, stream) => {
  const answer = answerEcho(
    {
      method: event.requestContext.http.method,
      target: event.rawQueryString === '' ? event.rawPath : `${event.rawPath}?${event.rawQueryString}`,
      headers: Object.entries(event.headers),
      body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
    },
    `https://${event.requestContext.domainName}`,
  );
  const isCookie = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'set-cookie';
  const out = awslambda.HttpResponseStream.from(stream, {
    statusCode: answer.status,
    headers: Object.fromEntries(answer.headers.filter((header) => !isCookie(header))),
    cookies: answer.headers.filter(isCookie).map(([, value]) => value),
  });
  // The head leaves with the first write.
  out.write('');
  for await (const part of answer.body) {
    if (!out.write(part)) await new Promise<void>((resolve) => out.once('drain', resolve));
  }
  out.end();
});

import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { type AwsCallLimits, awsClient } from '../../lambdas/gateway/platform/aws-client.ts';

/** A file of the site has a few megabytes, and the line of who uploads it may be slow. */
const UPLOAD_LIMITS: AwsCallLimits = { attempts: 4, connectMs: 5_000, answerMs: 120_000, lastRepeatMs: 240_000 };

/** One object of the site's bucket. */
export interface SiteObject {
  readonly key: string;
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly cacheControl: string;
}

/** The bucket of a site. */
export interface SiteBucket {
  readonly bucketName: string;
  readonly region: string;
}

/** Writes objects into the site's bucket, with the credentials of the shell. */
export function bucketWriter({ bucketName, region }: SiteBucket): (object: SiteObject) => Promise<void> {
  const client = awsClient(S3Client, UPLOAD_LIMITS, region);
  return async ({ key, body, contentType, cacheControl }) => {
    await client.send(
      new PutObjectCommand({
        Bucket: bucketName,
        Key: key,
        Body: body,
        ContentType: contentType,
        CacheControl: cacheControl,
      }),
    );
  };
}

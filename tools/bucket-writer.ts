import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { DashboardTarget, SiteObject } from './deploy-dashboard.ts';

/** Writes objects into the site's bucket, with the credentials of the shell. */
export function bucketWriter({ bucketName, region }: DashboardTarget): (object: SiteObject) => Promise<void> {
  const client = new S3Client({ region });
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

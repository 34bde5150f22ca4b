import { marshall } from '@aws-sdk/util-dynamodb';
import type { Json } from '../../../../dev/tools/json.ts';

/** An inserted item as a record of the table's stream. */
export function eventRecord(
  sequenceNumber: string,
  item: Readonly<Record<string, unknown>>,
  writtenAtEpochSec?: number,
) {
  const image: Json = JSON.parse(JSON.stringify(marshall(item, { removeUndefinedValues: true })));
  const { pk = null, sk = null } = Object(image);
  return {
    eventName: 'INSERT',
    dynamodb: {
      ...(writtenAtEpochSec === undefined ? {} : { ApproximateCreationDateTime: writtenAtEpochSec }),
      SequenceNumber: sequenceNumber,
      Keys: { pk, sk },
      NewImage: image,
    },
  };
}

import { Client, type ClientConfig } from './client.ts';
import { list, struct, typedItem } from './shapes.ts';

/** Replaces the SDK's class of this name. */
export class DynamoDBClient extends Client {
  constructor(config: ClientConfig) {
    const Item = typedItem;
    super(
      {
        host: 'dynamodb',
        variable: 'DYNAMODB',
        json: '1.0',
        target: 'DynamoDB_20120810',
        delayMs: 25,
        ownFaults: ['InternalServerError'],
        repeated: ['ReplicatedWriteConflictException'],
        errorShapes: { Item, CancellationReasons: list(struct('Item Code Message', { Item })) },
      },
      config,
    );
  }
}

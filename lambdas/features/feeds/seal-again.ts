import { type DoorOperation, jsonAnswer } from '../../gateway/core/door.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import type { Logger, TokenCipher } from '../../gateway/core/ports.ts';
import { text } from './feed-resource.rules.ts';
import type { FeedSeals } from './ports.ts';
import { cursorContext, statesKeyContext } from './sealed-places.rules.ts';

export interface SealAgainDependencies {
  readonly seals: FeedSeals;
  readonly cipher: TokenCipher;
  readonly logger: Logger;
}

/**
 * Seals the positions of a feed that 0.2.0 wrote under keys of tokens under keys that the asking function may use. The rows are read here,
 * and each value opens only as what it is of its feed: a token that was copied into such a row does not (CR-2).
 */
export function sealAgain({ seals, cipher, logger }: SealAgainDependencies): DoorOperation {
  return async (input, { requestId }) => {
    const [accountId, feedId] = [text(input, 'accountId'), text(input, 'feedId')];
    if (accountId === undefined || feedId === undefined) throw new Error('A question of another form');
    const found = await seals.underKeysOfTokens({ accountId, feedId });
    if (found === undefined) throw new GatewayError('not_found', 'There is no such feed.');
    const { integrationId, values } = found;
    const feed = { feedId, connection: { accountId, integrationId } };
    for (const value of values) {
      const context = value.attribute === 'encryptedKey' ? statesKeyContext(feed) : cursorContext(feed);
      await seals.replace(value, await cipher.encrypt(context, await cipher.decrypt(context, value.sealed)));
    }
    logger.info('positions of a feed were sealed again', { requestId, accountId, count: values.length });
    return jsonAnswer({ count: values.length });
  };
}

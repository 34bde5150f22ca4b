import * as z from 'zod';
import { documented } from '../../gateway/openapi/documented.ts';
import { everyEvent, text } from '../../gateway/openapi/event-parts.ts';

/** The message with which an endpoint proves itself, in the form of an event; it is not on the bus. */
export const describedMessages = documented(() => ({
  'endpoint.test': {
    title: 'Test of an endpoint',
    when: 'A webhook is enabled or tested.',
    data: z.object({
      event_id: everyEvent('').event_id,
      time: everyEvent('').time,
      account_id: everyEvent('').account_id,
      webhook_id: text('Id of the webhook.'),
    }),
    example: { webhook_id: 'wh_01KAMT0V5N7Z2Q4R8S6T1W3X5Y' },
  },
}));

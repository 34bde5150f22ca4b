import * as z from 'zod';
import { texts } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';

/** A binding as an answer has it. */
export const agentAnswer = documented(() =>
  z
    .object({
      end_user_id: z.string().nullable().meta({
        description: 'Your id of the end user whose connections these are; null: they name none.',
      }),
      connections: z.array(z.object({ integration_id: z.string(), connection_id: z.string() })),
      tools: texts().nullable().meta({ description: 'Tools that it may be given; null = all that its limits leave.' }),
    })
    .meta({ id: 'AgentBinding', description: 'What the key of an assistant is bound to.' }),
);

/** The member `agent` of a secret key. */
export const describedKey = documented(() => ({
  agent: agentAnswer()
    .nullable()
    .meta({ description: 'Of an assistant’s key, which works only at /mcp; null = another key.' }),
}));

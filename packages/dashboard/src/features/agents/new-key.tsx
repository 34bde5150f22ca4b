import type { NewKey } from '../../model/feature-slots.ts';
import { CreateAgentDialog } from './create-agent-dialog.tsx';

export const newKey: NewKey = { label: 'Create an agent key', Dialog: CreateAgentDialog };

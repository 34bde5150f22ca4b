export type { AgentTool, CreatedAgent, NewAgent } from './agent-types.ts';

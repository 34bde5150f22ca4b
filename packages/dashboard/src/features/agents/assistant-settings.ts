/** Settings with which an assistant finds the gateway, to be copied as they are. */
export interface AssistantSettings {
  readonly name: string;
  /** Where they go. */
  readonly where: string;
  readonly text: string;
}

/** For each assistant that takes a key. */
export function assistantSettings(mcpUrl: string, agentKey: string): readonly AssistantSettings[] {
  const authorization = `Bearer ${agentKey}`;
  const json = (settings: object) => JSON.stringify(settings, undefined, 2);
  return [
    {
      name: 'Claude Code',
      where: 'Run it in a shell.',
      text: `claude mcp add --transport http google ${mcpUrl} --header "Authorization: ${authorization}"`,
    },
    {
      name: 'Visual Studio Code',
      where: 'Save it as .vscode/mcp.json. It asks for the key, which stays out of the file.',
      text: json({
        inputs: [{ id: 'agent-key', type: 'promptString', description: 'Agent key', password: true }],
        servers: {
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor fills it in.
          google: { type: 'http', url: mcpUrl, headers: { Authorization: 'Bearer ${input:agent-key}' } },
        },
      }),
    },
    {
      name: 'Gemini CLI',
      where: 'Add it to ~/.gemini/settings.json.',
      text: json({ mcpServers: { google: { httpUrl: mcpUrl, headers: { Authorization: authorization } } } }),
    },
  ];
}

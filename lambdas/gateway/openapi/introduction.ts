/** What the document says before its first operation. Markdown. */
export const INTRODUCTION = `Calls to Google Drive and Google Calendar as your end users, and everything around them.

**Authentication.** \`Authorization: Bearer <secret key>\`. A key has one of three rights: \`proxy\` reaches only /proxy,
\`read\` also reads this API, \`full\` changes it.

**JSON.** Bodies are JSON in UTF-8 with \`Content-Type: application/json\`. Members and query parameters that a route does
not know are refused. Times are ISO 8601 UTC. Answers may get more members in time.

**Errors.** Every failure of the gateway has the same form and the header \`x-gateway-error\` with its code. \`errors\` lists
all problems of a request at once. Permanent conditions are never 408, 429 or 5xx, which client libraries repeat. Any path
answers 405 \`method_not_allowed\` to a method it does not have, and 404 \`not_found\` or \`not_supported\` where there is none.

**Connections** are named by two ids: their own and their integration's \`unique_key\`, which routes take as the query
parameter \`provider_config_key\`.`;

/** The introduction of the document. Markdown. */
export const INTRODUCTION = `Calls to Google Drive and Google Calendar on behalf of your end users, and management of their connections.

**Authentication.** \`Authorization: Bearer <secret key>\`. A key has one of three rights: \`proxy\` allows only /proxy,
\`read\` also allows reading this API, and \`full\` allows changes.

**JSON.** Bodies are JSON in UTF-8 with \`Content-Type: application/json\`. Unknown members and query
parameters are refused. Times are ISO 8601 in UTC. Answers may get additional members in later versions.

**Errors.** All errors of the gateway have the same form, with their code in the header \`x-gateway-error\`. \`errors\` lists
all problems of a request. A permanent problem never has the status 408, 429 or 5xx, because client libraries retry those. An unsupported
method gets 405 \`method_not_allowed\`; an unknown path gets 404 \`not_found\` or \`not_supported\`.

**Connections** are identified by two ids: their own and their integration's \`unique_key\`, which is the query
parameter \`provider_config_key\`.

**Events** reach you on the deployment's EventBridge bus and as signed webhooks. \`webhooks\` of /openapi.json has the message of each type.`;

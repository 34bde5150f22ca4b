/**
 * Sends with a token, and once more with a renewed one where the provider refuses the first (TK-6): the second answer stands,
 * whatever it says.
 *
 * @param isRefused whether an answer says that the token does not count, such as 401
 * @param renew undefined: there is no other token now, and the first answer stands
 */
export async function sendRenewing<Token, Answer>(
  token: Token,
  send: (token: Token) => Promise<Answer>,
  isRefused: (answer: Answer) => boolean,
  renew: (refused: Token, answer: Answer) => Promise<Token | undefined>,
): Promise<{ readonly answer: Answer; readonly token: Token }> {
  const answer = await send(token);
  const renewed = isRefused(answer) ? await renew(token, answer) : undefined;
  return renewed === undefined ? { answer, token } : { answer: await send(renewed), token: renewed };
}

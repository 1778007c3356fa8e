import type { InferSession } from "@latchkey/core/types"
import type { NextAuthConfig } from "../config.ts"
import type { PagesExchange } from "../contexts.ts"
import { getNextAuth } from "./options.ts"

/**
 * Returns the session, or null when nobody is signed in. Components, actions and route handlers pass only the options; the
 * Pages Router passes its request and response, which renews the session.
 *
 * @throws AuthError when the session could not be checked; it may still be valid, so this is not a sign-out
 */
export function getServerSession<const Options extends NextAuthConfig>(
  options: Options,
): Promise<InferSession<Options> | null>
export function getServerSession<const Options extends NextAuthConfig>(
  req: PagesExchange["req"],
  res: PagesExchange["res"],
  options: Options,
): Promise<InferSession<Options> | null>
export function getServerSession(
  ...input: [NextAuthConfig] | [PagesExchange["req"], PagesExchange["res"], NextAuthConfig]
): Promise<unknown> {
  if (input.length === 1) return getNextAuth(input[0]).auth()
  const [req, res, options] = input
  return getNextAuth(options).auth(req, res)
}

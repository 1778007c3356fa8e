/** The link of a request: its address and token, and the browser that requested it. */

import { describeShape } from "../../errors/describe-value.ts"
import { Verification } from "../../errors.ts"
import { maxTokenLength } from "../verification-token.ts"
import { type EmailContext, getHasher, identifierPattern } from "./email-identity.ts"
import { type EmailMarker, findMarker } from "./email-marker.ts"

/** A link that was opened. */
export interface OpenedLink {
  readonly token: string
  readonly email: string
  /** The hashes of the link under every secret, so that it survives a rotation. */
  readonly hashes: readonly string[]
  /** The marker of the browser that requested the link; undefined in all other browsers. */
  readonly marker: EmailMarker | undefined
}

/**
 * Reads the link of a request, and finds out whether this browser requested it.
 *
 * @throws Verification for an incomplete link
 */
export async function readLink(context: EmailContext): Promise<OpenedLink> {
  const { token, email } = parseLink(context)
  const text = `${context.provider.id} ${email} ${token}`
  const hashes = await getHasher(context).hashWithEachSecret("email link", text)
  return { token, email, hashes, marker: await findMarker(context, email, token, hashes) }
}

function parseLink({ request: { query } }: EmailContext): { token: string; email: string } {
  const token = query.get("token") ?? ""
  const email = query.get("email") ?? ""
  const isComplete = token !== "" && identifierPattern.test(email)
  if (!isComplete || token.length > maxTokenLength || email.length > maxTokenLength) {
    throw new Verification({
      expected: "a link with its `token` and `email`",
      received: `token: ${describeShape(token)}, address: ${describeShape(email)}`,
      hint: "E-mail clients may break long links: copy the whole link, or request a new one.",
    })
  }
  return { token, email }
}

/** The link of a request: its address and token, and the browser that requested it. */
import { Verification } from "../../errors.ts"
import { describeShape } from "../../http/error-report.ts"
import type { FlowContext } from "../flow-context.ts"
import { maxTokenLength } from "../verification-token.ts"
import { type EmailContext, getHasher, identifierPattern } from "./email-identity.ts"
import { type EmailMarker, findMarker } from "./email-marker.ts"

/** Returns the marker of the browser that requested the link; undefined in all other browsers. */
export async function findLinkMarker(context: EmailContext): Promise<EmailMarker | undefined> {
  const { email, token } = readLink(context)
  return findMarker(context, email, token, await hashLink(context))
}

/** @throws Verification for an incomplete link */
export function readLink({ request: { query } }: FlowContext): { token: string; email: string } {
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

/** Hashes the token of a link under every secret, so that it survives a rotation. */
export async function hashLink(context: EmailContext): Promise<readonly string[]> {
  const { email, token } = readLink(context)
  const text = `${context.provider.id} ${email} ${token}`
  return getHasher(context).hashWithEachSecret("email link", text)
}

/** The account that a request names, as the visitor typed it. */
import type { ActionRequest } from "../../http/action-request.ts"
import type { ResolvedProvider } from "../../providers/resolved-provider.ts"

/**
 * Returns the unverified address in a link, or the field of a credentials form that names the account, without white
 * space around it, and cut. A text that is not exactly what was typed begins with a space: it may be another account.
 */
export function readIdentifier(
  { query, body }: ActionRequest,
  provider: ResolvedProvider,
): string | undefined {
  const field = provider.type === "credentials" ? provider.identifierField : undefined
  const typed = field !== undefined && Object.hasOwn(body, field) ? body[field] : undefined
  const value = provider.type === "email" ? query.get("email") : typed
  // `authorize` receives a number in JSON as text, and is not called with an object.
  const text = typeof value === "object" ? "" : String(value ?? "")
  const name = text.trim().slice(0, 320)
  if (name === "") return undefined
  return name === text ? name : ` ${name}`
}

/** Sign-in with credentials that the user types. */
import { AuthError, CallbackRouteError, CredentialsSignin, InvalidRequest } from "../errors.ts"
import type { ActionRequest } from "../http/action-request.ts"
import type { RequestBody } from "../http/request-body.ts"
import { addRequest } from "../http/request-view.ts"
import { isObject } from "../objects.ts"
import type { ResolvedCredentialsProvider } from "../providers/resolved-provider.ts"
import type { User } from "../types.ts"
import type { CompletedFlow } from "./flow.ts"
import { createJsonRequest } from "./flow.ts"

/**
 * Calls the application's `authorize`.
 *
 * @param needsId whether a user without an id is refused, who would be another one with each sign-in
 * @throws CredentialsSignin when it refuses, InvalidRequest for fields that are not text, CallbackRouteError
 *   when it fails
 */
export async function completeCredentialsFlow(
  request: ActionRequest,
  provider: ResolvedCredentialsProvider,
  needsId: boolean,
): Promise<CompletedFlow> {
  const { id } = provider
  const credentials = readTextFields(request.body)
  let result: unknown
  try {
    const jsonRequest = createJsonRequest(request, credentials)
    result = await provider.authorize?.(credentials, jsonRequest, addRequest({}, request))
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new CallbackRouteError({ summary: "`authorize` failed." }, { provider: id, cause })
  }
  const received = result ? `a ${typeof result}` : "nobody: the credentials are wrong"
  request.reportRecorder?.record("`authorize`", received, Boolean(result), "a user")
  if (!result) throw new CredentialsSignin()
  if (!isObject(result)) throw createResultError(id, "a user or null")
  const user = ensureUserId(result, id, needsId)
  const account = { provider: id, type: "credentials", providerAccountId: user.id } as const
  return {
    kind: "completed",
    identity: { user, account, credentials, emailVerification: "unknown", storedAccount: account },
  }
}

/** Passes fields to `authorize` as text only, because an object in a database query can change its meaning. */
function readTextFields(body: RequestBody): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue
    if (typeof value === "object" || typeof value === "function")
      throw new InvalidRequest(400, { expected: "every field to be text", field: name })
    fields[name] = String(value)
  }
  return fields
}

/** Returns the user with a text as id: the same object if it has one, because it may be an entity with methods. */
function ensureUserId(user: User, provider: string, needsId: boolean): User & { id: string } {
  const { id }: { id?: unknown } = user
  if (typeof id === "string" && id) return user as User & { id: string }
  // Without an id, every sign-in is a user of its own.
  const isMissing = id === undefined || id === null || id === ""
  if (isMissing && !needsId) return { ...user, id: crypto.randomUUID() }
  // Ids of databases may be numbers, or objects with a `toString` of their own.
  const text = typeof id === "number" || typeof id === "bigint" || isObject(id) ? String(id) : ""
  if (text && text !== "NaN" && !text.startsWith("[object ")) return { ...user, id: text }
  throw createResultError(provider, "a user whose `id` is text or a number")
}

function createResultError(provider: string, result: string): CallbackRouteError {
  return new CallbackRouteError({ provider, expected: `\`authorize\` to return ${result}` })
}

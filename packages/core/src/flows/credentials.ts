/** Sign-in with what a person types. */
import { AuthError, CallbackRouteError, CredentialsSignin, InvalidRequest } from "../errors.ts"
import type { ActionRequest, RequestBody } from "../http/action-request.ts"
import type { ResolvedCredentialsProvider } from "../providers/resolved-provider.ts"
import type { User } from "../types.ts"
import type { FlowResult } from "./flow-result.ts"
import { createJsonRequest } from "./json-request.ts"

/**
 * Asks the application's `authorize`.
 *
 * @throws CredentialsSignin when it refuses, InvalidRequest for fields that are not text, CallbackRouteError
 *   when it fails
 */
export async function completeCredentialsFlow(
  request: ActionRequest,
  provider: ResolvedCredentialsProvider,
): Promise<FlowResult> {
  const credentials = readTextFields(request.body)
  const user = await callAuthorize(request, provider, credentials)
  const accountKey = {
    provider: provider.id,
    type: "credentials",
    providerAccountId: user.id,
  } as const
  return {
    kind: "completed",
    identity: {
      user,
      account: accountKey,
      credentials,
      emailVerification: "unknown",
      storedAccount: accountKey,
    },
    callbackUrl: undefined,
    linkRequest: undefined,
  }
}

/** Fields reach `authorize` as text: an object in a query is how databases are tricked. */
function readTextFields(body: RequestBody): Record<string, string> {
  const fields = Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
  for (const [name, value] of fields) {
    if (typeof value === "object" || typeof value === "function") {
      throw new InvalidRequest(400, { expected: "every field to be text", field: name })
    }
  }
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
}

async function callAuthorize(
  request: ActionRequest,
  provider: ResolvedCredentialsProvider,
  credentials: Record<string, string>,
): Promise<User & { id: string }> {
  let user: unknown
  try {
    user = await provider.authorize?.(credentials, createJsonRequest(request, credentials))
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new CallbackRouteError("`authorize` failed.", { provider: provider.id, cause })
  }
  const received = user ? `a ${typeof user}` : "nobody: the credentials are wrong"
  request.reportRecorder?.record("`authorize`", received, Boolean(user), "a user")
  if (!user) throw new CredentialsSignin()
  if (typeof user !== "object" || Array.isArray(user)) {
    throw new CallbackRouteError({
      provider: provider.id,
      expected: "`authorize` to return a user or null",
    })
  }
  return ensureUserId(user, provider)
}

/** The very object that was returned, where it has a text as id: it may be an entity with methods. */
function ensureUserId(user: User, provider: ResolvedCredentialsProvider): User & { id: string } {
  const id = toIdText(user.id ?? "", provider)
  if (hasTextId(user, id)) return user
  // Without an id, nobody is anybody else.
  return { ...user, id: id || crypto.randomUUID() }
}

function hasTextId(user: User, id: string): user is User & { id: string } {
  return id !== "" && user.id === id
}

/** An id as text. A database may have ids that are numbers, or objects that know their text. */
function toIdText(id: unknown, provider: ResolvedCredentialsProvider): string {
  if (typeof id === "string") return id
  const text = typeof id === "number" || typeof id === "bigint" || isObject(id) ? String(id) : ""
  if (text !== "" && text !== "NaN" && !text.startsWith("[object ")) return text
  throw new CallbackRouteError({
    provider: provider.id,
    expected: "`authorize` to return a user whose `id` is text or a number",
  })
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

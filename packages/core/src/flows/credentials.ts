/** Sign-in with what a person types. */
import { AuthError, CallbackRouteError, CredentialsSignin, InvalidRequest } from "../errors.ts"
import type { Body, Exchange } from "../http/exchange.ts"
import type { ResolvedCredentialsProvider } from "../providers/resolved.ts"
import type { User } from "../types.ts"
import type { Proof } from "./proof.ts"
import { rebuiltRequest } from "./rebuilt-request.ts"

/**
 * Asks the application's `authorize`.
 *
 * @throws CredentialsSignin when it refuses, InvalidRequest for fields that are not text, CallbackRouteError
 *   when it fails
 */
export async function proveCredentials(
  exchange: Exchange,
  provider: ResolvedCredentialsProvider,
): Promise<Proof> {
  const credentials = fieldsOf(exchange.body)
  const user = await authorized(exchange, provider, credentials)
  const keys = { provider: provider.id, type: "credentials", providerAccountId: user.id } as const
  return {
    kind: "proven",
    identity: {
      user,
      account: keys,
      credentials,
      emailStanding: "unsaid",
      stored: keys,
    },
    callbackUrl: undefined,
    link: undefined,
  }
}

/** Fields reach `authorize` as text: an object in a query is how databases are tricked. */
function fieldsOf(body: Body): Record<string, string> {
  const fields = Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
  for (const [name, value] of fields) {
    if (typeof value === "object" || typeof value === "function") {
      throw new InvalidRequest(400, { expected: "every field to be text", field: name })
    }
  }
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
}

async function authorized(
  exchange: Exchange,
  provider: ResolvedCredentialsProvider,
  credentials: Record<string, string>,
): Promise<User & { id: string }> {
  let user: unknown
  try {
    user = await provider.authorize?.(credentials, rebuiltRequest(exchange, credentials))
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new CallbackRouteError("`authorize` failed.", { provider: provider.id, cause })
  }
  exchange.trace.note({
    name: "`authorize`",
    expected: "a user",
    came: user ? `a ${typeof user}` : "nobody: what was typed is not right",
    fits: Boolean(user),
  })
  if (!user) throw new CredentialsSignin()
  if (typeof user !== "object" || Array.isArray(user)) {
    throw new CallbackRouteError({
      provider: provider.id,
      expected: "`authorize` to return a user or null",
    })
  }
  return withId(user, provider)
}

/** The very object that was returned, where it has a text as id: it may be an entity with methods. */
function withId(user: User, provider: ResolvedCredentialsProvider): User & { id: string } {
  const id = idOf(user.id ?? "", provider)
  if (hasId(user, id)) return user
  // Without an id, nobody is anybody else.
  return { ...user, id: id || crypto.randomUUID() }
}

function hasId(user: User, id: string): user is User & { id: string } {
  return id !== "" && user.id === id
}

/** An id as text. A database may have ids that are numbers, or objects that know their text. */
function idOf(id: unknown, provider: ResolvedCredentialsProvider): string {
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

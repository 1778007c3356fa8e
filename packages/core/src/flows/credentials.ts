/** Sign-in with what a person types. */
import { AuthError, CallbackRouteError, CredentialsSignin, InvalidRequest } from "../errors.ts"
import type { Body, Exchange } from "../http/exchange.ts"
import type { ResolvedCredentialsProvider } from "../providers/resolved.ts"
import type { User } from "../types.ts"
import type { Proof } from "./proof.ts"

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
  const id = user.id === undefined ? crypto.randomUUID() : String(user.id)
  const keys = { provider: provider.id, type: "credentials", providerAccountId: id } as const
  return {
    kind: "proven",
    identity: {
      user: { ...user, id },
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
      throw new InvalidRequest(400, { expected: `field \`${name}\` to be text` })
    }
  }
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
}

async function authorized(
  exchange: Exchange,
  provider: ResolvedCredentialsProvider,
  credentials: Record<string, string>,
): Promise<User> {
  let user: unknown
  try {
    user = await provider.authorize?.(credentials, requestOf(exchange, credentials))
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new CallbackRouteError("`authorize` failed.", { provider: provider.id, cause })
  }
  if (!user) throw new CredentialsSignin()
  if (typeof user !== "object" || Array.isArray(user)) {
    throw new CallbackRouteError({
      provider: provider.id,
      expected: "`authorize` to return a user or null",
    })
  }
  return user
}

/** The request with its body as JSON, since the original one has been read. */
function requestOf(exchange: Exchange, credentials: Record<string, string>): Request {
  const headers = new Headers(exchange.headers)
  headers.delete("content-length")
  headers.set("content-type", "application/json")
  return new Request(exchange.url, { method: "POST", headers, body: JSON.stringify(credentials) })
}

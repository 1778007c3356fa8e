/**
 * The argument that a runtime passes to a `fetch` handler beside the request: bindings (Workers), a server (Bun), a connection (Deno,
 * `@hono/node-server`).
 */
import type { EnvironmentVariables } from "@latchkey/core"

/** The parts of that argument that tell the address of the client. */
interface ConnectionSource {
  readonly requestIP?: (request: Request) => { readonly address?: unknown } | null
  readonly remoteAddr?: { readonly hostname?: unknown }
  readonly incoming?: {
    readonly url?: unknown
    readonly socket?: { readonly remoteAddress?: unknown }
  }
}

/** Returns the bindings of a worker. What servers pass differs with each request, and configures nothing. */
export function getBindings(argument: unknown): object | undefined {
  if (typeof argument !== "object" || argument === null) return undefined
  const { requestIP, remoteAddr, incoming }: ConnectionSource = argument
  // A worker may have bindings of these names.
  const isServer = typeof requestIP === "function" || typeof incoming?.socket === "object"
  return isServer || typeof remoteAddr === "object" ? undefined : argument
}

/** Returns the address of the connection in Bun, Deno and Node.js; undefined elsewhere. */
export function getConnectionAddress(request: Request, argument: unknown): string | undefined {
  const source: ConnectionSource = Object(argument)
  const address =
    source.requestIP?.(request)?.address ??
    source.remoteAddr?.hostname ??
    source.incoming?.socket?.remoteAddress
  return typeof address === "string" ? address : undefined
}

/** Returns the path and query as Node.js received them, because a `Request` resolves them; undefined elsewhere. */
export function getRequestTarget(argument: unknown): string | undefined {
  const { incoming }: ConnectionSource = Object(argument)
  return typeof incoming?.url === "string" ? incoming.url : undefined
}

/** Returns the texts among the bindings, and the variables of the process. They are read when they are needed. */
export function getEnvironment(env: unknown): EnvironmentVariables {
  const bindings: Readonly<Record<string, unknown>> = Object(env)
  const get = (_: object, name: string | symbol) => {
    if (typeof name !== "string") return undefined
    const value = bindings[name]
    return typeof value === "string" ? value : globalThis.process?.env[name]
  }
  return new Proxy<EnvironmentVariables>({}, { get })
}

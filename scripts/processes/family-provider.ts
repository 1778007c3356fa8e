/**
 * A token endpoint that accepts each refresh token once, and revokes the whole family of tokens if one is reused (RFC 9700
 * section 4.14.2). It knows which process received which token.
 */
import { randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type { SeededRandom } from "./seeded-random.ts"

/** The tokens that follow from one sign-in. */
interface TokenFamily {
  /** The latest refresh token. */
  latest: string
  /** The process that received it; undefined for the one of the sign-in. */
  receiver: string | undefined
  readonly used: Map<string, Response>
  refreshes: number
  /** Responses that were sent again within the grace period. */
  repeats: number
  isRevoked: boolean
}

interface Response {
  readonly usedAt: number
  readonly body: object
}

export interface FamilyProvider extends AsyncDisposable {
  readonly tokenEndpoint: string
  /** Resolves when so many requests have arrived since the last call, with the name of the process that sent the last. */
  waitForRequests(count: number): Promise<string>
  /** Starts a family. Returns its first refresh token. */
  startFamily(): { readonly family: TokenFamily; readonly refreshToken: string }
}

/** Options of `startFamilyProvider`. */
export interface FamilyProviderOptions {
  readonly random: SeededRandom
  /** The longest time that a request and its response take, each, in milliseconds. */
  readonly maxDelay: number
  /** How long a used refresh token gets the same response again, in milliseconds, as some providers do. */
  readonly gracePeriod?: number
}

/** The header that says which process sent a request. */
export const processHeader = "x-process"

/** Starts the endpoint. */
export async function startFamilyProvider(options: FamilyProviderOptions): Promise<FamilyProvider> {
  const families = new Map<string, TokenFamily>()
  let requests = 0
  let onRequest = (_sender: string): void => undefined
  const server = createServer((req, res) => {
    requests += 1
    onRequest(String(req.headers[processHeader]))
    void respond(req, res, families, options)
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    tokenEndpoint: `http://127.0.0.1:${port}/token`,
    waitForRequests(count) {
      requests = 0
      return new Promise((resolve) => {
        onRequest = (sender) => {
          if (requests >= count) resolve(sender)
        }
      })
    },
    startFamily() {
      const refreshToken = createToken()
      const family: TokenFamily = {
        latest: refreshToken,
        receiver: undefined,
        used: new Map(),
        refreshes: 0,
        repeats: 0,
        isRevoked: false,
      }
      families.set(refreshToken, family)
      return { family, refreshToken }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function respond(
  req: IncomingMessage,
  res: ServerResponse,
  families: Map<string, TokenFamily>,
  { random, maxDelay, gracePeriod = 0 }: FamilyProviderOptions,
): Promise<void> {
  const body = new URLSearchParams(await text(req).catch(() => ""))
  await random.sleepBetween(0, maxDelay)
  const refreshToken = body.get("refresh_token") ?? ""
  const family = families.get(refreshToken)
  const reply = family
    ? refresh(family, refreshToken, gracePeriod, String(req.headers[processHeader]), families)
    : undefined
  await random.sleepBetween(0, maxDelay)
  res.writeHead(reply ? 200 : 400, { "content-type": "application/json" })
  res.end(JSON.stringify(reply ?? { error: "invalid_grant" }))
}

function refresh(
  family: TokenFamily,
  refreshToken: string,
  gracePeriod: number,
  receiver: string,
  families: Map<string, TokenFamily>,
): object | undefined {
  if (family.isRevoked) return undefined
  const use = family.used.get(refreshToken)
  if (use) {
    if (Date.now() - use.usedAt <= gracePeriod) {
      family.repeats += 1
      return use.body
    }
    family.isRevoked = true
    return undefined
  }
  const latest = createToken()
  const body = {
    access_token: createToken(),
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: latest,
  }
  family.used.set(refreshToken, { usedAt: Date.now(), body })
  family.refreshes += 1
  Object.assign(family, { latest, receiver })
  families.set(latest, family)
  return body
}

const createToken = () => randomBytes(16).toString("base64url")

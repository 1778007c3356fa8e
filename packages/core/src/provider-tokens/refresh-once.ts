/**
 * Refreshes tokens once per refresh token, however many requests and processes need it: a provider may accept a refresh
 * token only once, and take a second use for theft (RFC 9700 section 4.14.2).
 */
import { decodeJwt } from "jose/jwt/decode"
import type { LeaseStore } from "../adapters.ts"
import { sha256Hex } from "../crypto/digest.ts"
import { computeExpiresAt } from "../flows/oauth/expires-at.ts"
import { isObject } from "../objects.ts"
import { getResultLifetime, type LockedTask, runOnceAndShare } from "./locked-task.ts"

/** Maximum number of refreshes that are shared after they have completed. */
const maxCompleted = 1000

/** Refreshes that are in progress. */
const pending = new Map<string, Promise<object>>()
const completed = new Map<string, Promise<object>>()

/**
 * Returns the tokens of a refresh that this call, another request or another process began.
 *
 * @param leases without them, each process refreshes for itself
 * @param refresh its name contains the token endpoint, the client and the refresh token
 * @throws the error of the refresh; an error of the store when it cannot tell whether another process refreshes
 */
export async function refreshOnce<Tokens extends object>(
  leases: LeaseStore | undefined,
  refresh: LockedTask<Tokens>,
): Promise<Tokens> {
  const key = await sha256Hex(refresh.name)
  // Refreshes of the same name have tokens of the same type.
  const shared = (pending.get(key) ?? completed.get(key)) as Promise<Tokens> | undefined
  if (shared && !pending.has(key)) await refresh.onShared?.(await shared)
  if (shared) return shared
  const result = leases ? runOnceAndShare(leases, `refresh ${key}`, refresh) : refresh.run()
  pending.set(key, result)
  result.then(
    (tokens) => {
      pending.delete(key)
      keepCompleted(key, result, getResultLifetime(refresh, tokens))
    },
    () => pending.delete(key),
  )
  return result
}

/** Returns the newest tokens for which this process has recently exchanged the given ones. */
export async function findNewestTokens<Tokens extends object>(
  tokens: Tokens,
  getName: (tokens: Tokens) => string,
): Promise<Tokens> {
  const names = new Set<string>()
  let newest = tokens
  for (let name = getName(newest); !names.has(name); name = getName(newest)) {
    names.add(name)
    newest = ((await completed.get(await sha256Hex(name))) as Tokens | undefined) ?? newest
  }
  return newest
}

function keepCompleted(key: string, result: Promise<object>, duration: number): void {
  const [oldest = ""] = completed.keys()
  if (completed.size >= maxCompleted) completed.delete(oldest)
  completed.set(key, result)
  const timer: unknown = setTimeout(() => completed.delete(key), duration)
  // On Node.js, a timer keeps the process running unless it is unreferenced.
  if (isObject(timer)) (timer as { unref?(): void }).unref?.()
}

/** Whether an access token expires within the given number of seconds. Without an expiry it never does. */
export function isExpiring(expiresAt: unknown, seconds = 0): boolean {
  return typeof expiresAt === "number" && Date.now() >= (expiresAt - seconds) * 1000
}

/** Lifetime of an access token in seconds if no response stated one. Few tokens expire sooner. */
const fallbackLifetime = 300

/** Returns when an access token expires whose response may not have stated its lifetime (RFC 6749 section 5.1). */
export function computeRefreshedExpiry(...lifetimes: readonly unknown[]): number {
  const expiries = lifetimes.map(computeExpiresAt)
  return expiries.find(Boolean) ?? Math.floor(Date.now() / 1000) + fallbackLifetime
}

/**
 * OpenID Connect Core 12.2: a new ID token has the issuer and the subject of the old one.
 *
 * @param issuer the configured one, if there is no old token
 * @param subject the subject of the old token, if only that was kept
 */
export function assertSameSubject(
  newIdToken: string | undefined,
  oldIdToken: unknown,
  issuer: string | undefined,
  subject?: string | undefined,
): void {
  if (newIdToken === undefined) return
  const { iss, sub } = decodeJwt(newIdToken)
  // An empty text stands for a stored token that cannot be opened.
  const old = typeof oldIdToken === "string" && oldIdToken ? decodeJwt(oldIdToken) : undefined
  const expected = old?.iss ?? issuer ?? iss
  const withoutSlash = (text: unknown) => String(text).replace(/\/$/, "")
  if (withoutSlash(iss) !== withoutSlash(expected)) {
    const received = JSON.stringify(iss)
    throw new TypeError(`The new ID token has another issuer than ${expected}: ${received}`)
  }
  const oldSubject = old?.sub ?? subject
  if (oldSubject !== undefined && sub !== oldSubject) {
    throw new TypeError("The new ID token has another subject than the old one")
  }
}

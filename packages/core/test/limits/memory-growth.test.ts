/** Security case 137: no request leaves anything behind that grows with the number of requests. */
import { afterEach, expect, test, vi } from "vitest"

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Counts the entries of every Map and Set that is made from now on. */
function watchCollections(): { largest(): number } {
  const all: { readonly size: number }[] = []
  class WatchedMap<K, V> extends Map<K, V> {
    constructor(entries?: Iterable<readonly [K, V]> | null) {
      super(entries)
      all.push(this)
    }
  }
  class WatchedSet<T> extends Set<T> {
    constructor(items?: Iterable<T> | null) {
      super(items)
      all.push(this)
    }
  }
  vi.stubGlobal("Map", WatchedMap)
  vi.stubGlobal("Set", WatchedSet)
  return { largest: () => Math.max(...all.map(({ size }) => size)) }
}

/** Loads another copy of the library, so that collections created at load time are watched, too. */
async function loadLibrary() {
  vi.resetModules()
  const { Auth } = await import("@latchkey/core")
  const { default: credentials } = await import("@latchkey/core/providers/credentials")
  const provider = credentials({ credentials: { name: {} }, authorize: () => null })
  const ignore = () => undefined
  const config = {
    providers: [provider],
    secret: "a secret of the application, long enough: 1",
    trustHost: true,
    debug: true,
    logger: { error: ignore, warn: ignore, debug: ignore },
  }
  return (path: string, init?: RequestInit) =>
    Auth(new Request(`https://app.example${path}`, init), config)
}

const roundCount = 300

/** One request of each kind, with values that no other request has. */
async function sendEveryRequest(
  ask: Awaited<ReturnType<typeof loadLibrary>>,
  index: number,
): Promise<void> {
  const text = `stranger-${index}`
  const cookie = `__Secure-authjs.session-token=${text}; __Host-authjs.state.${text.padEnd(16, "x")}=1; ${text}=1`
  const headers = { cookie, "user-agent": text, "x-forwarded-host": `${text}.example` }
  const body = new URLSearchParams({ [text]: text, csrfToken: text, email: `${text}@example.com` })
  await ask(`/auth/session?${text}=1`, { headers })
  await ask(`/auth/signin?callbackUrl=/${text}&error=${text}&email=${text}`, { headers })
  await ask(`/auth/error?error=${text}`, { headers })
  await ask(`/auth/callback/${text}?state=${text}&code=${text}`, { headers })
  await ask(`/auth/callback/credentials`, { headers, method: "POST", body })
  await ask(`/auth/signin/${text}`, { headers, method: "POST", body })
  await ask(`/auth/${text}`, { headers })
}

test("no map or set of the library grows with the number of requests", async () => {
  const memory = watchCollections()
  const ask = await loadLibrary()
  await sendEveryRequest(ask, 0)
  const afterOne = memory.largest()
  for (let index = 1; index <= roundCount; index += 1) await sendEveryRequest(ask, index)
  expect(memory.largest()).toBeLessThanOrEqual(Math.max(afterOne, 200))
  expect(roundCount).toBeGreaterThan(Math.max(afterOne, 200))
})

test("the measurement detects a map that grows", () => {
  const memory = watchCollections()
  const leak = new Map<number, number>()
  for (let index = 0; index <= roundCount; index += 1) leak.set(index, index)
  expect(memory.largest()).toBeGreaterThan(200)
})

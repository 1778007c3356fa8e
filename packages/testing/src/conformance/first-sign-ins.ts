import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { Auth } from "@latchkey/core"
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { createTestBrowser, type TestBrowser } from "../browser/test-browser.ts"
import type { AuthorizationResponse } from "../provider/authorization-response.ts"
import { createScriptedProvider } from "../provider/scripted-provider.ts"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { requireMethods } from "./context.ts"
import { createRoundRobin } from "./processes.ts"
import { assertNoRow } from "./record-fixtures.ts"

/** Requirements for concurrent first sign-ins of one person. */
export const firstSignInCases: readonly ConformanceCase[] = [
  {
    name: "two concurrent first sign-ins of one person create one user",
    group: "race",
    run: (context) =>
      runConcurrentFirstSignIns(context, 2, { email: `${randomUUID()}@example.com` }),
  },
  {
    name: "two concurrent first sign-ins of one person without an address create one user",
    group: "race",
    run: (context) => runConcurrentFirstSignIns(context, 2, {}),
  },
  {
    name: "64 concurrent first sign-ins of one person create one user",
    group: "race",
    run: (context) =>
      runConcurrentFirstSignIns(context, 64, { email: `${randomUUID()}@example.com` }),
  },
  {
    name: "64 concurrent first sign-ins of one person without an address create one user",
    group: "race",
    run: (context) => runConcurrentFirstSignIns(context, 64, {}),
  },
]

const silentLogger = { error: () => undefined, warn: () => undefined, debug: () => undefined }

/** Distributes the sign-ins over two processes, if there is a second adapter. */
async function runConcurrentFirstSignIns(
  context: ConformanceContext,
  count: number,
  address: { email?: string },
): Promise<void> {
  const provider = await createScriptedProvider({ id: "conformance" })
  provider.setUser({ sub: randomUUID(), name: "Fill Murray", ...address })
  const adapterAt = createRoundRobin(context)
  const createdUserIds: string[] = []
  const waitAtBarrier = createBarrier(count)
  const secret = randomUUID()
  const createConfig = (adapter: Adapter) => ({
    adapter: observeAdapter(adapter, createdUserIds, waitAtBarrier),
    providers: [provider.asOidc()],
    secret,
    trustHost: true,
    logger: silentLogger,
    callbacks: {
      session: ({ user }: { user: AdapterUser }) => ({ expires: "", user: { id: user.id } }),
    },
  })
  const configAt = createRoundRobin({
    adapter: createConfig(adapterAt(0)),
    second: createConfig(adapterAt(1)),
  })
  const browsers = Array.from({ length: count }, (_, at) =>
    createTestBrowser((request) => Auth(request, configAt(at))),
  )
  const responses: AuthorizationResponse[] = []
  for (const browser of browsers)
    responses.push(provider.approve(await browser.startSignIn(provider)))
  await Promise.all(browsers.map((browser, at) => browser.open(responses[at] ?? "/")))
  const signedInIds = (await getUserIds(browsers)).filter((id) => id !== undefined)
  assert.notEqual(signedInIds.length, 0, "at least one sign-in succeeds")

  // Sign-ins that failed because they were too early are repeated.
  for (const browser of browsers) await browser.signIn(provider)
  const [owner = "", ...others] = new Set([...signedInIds, ...(await getUserIds(browsers))])
  assert.deepEqual(others, [], "all sign-ins lead to the same user")
  assertSameUser(await requireMethods(context, "getUser").getUser(owner), owner)
  if (address.email !== undefined) {
    assertSameUser(
      await requireMethods(context, "getUserByEmail").getUserByEmail(address.email),
      owner,
    )
  }
  // A user whom nobody can sign in as must not remain.
  for (const id of createdUserIds.filter((createdId) => createdId !== owner)) {
    assertNoRow(await context.db.user(id))
  }
}

async function getUserIds(browsers: readonly TestBrowser[]): Promise<(string | undefined)[]> {
  const sessions = await Promise.all(browsers.map((browser) => browser.getSession()))
  return sessions.map((session) => session?.user?.id)
}

function assertSameUser(user: AdapterUser | null, id: unknown): void {
  assert.equal(user?.id, id, "the sessions belong to the stored user")
}

/**
 * Records the ids of created users, deleted ones included. Look-ups of accounts are answered at the same moment, so
 * that all sign-ins assume that the account does not exist.
 */
function observeAdapter(
  adapter: Adapter,
  createdUserIds: string[],
  waitAtBarrier: () => Promise<void>,
): Adapter {
  return new Proxy(adapter, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target)
      if (typeof method !== "function") return method
      return async (...parameters: unknown[]) => {
        const result: unknown = await method.apply(target, parameters)
        if (name === "getUserByAccount") await waitAtBarrier()
        if (String(name).startsWith("createUser")) createdUserIds.push((result as AdapterUser).id)
        return result
      }
    },
  })
}

/** Creates a function that blocks callers until enough of them wait, or a second has passed. */
function createBarrier(size: number): () => Promise<void> {
  let remaining = size
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return async () => {
    remaining -= 1
    if (remaining <= 0) open()
    else setTimeout(open, 1000).unref()
    await opened
  }
}

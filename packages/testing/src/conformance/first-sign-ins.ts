import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { Auth } from "@latchkey/core"
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { type Browser, browser } from "../browser/browser.ts"
import type { Comeback } from "../provider/comeback.ts"
import { scriptedProvider } from "../provider/provider.ts"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { having } from "./context.ts"
import { assertNothing } from "./records.ts"

/** What the library makes of an adapter's promises when somebody comes twice at once: security case 120. */
export const firstSignInCases: readonly ConformanceCase[] = [
  {
    name: "of two first sign-ins of one person at once, one creates the user",
    group: "race",
    run: (context) => twoFirstSignIns(context, { email: `${randomUUID()}@example.com` }),
  },
  {
    name: "of two first sign-ins of one person without an address at once, one creates the user",
    group: "race",
    run: (context) => twoFirstSignIns(context, {}),
  },
]

const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined }

async function twoFirstSignIns(
  context: ConformanceContext,
  address: { email?: string },
): Promise<void> {
  const provider = await scriptedProvider({ id: "conformance" })
  provider.user({ sub: randomUUID(), name: "Fill Murray", ...address })
  const { adapter, created } = watched(context.adapter)
  const config = {
    adapter,
    providers: [provider.asOidc()],
    secret: randomUUID(),
    trustHost: true,
    logger: silent,
    callbacks: {
      session: ({ user }: { user: AdapterUser }) => ({ expires: "", user: { id: user.id } }),
    },
  }
  const visitors = [1, 2].map(() => browser((request) => Auth(request, config)))
  const comebacks: Comeback[] = []
  for (const visitor of visitors) comebacks.push(provider.approve(await visitor.begin(provider)))
  await Promise.all(visitors.map((visitor, at) => visitor.open(comebacks[at] ?? "/")))
  const inside = (await idsOf(visitors)).filter((id) => id !== undefined)
  assert.notEqual(inside.length, 0, "at least one of the two gets in")

  // Who came too early comes again.
  for (const visitor of visitors) await visitor.signIn(provider)
  const [owner = "", ...others] = new Set([...inside, ...(await idsOf(visitors))])
  assert.deepEqual(others, [], "both get in as the same user")
  assertSame(await having(context, "getUser").getUser(owner), owner)
  if (address.email !== undefined) {
    assertSame(await having(context, "getUserByEmail").getUserByEmail(address.email), owner)
  }
  // A user whom nobody can sign in as must not stay behind.
  for (const id of created.filter((each) => each !== owner)) {
    assertNothing(await context.db.user(id))
  }
}

async function idsOf(visitors: readonly Browser[]): Promise<(string | undefined)[]> {
  const sessions = await Promise.all(visitors.map((visitor) => visitor.session()))
  return sessions.map((session) => session?.user?.id)
}

function assertSame(user: AdapterUser | null, id: unknown): void {
  assert.equal(user?.id, id, "the user that the sessions belong to is the stored one")
}

/**
 * The adapter, and the ids of the users that it created, deleted ones included. Who first asks for an account is
 * answered together with the second: both are then as sure that nobody has it.
 */
function watched(adapter: Adapter): { adapter: Adapter; created: string[] } {
  const created: string[] = []
  const together = meetingOf(2)
  const proxy = new Proxy(adapter, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target)
      if (typeof method !== "function") return method
      return async (...parameters: unknown[]) => {
        const result: unknown = await method.apply(target, parameters)
        if (name === "getUserByAccount") await together()
        if (String(name).startsWith("createUser")) created.push((result as AdapterUser).id)
        return result
      }
    },
  })
  return { adapter: proxy, created }
}

/** Keeps callers until there are enough of them, or a second has passed; nobody after that. */
function meetingOf(size: number): () => Promise<void> {
  let missing = size
  let open = (): void => undefined
  const met = new Promise<void>((resolve) => {
    open = resolve
  })
  return async () => {
    missing -= 1
    if (missing <= 0) open()
    else setTimeout(open, 1000).unref()
    await met
  }
}

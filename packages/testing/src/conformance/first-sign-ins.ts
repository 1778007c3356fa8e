import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { Auth } from "@latchkey/core"
import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { type Browser, browser } from "../browser/browser.ts"
import type { Comeback } from "../provider/comeback.ts"
import { scriptedProvider } from "../provider/provider.ts"
import type { ConformanceCase, ConformanceContext } from "./context.ts"
import { having } from "./context.ts"
import { inTurn } from "./processes.ts"
import { assertNothing } from "./records.ts"

/** What the library makes of an adapter's promises when somebody comes twice at once: security case 120. */
export const firstSignInCases: readonly ConformanceCase[] = [
  {
    name: "of two first sign-ins of one person at once, one creates the user",
    group: "race",
    run: (context) => firstSignIns(context, 2, { email: `${randomUUID()}@example.com` }),
  },
  {
    name: "of two first sign-ins of one person without an address at once, one creates the user",
    group: "race",
    run: (context) => firstSignIns(context, 2, {}),
  },
  {
    name: "of 2 × 32 first sign-ins of one person at once, one creates the user",
    group: "race",
    run: (context) => firstSignIns(context, 64, { email: `${randomUUID()}@example.com` }),
  },
  {
    name: "of 2 × 32 first sign-ins of one person without an address at once, one creates the user",
    group: "race",
    run: (context) => firstSignIns(context, 64, {}),
  },
]

const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined }

/** Half of the people come to one process, half to the other; where there is one adapter, all to that. */
async function firstSignIns(
  context: ConformanceContext,
  count: number,
  address: { email?: string },
): Promise<void> {
  const provider = await scriptedProvider({ id: "conformance" })
  provider.user({ sub: randomUUID(), name: "Fill Murray", ...address })
  const process = inTurn(context)
  const created: string[] = []
  const together = meetingOf(count)
  const secret = randomUUID()
  const configOf = (adapter: Adapter) => ({
    adapter: watched(adapter, created, together),
    providers: [provider.asOidc()],
    secret,
    trustHost: true,
    logger: silent,
    callbacks: {
      session: ({ user }: { user: AdapterUser }) => ({ expires: "", user: { id: user.id } }),
    },
  })
  const configs = inTurn({ adapter: configOf(process(0)), second: configOf(process(1)) })
  const visitors = Array.from({ length: count }, (_, at) =>
    browser((request) => Auth(request, configs(at))),
  )
  const comebacks: Comeback[] = []
  for (const visitor of visitors) comebacks.push(provider.approve(await visitor.begin(provider)))
  await Promise.all(visitors.map((visitor, at) => visitor.open(comebacks[at] ?? "/")))
  const inside = (await idsOf(visitors)).filter((id) => id !== undefined)
  assert.notEqual(inside.length, 0, "at least one of them gets in")

  // Who came too early comes again.
  for (const visitor of visitors) await visitor.signIn(provider)
  const [owner = "", ...others] = new Set([...inside, ...(await idsOf(visitors))])
  assert.deepEqual(others, [], "all get in as the same user")
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
 * Notes the ids of the users that the adapter creates, deleted ones included. Who asks for an account is answered
 * together with all others who ask: all are then as sure that nobody has it.
 */
function watched(adapter: Adapter, created: string[], together: () => Promise<void>): Adapter {
  return new Proxy(adapter, {
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

/** The operations of a sequence without a browser, and how a sequence is composed. */
import fc from "fast-check"
import {
  browser,
  createOperation,
  type Operation,
  operationsInBrowsers,
  process,
  type Sequence,
  toSid,
  user,
} from "./ended-sessions-browsers.ts"
import type { Ending } from "./ended-sessions-model.ts"
import { getCookies, origin, readSession } from "./ended-sessions-site.ts"
import type { Turn } from "./interleaving.ts"

/** An operation without a browser that ends sessions of the main application. */
async function endSessions(
  { histories, site }: Sequence,
  covers: Ending["covers"],
  isFinal: boolean,
  run: () => Promise<unknown>,
): Promise<void> {
  const start = Date.now()
  await run()
  const end = Date.now()
  if (site.hasRecords) histories.main.endings.push({ start, end, covers, isFinal })
}

const revokeAll = fc
  .tuple(user, process, fc.option(browser, { nil: undefined }))
  .map(([who, where, spared]) => {
    const except = spared === undefined ? "" : ` except that of browser ${spared}`
    return createOperation(
      `process ${where}: revoke all of user ${who}${except}`,
      async (sequence) => {
        const { site, browsers, users } = sequence
        const name = users[who] ?? ""
        const agent = spared === undefined ? undefined : browsers[spared]
        const session =
          agent && (await readSession(site.observers.main, "main", getCookies(agent, "main")))
        // A session of another user cannot be spared.
        const id = session?.name === name ? session.id : undefined
        const { revokeAll } = site.getProcess(where).sessions
        await endSessions(
          sequence,
          (each) =>
            each.user === name && (id === undefined || each.id !== id) && site.isCertain(each),
          false,
          () => revokeAll(`user-${name}`, id === undefined ? {} : { except: id }),
        )
      },
    )
  })

const deleteUser = fc.tuple(user, process).map(([who, where]) =>
  createOperation(`process ${where}: delete user ${who}`, async (sequence) => {
    const { site, users } = sequence
    const name = users[who] ?? ""
    await endSessions(
      sequence,
      (each) => each.user === name && site.isCertain(each),
      true,
      () => site.getProcess(where).users.delete(`user-${name}`),
    )
  }),
)

const logOut = fc
  .tuple(user, process, fc.constantFrom("sid", "sub", "sid and sub"))
  .map(([who, where, claims]) =>
    createOperation(
      `process ${where}: the provider logs user ${who} out by ${claims}`,
      async (sequence) => {
        const { site, users } = sequence
        const name = users[who] ?? ""
        const sid = claims === "sub" ? undefined : toSid(name)
        const sub = claims === "sid" ? undefined : name
        const covers: Ending["covers"] = (each) => {
          if (each.user !== name || each.method !== "provider") return false
          if (sid === undefined || each.sid === sid) return true
          // It may be the session that the token names.
          return sub !== undefined && each.sid === undefined && "maybe"
        }
        const token = await site.createLogoutToken({ ...(sid && { sid }), ...(sub && { sub }) })
        const request = new Request(`${origin}/auth/logout/${site.provider.id}`, {
          method: "POST",
          body: new URLSearchParams({ logout_token: token }),
        })
        await endSessions(sequence, covers, false, async () => {
          const { status } = await site.getProcess(where).handle(request)
          if (status !== 200) throw new Error(`The logout token was refused: ${status}`)
        })
      },
    ),
  )

const operationsOnServers: fc.WeightedArbitrary<Operation>[] = [
  { weight: 4, arbitrary: revokeAll },
  { weight: 2, arbitrary: deleteUser },
  { weight: 2, arbitrary: logOut },
]

/** Operations that begin together, in an order of their steps, after a pause in seconds. */
export interface Round {
  readonly pause: number
  readonly operations: readonly Operation[]
  readonly turns: readonly Turn[]
}

const turn: fc.Arbitrary<Turn> = fc.record({
  operation: fc.nat(3),
  steps: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 30 })),
})

/** Sessions that are used until the absolute limit ends them. */
const longUse = [1800, 1800, 1800].map((pause): Round => ({ pause, operations: [], turns: [] }))

/** @param hasRecords whether server code and the provider can end sessions */
export function createSequences(hasRecords: boolean): fc.Arbitrary<readonly Round[]> {
  const operation = fc.oneof(...operationsInBrowsers, ...(hasRecords ? operationsOnServers : []))
  const round: fc.Arbitrary<Round> = fc.record({
    pause: fc.constantFrom(2, 2, 2, 200, 1500, 3500),
    operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
    turns: fc.array(turn, { maxLength: 10 }),
  })
  const rounds = fc.array(round, { minLength: 1, maxLength: 4 })
  const end = fc.constantFrom<readonly Round[]>([], [], [], longUse)
  return fc.tuple(rounds, end).map((parts) => parts.flat())
}

/** A new secret reaches the processes one after the other: first beside the old one, then before it, then alone. */
import { browser, type Comeback } from "@latchkey/testing"
import { expect, test } from "vitest"
import type { Environment } from "../../applications/catalogue.ts"
import { databases, hasNginx } from "../databases/all.ts"
import { type House, secret as old, openHouse, quickProvider } from "../house.ts"
import { rollOut } from "../rolling.ts"
import { keepVisiting, type Member } from "../traffic.ts"

const next = "the secret that comes after it, just as long and worthless"

/** What is sealed anew is sealed with the one of the highest number; all of them open. */
const known: Environment = { AUTH_SECRET: next, AUTH_SECRET_1: old }
const used: Environment = { AUTH_SECRET: old, AUTH_SECRET_1: next }
const alone: Environment = { AUTH_SECRET: next }

const plan = { variant: "example", provider: quickProvider } as const
const password = { email: "ann@example.com", password: "correct horse battery staple" }

const kinds = [{ name: "cookies alone", isInstalled: hasNginx, start: undefined }, ...databases]

for (const { name, isInstalled, start } of kinds) {
  test.skipIf(!isInstalled)(`a secret is replaced, with ${name}`, async () => {
    await using server = await start?.()
    await using house = await openHouse({ ...plan, ...(server && { databaseUrl: server.url }) })
    const members = await Promise.all(Array.from({ length: 4 }, (_, at) => signedIn(house, at)))
    const traffic = keepVisiting(members)

    const half = new HalfDone(house)
    await rollOut(house, known, house.processes, () => half.goOn())
    await rollOut(house, used, house.processes, () => half.goOn())
    await half.finish()
    // Later, when what was made with the old secret has been made anew or is over.
    await Promise.all(members.map(({ name, browser }) => browser.post("/account", { name })))
    await rollOut(house, alone, house.processes, () => half.goOn())
    await half.finish()

    expect(await traffic.stop()).toEqual([])
    expect(traffic.count()).toBeGreaterThan(members.length * 12)
    expect(half.problems).toEqual([])
    expect(half.done).toBe(12 * 4)
  })
}

test.skipIf(!hasNginx)("a secret is not used before all processes know it", async () => {
  await using house = await openHouse(plan)
  const first = house.processes.slice(0, 1)
  await rollOut(house, used, first)
  expect(await formsTaken(house)).toBe(3)
  await rollOut(house, known, first)
  expect(await formsTaken(house)).toBe(4)
})

/** Of four forms, each made by one process and sent to the next: how many are taken. */
async function formsTaken({ processes, origin }: House): Promise<number> {
  let taken = 0
  for (const [at, maker] of processes.entries()) {
    let { port } = maker
    const { app: network } = browser(origin)
    const ann = browser((request) => network(sentTo(port, request)), { origin })
    const csrfToken = await ann.csrf()
    port = processes[(at + 1) % processes.length]?.port ?? port
    await ann.post("/auth/callback/credentials", { csrfToken, ...password })
    if (await ann.session()) taken += 1
  }
  return taken
}

/** Past the proxy. */
function sentTo(port: number, request: Request): Request {
  const url = new URL(request.url)
  url.port = String(port)
  return new Request(url, request)
}

async function signedIn(house: House, at: number): Promise<Member> {
  const name = `Member ${at}`
  const user = { sub: `member-${at}`, email: `member-${at}@example.com`, name }
  const { browser } = house.visitor()
  await browser.open(house.provider.approve(await browser.begin(house.provider), { user }))
  return { name, browser }
}

/** People in the middle of signing in: sent to the provider, or before an open form. */
class HalfDone {
  readonly problems: string[] = []
  done = 0
  readonly #house: House
  readonly #open: (() => Promise<void>)[][] = []

  constructor(house: House) {
    this.#house = house
  }

  /** New ones begin; those who began three steps ago go on. */
  async goOn(): Promise<void> {
    const beginners = Array.from({ length: 2 }, () => [this.#atProvider(), this.#beforeForm()])
    const begun = await Promise.allSettled(beginners.flat())
    for (const each of begun) if (each.status === "rejected") this.#note(each.reason)
    this.#open.push(begun.flatMap((each) => (each.status === "fulfilled" ? each.value : [])))
    if (this.#open.length > 3) await this.#end(this.#open.shift())
  }

  /** All go on. */
  async finish(): Promise<void> {
    for (const group of this.#open.splice(0)) await this.#end(group)
  }

  async #end(group: readonly (() => Promise<void>)[] = []): Promise<void> {
    for (const end of group) {
      await end().then(
        () => {
          this.done += 1
        },
        (error: unknown) => this.#note(error),
      )
    }
  }

  #note(error: unknown): void {
    this.problems.push(String(error))
  }

  async #atProvider(): Promise<() => Promise<void>> {
    const { browser } = this.#house.visitor()
    const back: Comeback = this.#house.provider.approve(await browser.begin("tenantidp"))
    return async () => {
      await browser.open(back)
      expect(await browser.session(), "back from the provider").not.toBeNull()
    }
  }

  async #beforeForm(): Promise<() => Promise<void>> {
    const { browser } = this.#house.visitor()
    const csrfToken = await browser.csrf()
    return async () => {
      await browser.post("/auth/callback/credentials", { csrfToken, ...password })
      expect(await browser.session(), "after the form").not.toBeNull()
    }
  }
}

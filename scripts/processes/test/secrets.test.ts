/** A new secret reaches the processes one after the other: first beside the old one, then before it, then alone. */
import { type AuthorizationResponse, createTestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import type { Environment } from "../../applications/catalogue.ts"
import { type Cluster, authSecret as old, startCluster, startScriptedProvider } from "../cluster.ts"
import { databases, hasNginx } from "../databases/databases.ts"
import { restartWithEnv } from "../rolling-restart.ts"
import { type SignedInUser, startTraffic } from "../traffic.ts"

const newSecret = "the secret that comes after it, just as long and worthless"

/** What is sealed anew is sealed with the one of the highest number; all of them open. */
const envWithNewSecretKnown: Environment = { AUTH_SECRET: newSecret, AUTH_SECRET_1: old }
const envWithNewSecretUsed: Environment = { AUTH_SECRET: old, AUTH_SECRET_1: newSecret }
const envWithNewSecretAlone: Environment = { AUTH_SECRET: newSecret }

const clusterOptions = { variant: "example", provider: startScriptedProvider } as const
const credentials = { email: "ann@example.com", password: "correct horse battery staple" }

const sessionStores = [
  { name: "cookies alone", isInstalled: hasNginx, start: undefined },
  ...databases,
]

for (const { name, isInstalled, start } of sessionStores) {
  test.skipIf(!isInstalled)(`a secret is replaced, with ${name}`, async () => {
    await using server = await start?.()
    await using cluster = await startCluster({
      ...clusterOptions,
      ...(server && { databaseUrl: server.url }),
    })
    const users = await Promise.all(
      Array.from({ length: 4 }, (_, index) => signInUser(cluster, index)),
    )
    const traffic = startTraffic(users)

    const pendingSignIns = new PendingSignIns(cluster)
    await restartWithEnv(cluster, envWithNewSecretKnown, cluster.processes, () =>
      pendingSignIns.advance(),
    )
    await restartWithEnv(cluster, envWithNewSecretUsed, cluster.processes, () =>
      pendingSignIns.advance(),
    )
    await pendingSignIns.finishAll()
    // Later, when what was made with the old secret has been made anew or is over.
    await Promise.all(users.map(({ name, browser }) => browser.post("/account", { name })))
    await restartWithEnv(cluster, envWithNewSecretAlone, cluster.processes, () =>
      pendingSignIns.advance(),
    )
    await pendingSignIns.finishAll()

    expect(await traffic.stop()).toEqual([])
    expect(traffic.countResponses()).toBeGreaterThan(users.length * 12)
    expect(pendingSignIns.problems).toEqual([])
    expect(pendingSignIns.finishedCount).toBe(12 * 4)
  })
}

test.skipIf(!hasNginx)("a secret is not used before all processes know it", async () => {
  await using cluster = await startCluster(clusterOptions)
  const first = cluster.processes.slice(0, 1)
  await restartWithEnv(cluster, envWithNewSecretUsed, first)
  expect(await countAcceptedForms(cluster)).toBe(3)
  await restartWithEnv(cluster, envWithNewSecretKnown, first)
  expect(await countAcceptedForms(cluster)).toBe(4)
})

/** Of four forms, each made by one process and sent to the next: how many are taken. */
async function countAcceptedForms({ processes, origin }: Cluster): Promise<number> {
  let acceptedCount = 0
  for (const [index, appProcess] of processes.entries()) {
    let { port } = appProcess
    const { app: network } = createTestBrowser(origin)
    const ann = createTestBrowser((request) => network(redirectToPort(port, request)), { origin })
    const csrfToken = await ann.getCsrfToken()
    port = processes[(index + 1) % processes.length]?.port ?? port
    await ann.post("/auth/callback/credentials", { csrfToken, ...credentials })
    if (await ann.getSession()) acceptedCount += 1
  }
  return acceptedCount
}

/** Past the proxy. */
function redirectToPort(port: number, request: Request): Request {
  const url = new URL(request.url)
  url.port = String(port)
  return new Request(url, request)
}

async function signInUser(cluster: Cluster, index: number): Promise<SignedInUser> {
  const name = `Member ${index}`
  const user = { sub: `member-${index}`, email: `member-${index}@example.com`, name }
  const { browser } = cluster.createClient()
  await browser.open(
    cluster.provider.approve(await browser.startSignIn(cluster.provider), { user: user }),
  )
  return { name, browser }
}

/** People in the middle of signing in: sent to the provider, or before an open form. */
class PendingSignIns {
  readonly problems: string[] = []
  finishedCount = 0
  readonly #house: Cluster
  readonly #open: (() => Promise<void>)[][] = []

  constructor(cluster: Cluster) {
    this.#house = cluster
  }

  /** New ones begin; those who began three steps ago go on. */
  async advance(): Promise<void> {
    const starts = Array.from({ length: 2 }, () => [this.#atProvider(), this.#beforeForm()])
    const startedSignIns = await Promise.allSettled(starts.flat())
    for (const each of startedSignIns) if (each.status === "rejected") this.#note(each.reason)
    this.#open.push(
      startedSignIns.flatMap((each) => (each.status === "fulfilled" ? each.value : [])),
    )
    if (this.#open.length > 3) await this.#end(this.#open.shift())
  }

  /** All go on. */
  async finishAll(): Promise<void> {
    for (const group of this.#open.splice(0)) await this.#end(group)
  }

  async #end(group: readonly (() => Promise<void>)[] = []): Promise<void> {
    for (const end of group) {
      await end().then(
        () => {
          this.finishedCount += 1
        },
        (error: unknown) => this.#note(error),
      )
    }
  }

  #note(error: unknown): void {
    this.problems.push(String(error))
  }

  async #atProvider(): Promise<() => Promise<void>> {
    const { browser } = this.#house.createClient()
    const callback: AuthorizationResponse = this.#house.provider.approve(
      await browser.startSignIn("tenantidp"),
    )
    return async () => {
      await browser.open(callback)
      expect(await browser.getSession(), "back from the provider").not.toBeNull()
    }
  }

  async #beforeForm(): Promise<() => Promise<void>> {
    const { browser } = this.#house.createClient()
    const csrfToken = await browser.getCsrfToken()
    return async () => {
      await browser.post("/auth/callback/credentials", { csrfToken, ...credentials })
      expect(await browser.getSession(), "after the form").not.toBeNull()
    }
  }
}

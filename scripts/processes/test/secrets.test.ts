/** Rotates the secret in rolling restarts: the new one is first accepted, then used, then the only one. */
import { type AuthorizationResponse, createTestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import type { Environment } from "../../applications/catalogue.ts"
import {
  type Cluster,
  authSecret as oldSecret,
  startCluster,
  startScriptedProvider,
} from "../cluster.ts"
import { databases, hasNginx } from "../databases/databases.ts"
import { restartWithEnv } from "../rolling-restart.ts"
import { type SignedInUser, startTraffic } from "../traffic.ts"

const newSecret = "the secret that comes after it, just as long and worthless"

/** New values use the secret with the highest number; all of them are accepted. */
const envWithNewSecretKnown: Environment = { AUTH_SECRET: newSecret, AUTH_SECRET_1: oldSecret }
const envWithNewSecretUsed: Environment = { AUTH_SECRET: oldSecret, AUTH_SECRET_1: newSecret }
const envWithNewSecretAlone: Environment = { AUTH_SECRET: newSecret }

const clusterOptions = { variant: "example", provider: startScriptedProvider } as const
const credentials = { email: "ann@example.com", password: "correct horse battery staple" }

// Databases store nothing that depends on the secret in another way, so that one of them is enough.
const sessionStores = [
  { name: "cookie sessions", isInstalled: hasNginx, start: undefined },
  ...databases.slice(0, 1),
]

for (const { name, isInstalled, start } of sessionStores) {
  test.skipIf(!isInstalled)(`a secret is rotated without errors, with ${name}`, async () => {
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
    // At this point, values created with the old secret have been replaced or have expired.
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

test.skipIf(!hasNginx)("a secret must not be used before all processes know it", async () => {
  await using cluster = await startCluster(clusterOptions)
  const first = cluster.processes.slice(0, 1)
  await restartWithEnv(cluster, envWithNewSecretUsed, first)
  expect(await countAcceptedForms(cluster)).toBe(3)
  await restartWithEnv(cluster, envWithNewSecretKnown, first)
  expect(await countAcceptedForms(cluster)).toBe(4)
})

/** Sends four forms, each rendered by one process, to the next process. Returns how many are accepted. */
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

/** Redirects a request past the proxy. */
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
    cluster.provider.approve(await browser.startSignIn(cluster.provider), { user }),
  )
  return { name, browser }
}

/** Sign-ins that are pending at the provider or in an open form. */
class PendingSignIns {
  readonly problems: string[] = []
  finishedCount = 0
  readonly #cluster: Cluster
  readonly #groups: (() => Promise<void>)[][] = []

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /** Starts new sign-ins, and finishes those that started three steps ago. */
  async advance(): Promise<void> {
    const starts = Array.from({ length: 2 }, () => [this.#startAtProvider(), this.#openForm()])
    const startedSignIns = await Promise.allSettled(starts.flat())
    for (const each of startedSignIns)
      if (each.status === "rejected") this.#recordProblem(each.reason)
    this.#groups.push(
      startedSignIns.flatMap((each) => (each.status === "fulfilled" ? each.value : [])),
    )
    if (this.#groups.length > 3) await this.#finishGroup(this.#groups.shift())
  }

  /** Finishes all sign-ins. */
  async finishAll(): Promise<void> {
    for (const group of this.#groups.splice(0)) await this.#finishGroup(group)
  }

  async #finishGroup(group: readonly (() => Promise<void>)[] = []): Promise<void> {
    for (const finish of group) {
      await finish().then(
        () => {
          this.finishedCount += 1
        },
        (error: unknown) => this.#recordProblem(error),
      )
    }
  }

  #recordProblem(error: unknown): void {
    this.problems.push(String(error))
  }

  async #startAtProvider(): Promise<() => Promise<void>> {
    const { browser } = this.#cluster.createClient()
    const callback: AuthorizationResponse = this.#cluster.provider.approve(
      await browser.startSignIn("tenantidp"),
    )
    return async () => {
      await browser.open(callback)
      expect(await browser.getSession(), "back from the provider").not.toBeNull()
    }
  }

  async #openForm(): Promise<() => Promise<void>> {
    const { browser } = this.#cluster.createClient()
    const csrfToken = await browser.getCsrfToken()
    return async () => {
      await browser.post("/auth/callback/credentials", { csrfToken, ...credentials })
      expect(await browser.getSession(), "after the form").not.toBeNull()
    }
  }
}

/** Rotates the secret in rolling restarts: the new one is first accepted, then used, then the only one. */
import { createTestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import type { Environment } from "../../applications/catalogue.ts"
import {
  type Cluster,
  authSecret as oldSecret,
  startCluster,
  startScriptedProvider,
} from "../cluster.ts"
import { databases, hasNginx } from "../databases/databases.ts"
import { credentials, PendingSignIns } from "../pending-sign-ins.ts"
import { restartWithEnv } from "../rolling-restart.ts"
import { signInUsers, startTraffic } from "../traffic.ts"

const newSecret = "the secret that comes after it, just as long and worthless"

/** New values use the secret with the highest number; all of them are accepted. */
const envWithNewSecretKnown: Environment = { AUTH_SECRET: newSecret, AUTH_SECRET_1: oldSecret }
const envWithNewSecretUsed: Environment = { AUTH_SECRET: oldSecret, AUTH_SECRET_1: newSecret }
const envWithNewSecretAlone: Environment = { AUTH_SECRET: newSecret }

const clusterOptions = { variant: "example", provider: startScriptedProvider } as const

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
    const users = await signInUsers(cluster, 4)
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

/** Sign-ins, sessions and sign-outs across several processes. */
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Cluster, startCluster, startScriptedProvider } from "../cluster.ts"
import type { DatabaseServer } from "../databases/database-server.ts"
import { databases } from "../databases/databases.ts"
import { findProcess, type ProxyClient, sessionCookieName } from "../proxy-client.ts"

const clusterOptions = { variant: "example", provider: startScriptedProvider } as const
const annCredentials = { email: "ann@example.com", password: "correct horse battery staple" }

for (const database of databases) {
  describe.skipIf(!database.isInstalled)(database.name, () => {
    let server: DatabaseServer
    let cluster: Cluster

    beforeAll(async () => {
      server = await database.start()
      cluster = await startCluster({ ...clusterOptions, databaseUrl: server.url })
    })
    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })

    test("concurrent first sign-ins with a password create one user", async () => {
      const clients = Array.from({ length: 8 }, () => cluster.createClient())
      await Promise.all(clients.map(({ browser }) => browser.signIn("credentials", annCredentials)))
      const sessions = await Promise.all(clients.map(({ browser }) => browser.getSession()))
      expect(sessions.map((session) => session?.user?.id)).toEqual(clients.map(() => "ann"))
    })

    test("a password form of one process signs in at another, and all processes know the session", async () => {
      const client = cluster.createClient()
      await client.browser.signIn("credentials", annCredentials)
      const formProcess = findProcess(client, "/auth/csrf")
      expect(findProcess(client, "/auth/callback/credentials")).not.toBe(formProcess)
      expect(await readNamesAtAllProcesses(client)).toEqual(["Ann Archer"])
    })

    test("a form of the application's own page works across processes", async () => {
      const client = cluster.createClient()
      await client.browser.open("/signin")
      const formProcess = findProcess(client, "/signin")
      const fields = { providerId: "credentials", redirectTo: "/members", ...annCredentials }
      const response = await client.browser.post("/signin", fields)
      expect(findProcess(client, "/signin")).not.toBe(formProcess)
      expect(await (await client.browser.followRedirect(response)).text()).toContain(
        "Members only</h1>",
      )
      expect(await readNamesAtAllProcesses(client)).toEqual(["Ann Archer"])
    })

    test("a sign-in with a provider can start at one process and finish at another", async () => {
      const client = cluster.createClient()
      const url = await client.browser.startSignIn(cluster.provider)
      const startProcess = findProcess(client, "/auth/signin/tenantidp")
      await client.browser.open(cluster.provider.approve(url))
      expect(findProcess(client, "/auth/callback/tenantidp")).not.toBe(startProcess)
      expect(await readNamesAtAllProcesses(client)).toEqual(["Ada Lovelace"])
    })

    test("a name that one process changed is visible at all processes", async () => {
      const client = cluster.createClient()
      const user = { sub: "grace", email: "grace@example.com", name: "Grace" }
      const url = await client.browser.startSignIn(cluster.provider)
      await client.browser.open(cluster.provider.approve(url, { user }))
      await client.browser.post("/account", { name: "Amazing Grace" })
      expect(await readNamesAtAllProcesses(client)).toEqual(["Amazing Grace"])
    })

    test("concurrent first sign-ins of one user all succeed and create one user", async () => {
      for (const name of ["Mary", "Mae", "Maud", "Mina", "Moll"]) {
        const user = { sub: name, email: `${name}@example.com`, name }
        const clients = Array.from({ length: 16 }, () => cluster.createClient())
        const callbacks = await Promise.all(
          clients.map(async ({ browser }) => {
            const url = await browser.startSignIn(cluster.provider)
            return { browser, callback: cluster.provider.approve(url, { user }) }
          }),
        )
        await Promise.all(callbacks.map(({ browser, callback }) => browser.open(callback)))
        const sessions = await Promise.all(clients.map(({ browser }) => browser.getSession()))
        expect(sessions.map((session) => session?.user?.name)).toEqual(clients.map(() => name))
        expect(new Set(sessions.map((session) => session?.user?.id)).size).toBe(1)
      }
    })

    test("a sign-out is effective at all processes, even during session checks", async () => {
      const client = cluster.createClient()
      await client.browser.signIn("credentials", annCredentials)
      const cookie = `${sessionCookieName}=${client.browser.cookies.get(sessionCookieName)?.value}; Path=/`
      const openWithStolenCookie = () => {
        const otherClient = cluster.createClient()
        otherClient.browser.storeCookies([cookie])
        return otherClient
      }
      const pendingSessions = Array.from({ length: 40 }, () =>
        openWithStolenCookie().browser.getSession(),
      )
      expect((await pendingSessions[0])?.user?.name).toBe("Ann Archer")
      await client.browser.post("/signout")
      await Promise.all(pendingSessions)
      expect(await readNamesAtAllProcesses(client)).toEqual(["nobody"])
      const stolenCookieClients = Array.from({ length: 8 }, openWithStolenCookie)
      for (const { browser } of stolenCookieClients) expect(await browser.getSession()).toBeNull()
      expect(
        new Set(stolenCookieClients.map((each) => findProcess(each, "/auth/session"))).size,
      ).toBe(4)
      const response = await openWithStolenCookie().browser.open("/members")
      expect(response.headers.get("location")).toBe("/signin?callbackUrl=%2Fmembers")
    })
  })
}

/** Returns the names in the sessions of all processes. */
async function readNamesAtAllProcesses(client: ProxyClient): Promise<string[]> {
  const { length } = client.requests
  const names = new Set<string>()
  for (let attempts = 0; attempts < 4; attempts += 1) {
    names.add((await client.browser.getSession())?.user?.name ?? "nobody")
  }
  const processes = client.requests.slice(length).map(({ process }) => process)
  expect(new Set(processes).size).toBe(4)
  return [...names]
}

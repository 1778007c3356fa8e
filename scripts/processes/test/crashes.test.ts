/** Processes and the database crash while users sign in and out: all data stays consistent. */
import { expect, test } from "vitest"
import { startCluster, startScriptedProvider } from "../cluster.ts"
import { startCrashes } from "../crashes.ts"
import { type DatabaseContents, readDatabaseContents } from "../database-contents.ts"
import { databases } from "../databases/databases.ts"
import { sessionCookieName } from "../proxy-client.ts"
import { createSeededRandom, readSeed } from "../seeded-random.ts"
import {
  createSimulatedUser,
  readSessionEmail,
  type SignInMethod,
  type SimulatedUser,
} from "../simulated-user.ts"

const clusterOptions = { variant: "processes", provider: startScriptedProvider } as const

for (const { name, isInstalled, start } of databases) {
  test.skipIf(!isInstalled)(
    `data stays consistent when processes and the database crash, on ${name}`,
    async () => {
      const seed = readSeed()
      const random = createSeededRandom(seed)
      await using server = await start()
      await using cluster = await startCluster({ ...clusterOptions, databaseUrl: server.url })
      const { processes, provider } = cluster
      const browser = () => cluster.createClient().browser
      const users: SimulatedUser[] = []
      const createUser = (method: SignInMethod) => {
        const user = createSimulatedUser(`${method}-${users.length}`, method, {
          provider,
          random: random.fork(),
          openBrowser: browser,
        })
        users.push(user)
        return user
      }
      const pendingSignIns: Promise<void>[] = []
      async function startSignIns(): Promise<void> {
        const preparations = Array.from({ length: 6 }, () => createUser("provider").prepareSignIn())
        for (const finishSignIn of await Promise.all(preparations))
          pendingSignIns.push(finishSignIn())
      }

      const initialUsers = Array.from({ length: 40 }, (_, index) =>
        createUser(index % 2 === 0 ? "provider" : "password"),
      )
      const crashes = startCrashes({
        processes,
        database: server,
        random: random.fork(),
        startSignIns,
      })
      const outcomes = await Promise.allSettled(initialUsers.map((each) => each.simulateVisits()))
      const count = await crashes.stop()
      outcomes.push(...(await Promise.allSettled(pendingSignIns)))
      console.log(`${name}: LATCHKEY_SEED=${seed}`, { users: users.length, ...count })

      expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([])
      expect(users.flatMap(({ problems }) => problems)).toEqual([])
      expect(Math.min(count.processes, count.databases)).toBeGreaterThan(0)
      const contents = await readDatabaseContents(server.url, cluster.folder)
      expectCompleteUsers(contents, users)
      expectOwnSessions(contents, users)
      for (const { email, activeSessions } of users) {
        for (const each of activeSessions)
          expect(await readSessionEmail(each.browser, random)).toBe(email)
      }
      for (const token of users.flatMap(({ endedTokens }) => endedTokens)) {
        const otherBrowser = browser()
        otherBrowser.storeCookies([`${sessionCookieName}=${token}; Path=/`])
        expect(await readSessionEmail(otherBrowser, random)).toBe("nobody")
      }
    },
  )
}

/** Expects one user per person, each with the account of their sign-in, and no account without a user. */
function expectCompleteUsers(
  { users, accounts }: DatabaseContents,
  simulatedUsers: readonly SimulatedUser[],
): void {
  const emails = simulatedUsers.map(({ email }) => email)
  expect(users.map(({ email }) => email).sort()).toEqual(emails.sort())
  const expected = users
    .filter(({ email }) => email.startsWith("provider"))
    .map(({ id, email }) => `${email.split("@")[0]} of ${id}`)
  const actual = accounts.map((each) => `${each.providerAccountId} of ${each.userId}`)
  expect(actual.sort()).toEqual(expected.sort())
}

/** Expects every active session to belong to its own user, and every ended session to be deleted. */
function expectOwnSessions(
  { users, sessions }: DatabaseContents,
  simulatedUsers: readonly SimulatedUser[],
): void {
  const emailOf = new Map(users.map(({ id, email }) => [id, email]))
  const owners = new Map(sessions.map((each) => [each.sessionToken, emailOf.get(each.userId)]))
  for (const { email, activeSessions, endedTokens } of simulatedUsers) {
    expect(activeSessions.map(({ token }) => owners.get(token))).toEqual(
      activeSessions.map(() => email),
    )
    expect(endedTokens.filter((token) => owners.has(token))).toEqual([])
  }
}

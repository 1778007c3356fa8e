/**
 * Access tokens that four processes refresh at a provider that revokes them all if a refresh token is used twice.
 * LATCHKEY_GENERATIONS and LATCHKEY_KILLS set how long the tests run.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { databases } from "../databases/databases.ts"
import { startFamilyProvider } from "../family-provider.ts"
import { createSeededRandom, readSeed } from "../seeded-random.ts"
import { openTokenDatabase, type TokenDatabase } from "../token-database.ts"
import { startTokenProcesses } from "../token-processes.ts"

const processCount = 4
const generations = Number(process.env["LATCHKEY_GENERATIONS"] ?? 10)
const calls = 500
const kills = Number(process.env["LATCHKEY_KILLS"] ?? 1)
const usersPerKill = 40
/** How long a killed process still holds its leases, in milliseconds. */
const leaseDuration = 20_000

const tokenDatabases = databases.filter(({ name }) => name !== "MariaDB")

for (const { name, isInstalled, start } of tokenDatabases) {
  test.skipIf(!isInstalled)(
    `one refresh serves 4 processes with 500 calls each in every generation, on ${name}`,
    { timeout: 3_000_000 },
    async () => {
      await using server = await start()
      const random = createSeededRandom(readSeed())
      await using provider = await startFamilyProvider({ random, maxDelay: 10 })
      await using database = await openDatabase(server.url)
      await using cluster = await startTokenProcesses(
        processCount,
        server.url,
        provider.tokenEndpoint,
      )
      const { family, refreshToken } = provider.startFamily()
      const user = await createUser(database, "ada", refreshToken)
      const known = new Set<string>()
      for (let generation = 1; generation <= generations; generation += 1) {
        await expireToken(database, "ada")
        const task = { userIds: [user], calls }
        const results = await Promise.all(cluster.processes.map((each) => each.run(task)))
        const accessTokens = new Set(results.flat().flatMap((each) => each.accessTokens))
        expect(results.flat().flatMap(({ errors }) => errors)).toEqual([])
        expect(accessTokens.size).toBe(1)
        expect(known.size).toBe(generation - 1)
        for (const token of accessTokens) known.add(token)
        expect(family).toMatchObject({ refreshes: generation, isRevoked: false })
      }
      expect(known.size).toBe(generations)
    },
  )

  test.skipIf(!isInstalled)(
    `a killed process loses no token but one that only it had received, and none in a grace period, on ${name}`,
    { timeout: 3_000_000 },
    async () => {
      const [strict, lenient] = [createKillResult(), createKillResult()]
      // Both wait for leases at the same time.
      const runs = [killProcesses(start, 0, strict), killProcesses(start, 60_000, lenient)]
      await runWithLeaseDelays(runs)
      console.log(`${name}, without a grace period:`, strict)
      console.log(`${name}, with a grace period:`, lenient)
      expect(strict.problems).toEqual([])
      expect(strict.interrupted).toBeGreaterThan(0)
      expect(lenient).toMatchObject({ lost: 0, problems: [] })
      expect(lenient.interrupted).toBeGreaterThan(0)
    },
  )
}

interface KillResult {
  readonly seed: number
  /** Refreshes that were in progress when their process was killed. */
  interrupted: number
  /** Users who have to sign in again. */
  lost: number
  readonly problems: unknown[]
}

const createKillResult = (): KillResult => ({
  seed: readSeed(),
  interrupted: 0,
  lost: 0,
  problems: [],
})

/** Runs generators by turns, and waits until leases have expired after each turn. */
async function runWithLeaseDelays(runs: readonly AsyncGenerator<void, void>[]): Promise<void> {
  try {
    for (;;) {
      let isDone = true
      for (const run of runs) isDone = (await run.next()).done === true && isDone
      if (isDone) return
      await sleep(leaseDuration)
    }
  } finally {
    for (const run of runs) await run.return()
  }
}

/**
 * Kills processes at random moments while each user's token is refreshed, and records what came of the tokens. Yields
 * where the leases of the killed process have to expire.
 */
async function* killProcesses(
  start: (typeof tokenDatabases)[number]["start"],
  gracePeriod: number,
  result: KillResult,
): AsyncGenerator<void, void> {
  const random = createSeededRandom(result.seed)
  await using server = await start()
  await using provider = await startFamilyProvider({ random, maxDelay: 150, gracePeriod })
  await using database = await openDatabase(server.url)
  await using cluster = await startTokenProcesses(processCount, server.url, provider.tokenEndpoint)
  const { processes } = cluster
  for (let kill = 0; kill < kills; kill += 1) {
    const users = await Promise.all(
      Array.from({ length: usersPerKill }, async (_, index) => {
        const { family, refreshToken } = provider.startFamily()
        const account = `${kill}-${index}`
        return { account, family, id: await createUser(database, account, refreshToken) }
      }),
    )
    const task = { userIds: users.map(({ id }) => id), calls: 5 }
    const arrived = provider.waitForRequests(random.nextInteger(1, usersPerKill))
    const running = processes.map((each) => each.run(task))
    const killed = await arrived
    await random.sleepBetween(0, 20)
    await processes.find((each) => each.name === killed)?.replace()
    await Promise.all(running)
    const before = new Map(users.map(({ account, family }) => [account, family.refreshes]))
    yield
    const [results = []] = await Promise.all(
      processes.map((each) => each.run({ ...task, calls: 1 })),
    )
    for (const { account, family, id } of users) {
      const outcome = results.find(({ userId }) => userId === id)
      const stored = await readTokens(database, account)
      const isRefreshedAgain = family.refreshes !== before.get(account)
      if (isRefreshedAgain || family.repeats > 0 || family.isRevoked) result.interrupted += 1
      if (!family.isRevoked) {
        const isUsable = outcome?.errors.length === 0 && stored.refresh_token === family.latest
        if (!isUsable || family.refreshes !== 1) result.problems.push({ account, outcome, family })
        continue
      }
      result.lost += 1
      // Only the killed process had received the latest token, and it was never stored.
      const isUnavoidable = family.receiver === killed && stored.refresh_token !== family.latest
      const needsSignIn = outcome?.errors.every((error) => error.needsSignIn)
      if (!isUnavoidable || !needsSignIn) result.problems.push({ account, outcome, family })
    }
  }
}

async function openDatabase(url: string): Promise<TokenDatabase & AsyncDisposable> {
  const database = await openTokenDatabase(url, true)
  return { ...database, [Symbol.asyncDispose]: database.close }
}

/** Stores a user whose access token has expired. Returns the user's id. */
async function createUser(
  { adapter }: TokenDatabase,
  account: string,
  refreshToken: string,
): Promise<string> {
  const id = crypto.randomUUID()
  const email = `${account}@example.com`
  const { id: userId } = await adapter.createUserWithAccount(
    { id, email, emailVerified: null },
    {
      userId: id,
      type: "oauth",
      provider: "family",
      providerAccountId: account,
      access_token: "the first one",
      refresh_token: refreshToken,
      expires_at: 1,
    },
  )
  return userId
}

const toKey = (account: string) => ({ provider: "family", providerAccountId: account })

async function expireToken({ adapter }: TokenDatabase, account: string): Promise<void> {
  await adapter.updateAccount({ ...toKey(account), expires_at: 1 })
}

async function readTokens({ adapter }: TokenDatabase, account: string) {
  const stored = await adapter.getAccount?.(account, "family")
  if (!stored) throw new Error(`There is no account ${account}`)
  return stored
}

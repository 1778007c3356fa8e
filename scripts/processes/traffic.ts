/** Background traffic of signed-in users. */
import type { TestBrowser } from "@latchkey/testing"
import type { Cluster } from "./cluster.ts"

/** A signed-in user, and the expected name. */
export interface SignedInUser {
  readonly name: string
  readonly browser: TestBrowser
}

/** Signs users in through the proxy. */
export function signInUsers(cluster: Cluster, count: number): Promise<SignedInUser[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => signInUser(cluster, index)))
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

export interface BackgroundTraffic {
  /** Returns the number of responses so far. */
  countResponses(): number
  /** Stops the traffic and returns the problems. */
  stop(): Promise<string[]>
}

/** Lets each user request a members-only page in a loop until the traffic is stopped. */
export function startTraffic(members: readonly SignedInUser[]): BackgroundTraffic {
  const problems: string[] = []
  let responseCount = 0
  let isStopped = false
  const visits = members.map(async ({ name, browser }) => {
    while (!isStopped) {
      const problem = await browser.open("/members").then(
        async (response) => {
          const page = await response.text()
          return page.includes(name)
            ? undefined
            : `${name} received status ${response.status}: ${page}`
        },
        (error: unknown) => `${name} received no response: ${error}`,
      )
      if (problem !== undefined) problems.push(problem)
      responseCount += 1
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  return {
    countResponses: () => responseCount,
    async stop() {
      isStopped = true
      await Promise.all(visits)
      return problems
    },
  }
}

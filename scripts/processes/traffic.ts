/** People who go on using the application while something happens to it. */
import type { TestBrowser } from "@latchkey/testing"

/** Somebody who is signed in, and the name under which the application should know them. */
export interface SignedInUser {
  readonly name: string
  readonly browser: TestBrowser
}

export interface BackgroundTraffic {
  /** How many answers there were. */
  countResponses(): number
  /** Ends it, and gives what was not as it should be. */
  stop(): Promise<string[]>
}

/** Lets members look at a page for members, one request after another each, until they are stopped. */
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
            : `${name} was answered ${response.status}: ${page}`
        },
        (error: unknown) => `${name} got no answer: ${error}`,
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

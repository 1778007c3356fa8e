/** People who go on using the application while something happens to it. */
import type { Browser } from "@latchkey/testing"

/** Somebody who is signed in, and the name under which the application should know them. */
export interface Member {
  readonly name: string
  readonly browser: Browser
}

export interface Traffic {
  /** How many answers there were. */
  count(): number
  /** Ends it, and gives what was not as it should be. */
  stop(): Promise<string[]>
}

/** Lets members look at a page for members, one request after another each, until they are stopped. */
export function keepVisiting(members: readonly Member[]): Traffic {
  const problems: string[] = []
  let answers = 0
  let isOver = false
  const visiting = members.map(async ({ name, browser }) => {
    while (!isOver) {
      const problem = await browser.open("/members").then(
        async (answer) => {
          const page = await answer.text()
          return page.includes(name) ? undefined : `${name} was answered ${answer.status}: ${page}`
        },
        (error: unknown) => `${name} got no answer: ${error}`,
      )
      if (problem !== undefined) problems.push(problem)
      answers += 1
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
  return {
    count: () => answers,
    async stop() {
      isOver = true
      await Promise.all(visiting)
      return problems
    },
  }
}

/** People who are signing in while processes are replaced. */
import type { AuthorizationResponse } from "@latchkey/testing"
import { expect } from "vitest"
import type { Cluster } from "./cluster.ts"

/** The credentials that Ann enters. */
export const credentials = { email: "ann@example.com", password: "correct horse battery staple" }

/** Sign-ins that are pending at the provider or in an open form. */
export class PendingSignIns {
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

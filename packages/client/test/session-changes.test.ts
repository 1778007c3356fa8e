/** `onSessionChange` of the client: in this page, and across tabs. */
import type { Client, KnownSessionState } from "@latchkey/client"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import {
  createTestSite,
  type TestSiteConfig,
  validCredentials,
} from "../../core/test/support/test-site.ts"
import { createClientPages } from "./support/client-pages.ts"

const withoutRedirect = { redirect: false } as const

async function openClientPages(changes: Partial<TestSiteConfig> = {}) {
  return createClientPages((await createTestSite(changes)).app)
}

/** The states that a page receives. */
function recordStates<S>(page: Client<S>): KnownSessionState<S>[] {
  const states: KnownSessionState<S>[] = []
  onTestFinished(page.onSessionChange((state) => void states.push(state)))
  return states
}

const listKinds = (states: readonly KnownSessionState<unknown>[]) => states.map(({ kind }) => kind)

describe("a listener", () => {
  test("receives the state as soon as it is known, and every change", async () => {
    const { openPage, waitForRequests } = await openClientPages()
    const page = openPage()
    const states = recordStates(page)
    await waitForRequests()
    expect(listKinds(states)).toEqual(["signed-out"])
    await page.signIn("credentials", { ...withoutRedirect, ...validCredentials })
    await waitForRequests()
    await page.getSession()
    await page.signOut(withoutRedirect)
    await waitForRequests()
    expect(listKinds(states)).toEqual(["signed-out", "signed-in", "signed-out"])
  })

  test("that is added later receives the known state without another request", async () => {
    const { openPage, requests: received, waitForRequests } = await openClientPages()
    const page = openPage()
    await page.getSession()
    const questions = received.length
    const states = recordStates(page)
    await waitForRequests()
    expect([listKinds(states), received.length]).toEqual([["signed-out"], questions])
  })

  test("is notified if the server cannot be reached", async () => {
    const visited = await openClientPages()
    visited.network = "down"
    const states = recordStates(visited.openPage())
    await visited.waitForRequests()
    expect(states).toMatchObject([{ kind: "unavailable", failure: { kind: "offline" } }])
  })

  test("receives nothing after it was removed, and a function that was added twice stays added once", async () => {
    const { openPage, waitForRequests } = await openClientPages()
    const page = openPage()
    const states: string[] = []
    const listener = ({ kind }: KnownSessionState<unknown>) => void states.push(kind)
    const ends = [page.onSessionChange(listener), page.onSessionChange(listener)]
    await waitForRequests()
    expect(states).toHaveLength(2)
    ends[0]?.()
    ends[0]?.()
    await page.signIn("credentials", { ...withoutRedirect, ...validCredentials })
    await waitForRequests()
    expect(states).toHaveLength(3)
    ends[1]?.()
    await page.signOut(withoutRedirect)
    await waitForRequests()
    expect(states).toHaveLength(3)
  })

  test("that throws does not affect other listeners, and its error is reported", async () => {
    const { openPage, waitForRequests } = await openClientPages()
    const page = openPage()
    const reported: unknown[] = []
    const report = (error: unknown) => void reported.push(error)
    const usual = process.listeners("uncaughtException")
    process.removeAllListeners("uncaughtException").on("uncaughtException", report)
    onTestFinished(() => {
      process.removeAllListeners("uncaughtException")
      for (const listener of usual) process.on("uncaughtException", listener)
    })
    const fault = new Error("a fault of the page")
    onTestFinished(
      page.onSessionChange(() => {
        throw fault
      }),
    )
    const states = recordStates(page)
    await waitForRequests()
    expect([listKinds(states), reported]).toEqual([["signed-out"], [fault]])
  })
})

describe("another tab", () => {
  test("is notified of a sign-in, an update and a sign-out", async () => {
    const { openPage, waitForRequests } = await openClientPages({
      callbacks: {
        jwt: ({ token, session }) => (session ? { ...token, name: session.name } : token),
      },
    })
    const here = openPage()
    const there = openPage()
    const states = recordStates(there)
    await waitForRequests()
    await here.signIn("credentials", { ...withoutRedirect, ...validCredentials })
    await waitForRequests()
    await here.updateSession({ name: "Countess" })
    await waitForRequests()
    await here.signOut(withoutRedirect)
    await waitForRequests()
    expect(states).toMatchObject([
      { kind: "signed-out" },
      { kind: "signed-in", session: { user: { name: "Ada" } } },
      { kind: "signed-in", session: { user: { name: "Countess" } } },
      { kind: "signed-out" },
    ])
  })

  test("is only told that there was a change", async () => {
    const { openPage, waitForRequests } = await openClientPages()
    const messages: unknown[] = []
    const channel = new BroadcastChannel("latchkey:/auth")
    onTestFinished(() => channel.close())
    channel.onmessage = ({ data }) => void messages.push(data)
    const page = openPage()
    await page.signIn("credentials", { ...withoutRedirect, ...validCredentials })
    await page.getSession()
    await page.signIn("credentials", { ...withoutRedirect, word: "wrong" })
    await page.signOut(withoutRedirect)
    await waitForRequests()
    expect(messages).toEqual(["changed", "changed"])
  })

  test("is told of a sign-out even if it signed in with a form that told nobody", async () => {
    const { testBrowser, openPage, waitForRequests } = await openClientPages()
    const states = recordStates(openPage())
    const there = openPage()
    await waitForRequests()
    await testBrowser.signIn("credentials", validCredentials)
    await there.signOut(withoutRedirect)
    await waitForRequests()
    expect(listKinds(states)).toEqual(["signed-out", "signed-out"])
  })

  test("does not keep an outdated state if the server cannot be reached", async () => {
    const visited = await openClientPages()
    await visited.testBrowser.signIn("credentials", validCredentials)
    const there = visited.openPage()
    const states = recordStates(there)
    await visited.waitForRequests()
    const channel = new BroadcastChannel("latchkey:/auth")
    onTestFinished(() => channel.close())
    visited.network = "down"
    channel.postMessage("changed")
    await visited.waitForRequests()
    expect(listKinds(states)).toEqual(["signed-in", "unavailable"])
  })

  test("with another base path is not affected", async () => {
    const { openPage, requests: received, waitForRequests } = await openClientPages()
    const states = recordStates(openPage({ basePath: "/admin/auth" }))
    await waitForRequests()
    received.length = 0
    await openPage().signIn("credentials", { ...withoutRedirect, ...validCredentials })
    await waitForRequests()
    expect(received.filter((line) => line.includes("/admin/"))).toEqual([])
    expect(states).toHaveLength(1)
  })

  test("is watched only while there are listeners", async () => {
    const { openPage, requests: received, waitForRequests } = await openClientPages()
    const there = openPage()
    there.onSessionChange(() => {})()
    await waitForRequests()
    received.length = 0
    await openPage().signIn("credentials", { ...withoutRedirect, ...validCredentials })
    await waitForRequests()
    expect(received.filter((line) => line === "GET /auth/session")).toHaveLength(1)
  })
})

describe("polling", () => {
  test("is off by default, and does not refetch a fresh state", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] })
    onTestFinished(() => void vi.useRealTimers())
    const quiet = await openClientPages()
    recordStates(quiet.openPage())
    const polled = await openClientPages()
    recordStates(polled.openPage({ pollInterval: 3 }))
    const questions = async (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds)
      await Promise.all([quiet.waitForRequests(), polled.waitForRequests()])
      return [quiet.requests.length, polled.requests.length]
    }
    expect(await questions(0)).toEqual([1, 1])
    expect(await questions(3100)).toEqual([1, 1])
    expect(await questions(3000)).toEqual([1, 2])
  })

  test("detects changes that no tab reported", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] })
    onTestFinished(() => void vi.useRealTimers())
    const { openPage, waitForRequests, testBrowser: browser } = await openClientPages()
    const states = recordStates(openPage({ pollInterval: 30 }))
    await waitForRequests()
    await browser.signIn("credentials", validCredentials)
    vi.advanceTimersByTime(31_000)
    await waitForRequests()
    expect(listKinds(states)).toEqual(["signed-out", "signed-in"])
  })
})

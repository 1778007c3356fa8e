/** `onSessionChange` of the client: in this page, and across tabs. */
import type { Client, KnownSessionState } from "@latchkey/core/client"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createClientPages } from "../support/client-pages.ts"
import { createTestSite, type TestSiteConfig, validCredentials } from "../support/test-site.ts"

const withoutRedirect = { redirect: false } as const

async function openClientPages(changes: Partial<TestSiteConfig> = {}) {
  return createClientPages((await createTestSite(changes)).app)
}

/** What a page hears. */
function recordStates<S>(page: Client<S>): KnownSessionState<S>[] {
  const states: KnownSessionState<S>[] = []
  onTestFinished(page.onSessionChange((state) => void states.push(state)))
  return states
}

const listKinds = (states: readonly KnownSessionState<unknown>[]) => states.map(({ kind }) => kind)

describe("a listener", () => {
  test("is told what is known as soon as anything is, and of every change", async () => {
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

  test("that comes later is told what is known, without another question", async () => {
    const { openPage, requests: received, waitForRequests } = await openClientPages()
    const page = openPage()
    await page.getSession()
    const questions = received.length
    const states = recordStates(page)
    await waitForRequests()
    expect([listKinds(states), received.length]).toEqual([["signed-out"], questions])
  })

  test("is told that the server cannot be asked", async () => {
    const visited = await openClientPages()
    visited.network = "down"
    const states = recordStates(visited.openPage())
    await visited.waitForRequests()
    expect(states).toMatchObject([{ kind: "unavailable", failure: { kind: "offline" } }])
  })

  test("that ended hears nothing any more, the same function added twice still once", async () => {
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

  test("that throws keeps nobody else from being told, and is reported", async () => {
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
  test("hears of a sign-in, an update and a sign-out", async () => {
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

  test("is told that there was a change, and nothing more", async () => {
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

  test("does not keep what is known to have changed when the server cannot be asked", async () => {
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

  test("at another base path has nothing to do with it", async () => {
    const { openPage, requests: received, waitForRequests } = await openClientPages()
    const states = recordStates(openPage({ basePath: "/admin/auth" }))
    await waitForRequests()
    received.length = 0
    await openPage().signIn("credentials", { ...withoutRedirect, ...validCredentials })
    await waitForRequests()
    expect(received.filter((line) => line.includes("/admin/"))).toEqual([])
    expect(states).toHaveLength(1)
  })

  test("is watched only while somebody listens", async () => {
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
  test("is off unless asked for, and asks for nothing that is known well enough", async () => {
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

  test("notices what no tab told of", async () => {
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

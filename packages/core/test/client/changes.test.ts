/** `onSessionChange` of the client: in this page, and across tabs. */
import type { Client, KnownState } from "@latchkey/core/client"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { rightWord, type SiteConfig, site } from "../support/front-door.ts"
import { pages } from "../support/pages.ts"

const stay = { redirect: false } as const

async function visit(changes: Partial<SiteConfig> = {}) {
  return pages((await site(changes)).app)
}

/** What a page hears. */
function heard<S>(page: Client<S>): KnownState<S>[] {
  const states: KnownState<S>[] = []
  onTestFinished(page.onSessionChange((state) => void states.push(state)))
  return states
}

const kinds = (states: readonly KnownState<unknown>[]) => states.map(({ kind }) => kind)

describe("a listener", () => {
  test("is told what is known as soon as anything is, and of every change", async () => {
    const { open, settled } = await visit()
    const page = open()
    const states = heard(page)
    await settled()
    expect(kinds(states)).toEqual(["signed-out"])
    await page.signIn("credentials", { ...stay, ...rightWord })
    await settled()
    await page.getSession()
    await page.signOut(stay)
    await settled()
    expect(kinds(states)).toEqual(["signed-out", "signed-in", "signed-out"])
  })

  test("that comes later is told what is known, without another question", async () => {
    const { open, asked, settled } = await visit()
    const page = open()
    await page.getSession()
    const questions = asked.length
    const states = heard(page)
    await settled()
    expect([kinds(states), asked.length]).toEqual([["signed-out"], questions])
  })

  test("is told that the server cannot be asked", async () => {
    const visited = await visit()
    visited.network = "down"
    const states = heard(visited.open())
    await visited.settled()
    expect(states).toMatchObject([{ kind: "unavailable", failure: { kind: "offline" } }])
  })

  test("that ended hears nothing any more, the same function added twice still once", async () => {
    const { open, settled } = await visit()
    const page = open()
    const states: string[] = []
    const listener = ({ kind }: KnownState<unknown>) => void states.push(kind)
    const ends = [page.onSessionChange(listener), page.onSessionChange(listener)]
    await settled()
    expect(states).toHaveLength(2)
    ends[0]?.()
    ends[0]?.()
    await page.signIn("credentials", { ...stay, ...rightWord })
    await settled()
    expect(states).toHaveLength(3)
    ends[1]?.()
    await page.signOut(stay)
    await settled()
    expect(states).toHaveLength(3)
  })

  test("that throws keeps nobody else from being told, and is reported", async () => {
    const { open, settled } = await visit()
    const page = open()
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
    const states = heard(page)
    await settled()
    expect([kinds(states), reported]).toEqual([["signed-out"], [fault]])
  })
})

describe("another tab", () => {
  test("hears of a sign-in, an update and a sign-out", async () => {
    const { open, settled } = await visit({
      callbacks: {
        jwt: ({ token, session }) => (session ? { ...token, name: session.name } : token),
      },
    })
    const here = open()
    const there = open()
    const states = heard(there)
    await settled()
    await here.signIn("credentials", { ...stay, ...rightWord })
    await settled()
    await here.updateSession({ name: "Countess" })
    await settled()
    await here.signOut(stay)
    await settled()
    expect(states).toMatchObject([
      { kind: "signed-out" },
      { kind: "signed-in", session: { user: { name: "Ada" } } },
      { kind: "signed-in", session: { user: { name: "Countess" } } },
      { kind: "signed-out" },
    ])
  })

  test("is told that there was a change, and nothing more", async () => {
    const { open, settled } = await visit()
    const messages: unknown[] = []
    const channel = new BroadcastChannel("latchkey:/auth")
    onTestFinished(() => channel.close())
    channel.onmessage = ({ data }) => void messages.push(data)
    const page = open()
    await page.signIn("credentials", { ...stay, ...rightWord })
    await page.getSession()
    await page.signIn("credentials", { ...stay, word: "wrong" })
    await page.signOut(stay)
    await settled()
    expect(messages).toEqual(["changed", "changed"])
  })

  test("does not keep what is known to have changed when the server cannot be asked", async () => {
    const visited = await visit()
    await visited.who.signIn("credentials", rightWord)
    const there = visited.open()
    const states = heard(there)
    await visited.settled()
    const channel = new BroadcastChannel("latchkey:/auth")
    onTestFinished(() => channel.close())
    visited.network = "down"
    channel.postMessage("changed")
    await visited.settled()
    expect(kinds(states)).toEqual(["signed-in", "unavailable"])
  })

  test("at another base path has nothing to do with it", async () => {
    const { open, asked, settled } = await visit()
    const states = heard(open({ basePath: "/admin/auth" }))
    await settled()
    asked.length = 0
    await open().signIn("credentials", { ...stay, ...rightWord })
    await settled()
    expect(asked.filter((line) => line.includes("/admin/"))).toEqual([])
    expect(states).toHaveLength(1)
  })

  test("is watched only while somebody listens", async () => {
    const { open, asked, settled } = await visit()
    const there = open()
    there.onSessionChange(() => {})()
    await settled()
    asked.length = 0
    await open().signIn("credentials", { ...stay, ...rightWord })
    await settled()
    expect(asked.filter((line) => line === "GET /auth/session")).toHaveLength(1)
  })
})

describe("polling", () => {
  test("is off unless asked for, and asks for nothing that is known well enough", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] })
    onTestFinished(() => void vi.useRealTimers())
    const quiet = await visit()
    heard(quiet.open())
    const polled = await visit()
    heard(polled.open({ pollInterval: 3 }))
    const questions = async (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds)
      await Promise.all([quiet.settled(), polled.settled()])
      return [quiet.asked.length, polled.asked.length]
    }
    expect(await questions(0)).toEqual([1, 1])
    expect(await questions(3100)).toEqual([1, 1])
    expect(await questions(3000)).toEqual([1, 2])
  })

  test("notices what no tab told of", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] })
    onTestFinished(() => void vi.useRealTimers())
    const { open, settled, who } = await visit()
    const states = heard(open({ pollInterval: 30 }))
    await settled()
    await who.signIn("credentials", rightWord)
    vi.advanceTimersByTime(31_000)
    await settled()
    expect(kinds(states)).toEqual(["signed-out", "signed-in"])
  })
})

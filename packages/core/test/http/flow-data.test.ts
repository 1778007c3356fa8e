/** Data of the application that travels through a sign-in. */
import { type AuthConfig, createAuth, serializeCookie } from "@latchkey/core"
import type { FlowData } from "@latchkey/core/types"
import { assertRefused } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { createCodeApp, enterCode } from "../support/code-app.ts"
import { createEmailApp } from "../support/email-app.ts"
import { ada, createLinkingApp } from "../support/linking-app.ts"
import { createPasswordApp, password } from "../support/password-app.ts"

const invitation = { invitation: "i-77", plan: { seats: 3 } }

/** Callbacks and events that record the data. */
function recordFlows() {
  const flows: Record<string, FlowData | undefined> = {}
  const record = (name: string, message: { flow?: FlowData }) => {
    flows[name] = message.flow
  }
  const on = (name: string) => (message: { flow?: FlowData }) => record(name, message)
  const changes = {
    session: { strategy: "jwt" },
    callbacks: {
      signIn(params) {
        record("signIn", params)
        return true
      },
      jwt(params) {
        record("jwt", params)
        return params.token
      },
    },
    events: {
      signIn: on("event signIn"),
      createUser: on("event createUser"),
      linkAccount: on("event linkAccount"),
    },
  } satisfies Partial<AuthConfig>
  return { flows, changes }
}

const expected = (flow: FlowData | undefined) => ({
  signIn: flow,
  jwt: flow,
  "event signIn": flow,
  "event createUser": flow,
  "event linkAccount": flow,
})

/** An application whose server code starts sign-ins. */
async function createFlowApp(changes: Partial<AuthConfig> = {}) {
  const recorded = recordFlows()
  const app = await createLinkingApp({ ...recorded.changes, ...changes })
  app.work.setUser(ada)
  const auth = createAuth(app.config)
  const person = app.openBrowser()
  const start = async (flow: FlowData) => {
    const url = "https://app.example/join"
    const result = await auth.signIn({ headers: new Headers(), url }, "work", { flow })
    for (const cookie of result.cookies) person.cookies.setUnchecked(url, serializeCookie(cookie))
    return new URL(result.redirect)
  }
  const setCookie = (name: string, value: string) =>
    person.cookies.setUnchecked("https://app.example/", `${name}=${value}; Path=/; Secure`)
  return { ...app, ...recorded, person, start, setCookie }
}

describe("from server code", () => {
  test("reaches callbacks and events when the sign-in ends, and no URL", async () => {
    const { flows, start, person, work } = await createFlowApp()
    const authorization = await start(invitation)
    expect(authorization.href).not.toMatch(/i-77|seats|flow/)
    const response = await person.open(work.approve(authorization))
    expect(response.headers.get("location")).not.toMatch(/i-77|flow/)
    expect(flows).toEqual(expected(invitation))
    expect(JSON.stringify([...person.cookies])).not.toContain("i-77")
  })

  test("is absent for a sign-in that began without it, and in later session checks", async () => {
    const { flows, start, person, work } = await createFlowApp()
    await person.open(work.approve(await start(invitation)))
    await person.getSession()
    expect(flows["jwt"]).toBeUndefined()
    await person.signIn(work)
    expect(flows["event signIn"]).toBeUndefined()
  })

  test("each callback has its own copy", async () => {
    let seen: unknown
    const { start, person, work } = await createFlowApp({
      callbacks: {
        signIn: ({ flow }) => Boolean(Object.assign(Object(flow), { invitation: "changed" })),
        jwt({ token, flow }) {
          seen = flow
          return token
        },
      },
    })
    await person.open(work.approve(await start(invitation)))
    expect(seen).toEqual(invitation)
  })

  test("of two sign-ins in one browser stays with its own", async () => {
    const { flows, start, person, work } = await createFlowApp()
    const [first, second] = [await start({ tab: 1 }), await start({ tab: 2 })]
    await person.open(work.approve(first))
    expect(flows["event signIn"]).toEqual({ tab: 1 })
    await person.open(work.approve(second))
    expect(flows["event signIn"]).toEqual({ tab: 2 })
  })

  test("may have 1024 bytes as JSON, and the cookie fits", async () => {
    const { flows, start, person, work } = await createFlowApp()
    const largest = { text: "é".repeat(506) }
    expect(new TextEncoder().encode(JSON.stringify(largest))).toHaveLength(1023)
    const authorization = await start(largest)
    for (const { name, value } of person.cookies)
      expect(name.length + value.length).toBeLessThan(4000)
    await person.open(work.approve(authorization))
    expect(flows["jwt"]).toEqual(largest)
    await expect(start({ text: "é".repeat(507) })).rejects.toThrow(
      "Expected `flow` to be a JSON object of at most 1024 bytes. Received: 1025 bytes.",
    )
  })

  test.each([
    ["a list", [1]],
    ["text", "text"],
    ["null", null],
    ["a BigInt", { id: 1n }],
  ])("cannot be %s", async (_, flow) => {
    const { start } = await createFlowApp()
    await expect(start(flow as never)).rejects.toMatchObject({ type: "InvalidRequest" })
  })

  test("reaches the callbacks of a sign-in with credentials", async () => {
    const { flows, changes } = recordFlows()
    const app = createPasswordApp(changes)
    await createAuth(app.config).signIn(
      { headers: new Headers(), url: "https://app.example/join" },
      "credentials",
      { fields: { name: "alice", password }, flow: invitation },
    )
    expect(flows).toMatchObject({ signIn: invitation, jwt: invitation, "event signIn": invitation })
  })

  test("is refused for a link by e-mail, before anything is sent", async () => {
    const { config, inbox } = await createEmailApp()
    const signIn = createAuth(config).signIn(
      { headers: new Headers(), url: "https://app.example/join" },
      "nodemailer",
      { fields: { email: "ada@example.com" }, flow: invitation },
    )
    await expect(signIn).rejects.toThrow("e-mail links and their codes do not carry it")
    expect(inbox.messages).toEqual([])
  })

  test("is refused with the code of an e-mail, which stays valid", async () => {
    const app = await createCodeApp({}, { validateFlow: () => invitation })
    const person = app.openBrowser()
    const { code } = await app.receive(person)
    const response = await enterCode(person, code, { flow: JSON.stringify(invitation) })
    assertRefused(response)
    expect(app.log.toText()).toContain("e-mail links and their codes do not carry it")
    expect(await person.getSession()).toBeNull()
    await enterCode(person, code)
    expect(await person.getSession()).not.toBeNull()
  })
})

describe("tampering", () => {
  test("with the sealed cookie is refused", async () => {
    const { flows, start, person, work, log, setCookie } = await createFlowApp()
    const authorization = await start(invitation)
    const [cookie] = [...person.cookies].filter(({ name }) => name.includes("state"))
    if (!cookie) throw new TypeError("a transaction")
    const middle = Math.floor(cookie.value.length / 2)
    const letter = cookie.value[middle] === "A" ? "B" : "A"
    const forged = cookie.value.slice(0, middle) + letter + cookie.value.slice(middle + 1)
    setCookie(cookie.name, forged)
    assertRefused(await person.open(work.approve(authorization)))
    expect(flows).toEqual({})
    expect(log.errorCodes()).toEqual(["InvalidCheck"])
  })

  test("by swapping the cookies of two sign-ins is refused", async () => {
    const { flows, start, person, work, setCookie } = await createFlowApp()
    const first = await start({ plan: "free" })
    await start({ plan: "paid" })
    const [one, two] = [...person.cookies].filter(({ name }) => name.includes("state"))
    if (!one || !two) throw new TypeError("two transactions")
    setCookie(one.name, two.value)
    setCookie(two.name, one.value)
    assertRefused(await person.open(work.approve(first)))
    expect(flows).toEqual({})
  })

  test("by the query of the response, or the body of the request, has no effect", async () => {
    const { flows, start, person, work } = await createFlowApp()
    const callback = new URL(work.approve(await start(invitation)).url)
    callback.searchParams.set("flow", JSON.stringify({ invitation: "i-1" }))
    await person.open(callback)
    expect(flows["event signIn"]).toEqual(invitation)
    await person.signIn(work, { flow: JSON.stringify({ invitation: "i-1" }) })
    expect(flows["event signIn"]).toBeUndefined()
  })
})

describe("from the browser", () => {
  const validateFlow = vi.fn<NonNullable<AuthConfig["validateFlow"]>>((flow) => {
    const { invitation: id } = flow as Record<string, unknown>
    if (typeof id !== "string") throw new TypeError("no invitation")
    return { invitation: id }
  })

  test("is what `validateFlow` returns", async () => {
    const { flows, person, work } = await createFlowApp({ validateFlow })
    const flow = JSON.stringify({ ...invitation, admin: true })
    await person.signIn(work, { flow })
    expect(flows).toEqual(expected({ invitation: "i-77" }))
    const [sent, context] = validateFlow.mock.lastCall ?? []
    expect(sent).toEqual({ ...invitation, admin: true })
    expect(context?.provider).toBe("work")
    expect(context?.request.url.pathname).toBe("/auth/signin/work")
  })

  test.each([undefined, null as never])(
    "is dropped if `validateFlow` returns %s, and the sign-in goes on",
    async (nothing) => {
      const { flows, person, work } = await createFlowApp({ validateFlow: () => nothing })
      await person.signIn(work, { flow: JSON.stringify(invitation) })
      expect(await person.getSession()).not.toBeNull()
      expect(flows).toEqual(expected(undefined))
    },
  )

  test.each([
    ["that is no JSON", "{"],
    ["that is no object", "[]"],
    ["that is too large", JSON.stringify({ invitation: "x".repeat(1024) })],
    ["that `validateFlow` refuses", "{}"],
  ])("refuses data %s, and starts no sign-in", async (_, flow) => {
    const { person, log } = await createFlowApp({ validateFlow })
    const csrfToken = await person.getCsrfToken()
    const response = await person.post("/auth/signin/work", { flow, csrfToken })
    expect(response.headers.get("location") ?? "").not.toContain("work.example")
    expect(log.errorCodes()).toEqual(["InvalidRequest"])
    expect(log.toText()).not.toContain("xxxx")
  })

  test("keeps prototypes as they are", async () => {
    const { flows, person, work } = await createFlowApp({
      validateFlow: (flow) => flow as FlowData,
    })
    await person.signIn(work, { flow: '{"__proto__":{"admin":true},"a":1}' })
    expect(flows["jwt"]).toEqual({ a: 1 })
    expect(Object.getPrototypeOf(flows["jwt"])).toBe(Object.prototype)
  })
})

import type { JWT } from "@latchkey/core/types"
import { AuthError, getSession, type ReactiveAuthConfig, type Session } from "@latchkey/solid-start"
import { createTestBrowser, type TestBrowser, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createApplication,
  createEvent,
  type EventWithResponse,
  type Handler,
  runInEvent,
} from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

const day = 86_400_000

async function createSignedInBrowser(
  config: ReactiveAuthConfig,
  tasks: Record<string, Handler> = {},
) {
  const user = createTestBrowser(createApplication(config, tasks), { basePath: "/api/auth" })
  await user.signIn("credentials", alice)
  return user
}

/** Creates a request as the browser sends it. */
function createPageRequest({ cookies, origin }: TestBrowser): Request {
  const cookie = [...cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  return new Request(`${origin}/page`, { headers: { cookie } })
}

const getSetCookieNames = ({ response }: EventWithResponse) =>
  response.headers.getSetCookie().map((line) => line.slice(0, line.indexOf("=")))

describe("the session of a request", () => {
  test("is null if nobody is signed in", async () => {
    expect(await getSession(new Request("https://app.example/"), createConfig())).toBeNull()
  })

  test("is read under any prefix", async () => {
    const config = createConfig({ prefix: "/deep/er/auth" })
    const user = createTestBrowser(createApplication(config), { basePath: "/deep/er/auth" })
    await user.signIn("credentials", alice)
    expect(await getSession(createPageRequest(user), config)).toMatchObject({
      user: { name: "alice" },
    })
  })

  test("is read for a request whose URL is only a path", async () => {
    const config = createConfig()
    const user = await createSignedInBrowser(config)
    const headers = new Headers(createPageRequest(user).headers)
    headers.set("host", "app.example")
    headers.set("x-forwarded-proto", "https")
    expect(await getSession({ url: "/page", headers }, config)).toMatchObject({
      user: { name: "alice" },
    })
  })

  test("an error reveals only its type to the browser", async () => {
    const failingCallback = () => {
      throw new Error("the database is at 10.0.0.7")
    }
    const user = await createSignedInBrowser(createConfig())
    const config = createConfig({ callbacks: { session: failingCallback } })
    const error = await getSession(createPageRequest(user), config).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toBeInstanceOf(Error)
    const { cause } = error as AuthError
    expect(cause?.err?.message).toContain("10.0.0.7")
    // SolidStart sends the own properties and the message to the browser.
    const publicValues = Object.getOwnPropertyNames(error).map((name) =>
      Reflect.get(error as AuthError, name),
    )
    expect(Object.getOwnPropertyNames(error).sort()).toEqual([
      "kind",
      "message",
      "name",
      "status",
      "type",
    ])
    expect(JSON.stringify(publicValues)).not.toContain("10.0.0.7")
  })
})

test("a request without a usable host gets an error without details of the server", async () => {
  const headers = { "x-forwarded-host": "no host/" }
  const request = new Request("https://app.example/", { headers })
  const error = await getSession(request, createConfig()).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AuthError)
  const publicProperties = ["kind", "message", "name", "status", "type"]
  expect(Object.getOwnPropertyNames(error).sort()).toEqual(publicProperties)
})

describe("a renewed session", () => {
  const page: Handler = ({ request }) => getSession(request, config)
  const config = createConfig({ session: { updateAge: 0 } })

  test("is sent with the response of the page", async () => {
    const user = await createSignedInBrowser(config, { "/page": page })
    const later = Date.now() + 20 * day
    await withFrozenTime(later, async () => {
      expect(await (await user.open("/page")).json()).toMatchObject({ user: { name: "alice" } })
    })
    const session = await withFrozenTime(later + 20 * day, () =>
      getSession(createPageRequest(user), config),
    )
    expect(session).not.toBeNull()
  })

  test("is sent with an error if the `jwt` callback changed it", async () => {
    const failingCallback = () => {
      throw new Error("the database is down")
    }
    let generation = 0
    const jwt = ({ token }: { token: JWT }) => ({ ...token, generation: ++generation })
    const failingConfig = createConfig({ callbacks: { jwt, session: failingCallback } })
    const user = await createSignedInBrowser(failingConfig)
    const event = createEvent(createPageRequest(user))
    await expect(getSession(event, failingConfig)).rejects.toBeInstanceOf(AuthError)
    expect(getSetCookieNames(event)).toEqual(["__Secure-authjs.session-token"])
  })

  test("prevents caching of the response", async () => {
    const user = await createSignedInBrowser(config, {})
    const event = createEvent(createPageRequest(user))
    event.response.headers.set("cache-control", "public, max-age=600")
    await runInEvent(event, () => getSession(event, config))
    expect(event.response.headers.get("cache-control")).toBe("private, no-store")
    event.response.headers.set("cache-control", "public, max-age=600")
    event.response.headers.append("cdn-cache-control", "max-age=600")
    expect(event.response.headers.get("cache-control")).toBe("private, no-store")
    expect(event.response.headers.get("cdn-cache-control")).toBe("private, no-store")
  })

  test("is sent only with the response of its own request", async () => {
    const user = await createSignedInBrowser(config)
    const request = createPageRequest(user)
    const ownEvent = createEvent(request)
    await runInEvent(ownEvent, () => getSession(request, config))
    expect(getSetCookieNames(ownEvent)).toContain("__Secure-authjs.session-token")
    const otherEvent = createEvent(new Request("https://app.example/"))
    await runInEvent(otherEvent, () => getSession(request, config))
    expect(getSetCookieNames(otherEvent)).toEqual([])
  })

  test("is set once on the given event, and keeps other cookies", async () => {
    const user = await createSignedInBrowser(config)
    const event = createEvent(createPageRequest(user))
    event.response.headers.append("set-cookie", "foreign=kept; Path=/")
    await getSession(event, config)
    await getSession(event, config)
    expect(getSetCookieNames(event)).toEqual(["foreign", "__Secure-authjs.session-token"])
  })

  test("is returned without a response, and after the response has begun", async () => {
    const user = await createSignedInBrowser(config)
    const request = createPageRequest(user)
    const sessions: (Session | null)[] = [
      await getSession({ request }, config),
      await getSession(
        createEvent(request, { nativeEvent: { node: { res: { headersSent: true } } } }),
        config,
      ),
    ]
    expect(sessions.map((session) => session?.user?.name)).toEqual(["alice", "alice"])
  })
})

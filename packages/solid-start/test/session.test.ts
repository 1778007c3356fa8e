import type { JWT } from "@latchkey/core/types"
import { AuthError, getSession, type ReactiveAuthConfig, type Session } from "@latchkey/solid-start"
import { type Browser, browser, withClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { alice, configOf } from "./support/config.ts"
import { type AnsweredEvent, application, during, eventFor, type Task } from "./support/start.ts"

const day = 86_400_000

async function signedIn(config: ReactiveAuthConfig, tasks: Record<string, Task> = {}) {
  const person = browser(application(config, tasks), { basePath: "/api/auth" })
  await person.signIn("credentials", alice)
  return person
}

/** A request as the browser would send it. */
function requestOf({ cookies, origin }: Browser): Request {
  const cookie = [...cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  return new Request(`${origin}/page`, { headers: { cookie } })
}

const refreshed = ({ response }: AnsweredEvent) =>
  response.headers.getSetCookie().map((line) => line.slice(0, line.indexOf("=")))

describe("the session of a request", () => {
  test("is null for nobody", async () => {
    expect(await getSession(new Request("https://app.example/"), configOf())).toBeNull()
  })

  test("is found under any prefix", async () => {
    const config = configOf({ prefix: "/deep/er/auth" })
    const person = browser(application(config), { basePath: "/deep/er/auth" })
    await person.signIn("credentials", alice)
    expect(await getSession(requestOf(person), config)).toMatchObject({ user: { name: "alice" } })
  })

  test("is found for a request whose URL is only a path", async () => {
    const config = configOf()
    const person = await signedIn(config)
    const headers = new Headers(requestOf(person).headers)
    headers.set("host", "app.example")
    headers.set("x-forwarded-proto", "https")
    expect(await getSession({ url: "/page", headers }, config)).toMatchObject({
      user: { name: "alice" },
    })
  })

  test("an error says its type, and its story to the server alone", async () => {
    const broken = () => {
      throw new Error("the database is at 10.0.0.7")
    }
    const person = await signedIn(configOf())
    const config = configOf({ callbacks: { session: broken } })
    const error = await getSession(requestOf(person), config).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toBeInstanceOf(Error)
    const { cause } = error as AuthError
    expect(cause?.err?.message).toContain("10.0.0.7")
    // SolidStart sends the own properties, and the message.
    const sent = Object.getOwnPropertyNames(error).map((name) =>
      Reflect.get(error as AuthError, name),
    )
    expect(Object.getOwnPropertyNames(error).sort()).toEqual(["kind", "message", "name", "type"])
    expect(JSON.stringify(sent)).not.toContain("10.0.0.7")
  })
})

test("a request that names no usable host is told so, and nothing of the server's code", async () => {
  const headers = { "x-forwarded-host": "no host/" }
  const request = new Request("https://app.example/", { headers })
  const error = await getSession(request, configOf()).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AuthError)
  const own = ["kind", "message", "name", "status", "type"]
  expect(Object.getOwnPropertyNames(error).sort()).toEqual(own)
})

describe("a session that was refreshed", () => {
  const page: Task = ({ request }) => getSession(request, config)
  const config = configOf({ session: { updateAge: 0 } })

  test("goes back with the answer of the page", async () => {
    const person = await signedIn(config, { "/page": page })
    const later = Date.now() + 20 * day
    await withClock(later, async () => {
      expect(await (await person.open("/page")).json()).toMatchObject({ user: { name: "alice" } })
    })
    const session = await withClock(later + 20 * day, () => getSession(requestOf(person), config))
    expect(session).not.toBeNull()
  })

  test("goes back with a fault, where the `jwt` callback changed it", async () => {
    const broken = () => {
      throw new Error("the database is down")
    }
    let generation = 0
    const jwt = ({ token }: { token: JWT }) => ({ ...token, generation: ++generation })
    const failing = configOf({ callbacks: { jwt, session: broken } })
    const person = await signedIn(failing)
    const event = eventFor(requestOf(person))
    await expect(getSession(event, failing)).rejects.toBeInstanceOf(AuthError)
    expect(refreshed(event)).toEqual(["__Secure-authjs.session-token"])
  })

  test("131 keeps the answer out of caches", async () => {
    const person = await signedIn(config, {})
    const event = eventFor(requestOf(person))
    event.response.headers.set("cache-control", "public, max-age=600")
    await during(event, () => getSession(event, config))
    expect(event.response.headers.get("cache-control")).toBe("private, no-store")
  })

  test("goes to the answer of its own request, and of no other", async () => {
    const person = await signedIn(config)
    const request = requestOf(person)
    const own = eventFor(request)
    await during(own, () => getSession(request, config))
    expect(refreshed(own)).toContain("__Secure-authjs.session-token")
    const other = eventFor(new Request("https://app.example/"))
    await during(other, () => getSession(request, config))
    expect(refreshed(other)).toEqual([])
  })

  test("goes to the event that is handed over, once, beside cookies of others", async () => {
    const person = await signedIn(config)
    const event = eventFor(requestOf(person))
    event.response.headers.append("set-cookie", "foreign=kept; Path=/")
    await getSession(event, config)
    await getSession(event, config)
    expect(refreshed(event)).toEqual(["foreign", "__Secure-authjs.session-token"])
  })

  test("is given without an answer, and when the answer is on its way", async () => {
    const person = await signedIn(config)
    const request = requestOf(person)
    const sessions: (Session | null)[] = [
      await getSession({ request }, config),
      await getSession(
        eventFor(request, { nativeEvent: { node: { res: { headersSent: true } } } }),
        config,
      ),
    ]
    expect(sessions.map((session) => session?.user?.name)).toEqual(["alice", "alice"])
  })
})

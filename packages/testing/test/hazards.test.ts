import type { Hazard, ScriptedProvider } from "@latchkey/testing"
import { hazards, scriptedProvider } from "@latchkey/testing"
import { afterEach, describe, expect, test } from "vitest"

const open: ScriptedProvider[] = []
afterEach(async () => {
  for (const provider of open.splice(0)) await provider.close()
})

/** The same provider reached in both ways. */
const ways = [
  ["in process", async () => await scriptedProvider()],
  [
    "over HTTP",
    async () => {
      const provider = await scriptedProvider()
      open.push(provider)
      await provider.listen()
      return provider
    },
  ],
] as const

function get(provider: ScriptedProvider, init?: RequestInit): Promise<Response> {
  const { discovery } = provider.endpoints
  return discovery.startsWith("https:") ? provider.fetch(discovery, init) : fetch(discovery, init)
}

describe.each(ways)("%s", (_, start) => {
  test("hang never answers, and lets go when the caller gives up", async () => {
    const provider = await start()
    provider.answer("discovery", "hang")
    const reason = new Error("enough")
    const gone = new AbortController()
    const answer = get(provider, { signal: gone.signal })
    const early = await Promise.race([
      answer,
      new Promise((done) => setTimeout(done, 50, "nothing")),
    ])
    expect(early).toBe("nothing")
    gone.abort(reason)
    await expect(answer).rejects.toBe(reason)
  })

  test("endless begins with the honest answer and goes on until the caller gives up", async () => {
    const provider = await start()
    provider.misbehave({ discovery: "endless" })
    const gone = new AbortController()
    const answer = await get(provider, { signal: gone.signal })
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    const first = await reader?.read()
    expect(first?.value).toContain(provider.issuer)
    expect((await reader?.read())?.value).toMatch(/^ +$/)
    gone.abort(new Error("enough"))
    await expect(
      (async () => {
        while (!(await reader?.read())?.done);
      })(),
    ).rejects.toThrow("enough")
  })

  test("oversized is valid JSON of more than a megabyte", async () => {
    const provider = await start()
    provider.misbehave({ discovery: "oversized" })
    const text = await (await get(provider)).text()
    expect(text.length).toBeGreaterThan(2 * 1024 * 1024)
    expect(JSON.parse(text)).toMatchObject({ issuer: provider.issuer })
  })

  test.each([
    ["redirect", 302],
    ["redirect-303", 303],
    ["redirect-307", 307],
  ] as const)("%s leads a client that follows to the honest answer", async (hazard, status) => {
    const provider = await start()
    provider.misbehave({ discovery: hazard })
    expect((await get(provider, { redirect: "manual" })).status).toBe(status)
    expect(await (await get(provider)).json()).toMatchObject({ issuer: provider.issuer })
    await expect(get(provider, { redirect: "error" })).rejects.toThrow("fetch failed")
  })

  test("a connection breaks", async () => {
    const provider = await start()
    provider.misbehave({ discovery: "network-error" })
    await expect(get(provider)).rejects.toThrow("fetch failed")
  })
})

test("a redirect away is followed by nobody who looks", async () => {
  const provider = await scriptedProvider()
  provider.misbehave({ token: "redirect-away" })
  const ask = { method: "POST", body: "code=secret" }
  await expect(provider.fetch(provider.endpoints.token, ask)).rejects.toThrow("fetch failed")
  expect(provider.requests.at(-1)).toMatchObject({ endpoint: "elsewhere", text: "code=secret" })
  expect(provider.requests.at(-1)?.url.hostname).toBe("evil.example")
})

test("an aborted signal stops a request before it starts", async () => {
  const provider = await scriptedProvider()
  const reason = new Error("too late")
  await expect(provider.fetch(provider.issuer, { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  )
  expect(provider.requests).toEqual([])
})

test("an answer replaces an endpoint, again and again, until it is taken back", async () => {
  const provider = await scriptedProvider()
  provider.answer("jwks", new Response("teapot", { status: 418 }))
  for (const _ of [1, 2])
    expect(await (await provider.fetch(provider.endpoints.jwks)).text()).toBe("teapot")
  provider.answer("jwks", undefined)
  expect((await provider.fetch(provider.endpoints.jwks)).status).toBe(200)
  expect(Object.keys(hazards) satisfies string[] as Hazard[]).toContain("hang")
})

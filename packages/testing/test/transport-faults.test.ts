import type { ScriptedProvider, TransportFault } from "@latchkey/testing"
import { createScriptedProvider, transportFaults } from "@latchkey/testing"
import { afterEach, describe, expect, test } from "vitest"

const openProviders: ScriptedProvider[] = []
afterEach(async () => {
  for (const provider of openProviders.splice(0)) await provider.close()
})

/** The same provider with both transports. */
const transports = [
  ["in process", async () => await createScriptedProvider()],
  [
    "over HTTP",
    async () => {
      const provider = await createScriptedProvider()
      openProviders.push(provider)
      await provider.listen()
      return provider
    },
  ],
] as const

function fetchDiscovery(provider: ScriptedProvider, init?: RequestInit): Promise<Response> {
  const { discovery } = provider.endpoints
  return discovery.startsWith("https:") ? provider.fetch(discovery, init) : fetch(discovery, init)
}

describe.each(transports)("%s", (_, start) => {
  test("hang never responds, and ends when the caller aborts", async () => {
    const provider = await start()
    provider.overrideEndpoint("discovery", "hang")
    const reason = new Error("enough")
    const controller = new AbortController()
    const responsePromise = fetchDiscovery(provider, { signal: controller.signal })
    const early = await Promise.race([
      responsePromise,
      new Promise((done) => setTimeout(done, 50, "nothing")),
    ])
    expect(early).toBe("nothing")
    controller.abort(reason)
    await expect(responsePromise).rejects.toBe(reason)
  })

  test("endless starts with the regular response and continues until the caller aborts", async () => {
    const provider = await start()
    provider.injectFaults({ discovery: "endless" })
    const controller = new AbortController()
    const response = await fetchDiscovery(provider, { signal: controller.signal })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const first = await reader?.read()
    expect(first?.value).toContain(provider.issuer)
    expect((await reader?.read())?.value).toMatch(/^ +$/)
    controller.abort(new Error("enough"))
    await expect(
      (async () => {
        while (!(await reader?.read())?.done);
      })(),
    ).rejects.toThrow("enough")
  })

  test("oversized is valid JSON of more than a megabyte", async () => {
    const provider = await start()
    provider.injectFaults({ discovery: "oversized" })
    const text = await (await fetchDiscovery(provider)).text()
    expect(text.length).toBeGreaterThan(2 * 1024 * 1024)
    expect(JSON.parse(text)).toMatchObject({ issuer: provider.issuer })
  })

  test.each([
    ["redirect", 302],
    ["redirect-303", 303],
    ["redirect-307", 307],
  ] as const)("%s leads a client that follows to the honest answer", async (hazard, status) => {
    const provider = await start()
    provider.injectFaults({ discovery: hazard })
    expect((await fetchDiscovery(provider, { redirect: "manual" })).status).toBe(status)
    expect(await (await fetchDiscovery(provider)).json()).toMatchObject({ issuer: provider.issuer })
    await expect(fetchDiscovery(provider, { redirect: "error" })).rejects.toThrow("fetch failed")
  })

  test("network-error breaks the connection", async () => {
    const provider = await start()
    provider.injectFaults({ discovery: "network-error" })
    await expect(fetchDiscovery(provider)).rejects.toThrow("fetch failed")
  })
})

test("a client that does not follow redirects never reaches the other host", async () => {
  const provider = await createScriptedProvider()
  provider.injectFaults({ token: "redirect-away" })
  const postRequest = { method: "POST", body: "code=secret" }
  await expect(provider.fetch(provider.endpoints.token, postRequest)).rejects.toThrow(
    "fetch failed",
  )
  expect(provider.requests.at(-1)).toMatchObject({ endpoint: "elsewhere", text: "code=secret" })
  expect(provider.requests.at(-1)?.url.hostname).toBe("evil.example")
})

test("an aborted signal stops a request before it starts", async () => {
  const provider = await createScriptedProvider()
  const reason = new Error("too late")
  await expect(provider.fetch(provider.issuer, { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  )
  expect(provider.requests).toEqual([])
})

test("an override replaces an endpoint until it is removed", async () => {
  const provider = await createScriptedProvider()
  provider.overrideEndpoint("jwks", new Response("teapot", { status: 418 }))
  for (const _ of [1, 2])
    expect(await (await provider.fetch(provider.endpoints.jwks)).text()).toBe("teapot")
  provider.overrideEndpoint("jwks", undefined)
  expect((await provider.fetch(provider.endpoints.jwks)).status).toBe(200)
  expect(Object.keys(transportFaults) satisfies string[] as TransportFault[]).toContain("hang")
})

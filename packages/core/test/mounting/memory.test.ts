/** What outlives a configuration that is made anew with each request. */
import type { AuthConfig } from "@latchkey/core"
import { createMount } from "@latchkey/core/mounting"
import { type ScriptedProvider, scriptedProvider } from "@latchkey/testing"
import { expect, test } from "vitest"

const url = "https://app.example/"

function made(provider: ScriptedProvider, changes: object = {}): AuthConfig {
  return {
    providers: [provider.asOidc(changes)],
    secret: "a secret of the application, long enough: 1",
    trustHost: true,
  }
}

test("the metadata of a provider is asked for once, however often it is described", async () => {
  const provider = await scriptedProvider()
  const mount = createMount({ basePath: "/auth" })
  for (let at = 0; at < 3; at++) {
    const { auth } = mount(made(provider), {})
    await auth.signIn({ headers: new Headers(), url, provider: "scripted" })
  }
  expect(provider.discoveryRequests).toHaveLength(1)
})

test("and again for a provider that is described otherwise, or asked in another way", async () => {
  const provider = await scriptedProvider()
  const mount = createMount({ basePath: "/auth" })
  const ask = async (config: AuthConfig) =>
    mount(config, {}).auth.signIn({ headers: new Headers(), url, provider: "scripted" })
  await ask(made(provider))
  await ask(made(provider, { userinfo: `${provider.asOptions().issuer}/elsewhere` }))
  expect(provider.discoveryRequests).toHaveLength(2)
})

test("one mount remembers nothing of another", async () => {
  const provider = await scriptedProvider()
  for (let at = 0; at < 2; at++) {
    const { auth } = createMount({ basePath: "/auth" })(made(provider), {})
    await auth.signIn({ headers: new Headers(), url, provider: "scripted" })
  }
  expect(provider.discoveryRequests).toHaveLength(2)
})

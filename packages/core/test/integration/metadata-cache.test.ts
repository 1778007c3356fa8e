/** Caches that outlive a configuration which is created for each request. */
import type { AuthConfig } from "@latchkey/core"
import { createAuthResolver } from "@latchkey/core/integration"
import { createScriptedProvider, type ScriptedProvider } from "@latchkey/testing"
import { expect, test } from "vitest"

const url = "https://app.example/"

function createConfig(provider: ScriptedProvider, changes: object = {}): AuthConfig {
  return {
    providers: [provider.asOidc(changes)],
    secret: "a secret of the application, long enough: 1",
    trustHost: true,
  }
}

test("the metadata of a provider is fetched once, however often the configuration is created", async () => {
  const provider = await createScriptedProvider()
  const mount = createAuthResolver({ basePath: "/auth" })
  for (let index = 0; index < 3; index++) {
    const { engine } = mount(createConfig(provider), {})
    await engine.signIn({ headers: new Headers(), url }, "scripted")
  }
  expect(provider.discoveryRequests).toHaveLength(1)
})

test("it is fetched once for each of a hundred tenants that sign in by turns", async () => {
  const provider = await createScriptedProvider()
  const mount = createAuthResolver({ basePath: "/auth" })
  for (let index = 0; index < 300; index++) {
    const id = `tenant-${index % 100}`
    const { engine } = mount(createConfig(provider, { id }), {})
    await engine.signIn({ headers: new Headers(), url }, id)
  }
  expect(provider.discoveryRequests).toHaveLength(100)
})

test("the metadata is fetched again for a provider with another configuration", async () => {
  const provider = await createScriptedProvider()
  const mount = createAuthResolver({ basePath: "/auth" })
  const ask = async (config: AuthConfig) =>
    mount(config, {}).engine.signIn({ headers: new Headers(), url }, "scripted")
  await ask(createConfig(provider))
  await ask(createConfig(provider, { userinfo: `${provider.asOptions().issuer}/elsewhere` }))
  expect(provider.discoveryRequests).toHaveLength(2)
})

test("resolvers share no metadata", async () => {
  const provider = await createScriptedProvider()
  for (let index = 0; index < 2; index++) {
    const { engine } = createAuthResolver({ basePath: "/auth" })(createConfig(provider), {})
    await engine.signIn({ headers: new Headers(), url }, "scripted")
  }
  expect(provider.discoveryRequests).toHaveLength(2)
})

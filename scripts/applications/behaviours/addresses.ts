/** The address of the application: proxies, trust, and other paths. */
import assert from "node:assert/strict"
import type { Scene } from "../scene.ts"
import { assertThere, type Chapter, sessionCookies, targetOf, withAnn } from "./behaviour.ts"

export const addresses: Chapter = {
  title: "Addresses",
  behaviours: [
    {
      name: "On `http://127.0.0.1`: no cookie asks for https",
      async prove(scene) {
        const visitor = await withAnn(scene)
        assert.deepEqual(sessionCookies(visitor), ["authjs.session-token"])
        assert.ok(!visitor.cookies.get("authjs.session-token")?.secure)
        assert.deepEqual(visitor.cookies.rejected, [])
      },
    },
    {
      name: "Forwarded headers that are not trusted are ignored",
      setting: "untrusted",
      async prove(scene) {
        const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" }
        const visitor = scene.visitor()
        for (const route of ["signin", "providers", "csrf"]) {
          const answer = await visitor.open(`${scene.basePath}/${route}`, { headers })
          const told = [...answer.headers.values(), await answer.text()].join("\n")
          assert.ok(!told.includes("evil.example"), route)
          assert.ok(!told.includes("__Host-"), route)
        }
      },
    },
    {
      name: "Behind a proxy that ends TLS and is trusted: the whole round",
      setting: "proxied",
      prove: proveRound,
    },
    {
      name: "Behind a proxy that ends TLS: cookies for https alone",
      setting: "proxied",
      prove: proveSecureCookies,
    },
    {
      name: "Behind a proxy that says nothing: the whole round with `AUTH_URL`",
      setting: "silent",
      prove: proveRound,
    },
    {
      name: "`AUTH_URL` wins over every header",
      setting: "silent",
      async prove(scene) {
        const headers = { "x-forwarded-host": "evil.example", host: "evil.example" }
        const answer = await scene.visitor().open(`${scene.basePath}/providers`, { headers })
        const told = await answer.text()
        assert.ok(told.includes(`${scene.origin}${scene.basePath}/callback/tenantidp`), told)
        assert.ok(!told.includes("evil.example"))
      },
    },
    { name: "On another path: the whole round", setting: "deep", prove: proveRound },
    {
      name: "On another path: the usual one is nobody's",
      setting: "deep",
      async prove(scene) {
        const answer = await scene.visitor().open(`${scene.application.basePath}/session`)
        assert.equal(answer.status, 404)
      },
    },
  ],
}

/** To the provider and back, and out again. */
async function proveRound(scene: Scene): Promise<void> {
  const visitor = scene.visitor()
  const authorization = await visitor.begin("tenantidp", { callbackUrl: "/members" })
  const redirectUri = authorization.searchParams.get("redirect_uri")
  assert.equal(redirectUri, `${scene.origin}${scene.basePath}/callback/tenantidp`)
  const back = await scene.tenant.approve(authorization)
  const answer = await visitor.open(back, { from: scene.tenant.origin })
  assert.equal(targetOf(answer, scene).href, `${scene.origin}/members`)
  await assertThere(scene, visitor, "Ada Lindqvist")
  await visitor.signOut()
  assert.equal(await visitor.session(), null)
}

async function proveSecureCookies(scene: Scene): Promise<void> {
  const visitor = await withAnn(scene)
  const own = [...visitor.cookies].filter(({ name }) => name.includes("authjs"))
  assert.ok(own.length >= 2)
  for (const { name, secure } of own) {
    assert.match(name, /^__(Host|Secure)-/)
    assert.ok(secure, name)
  }
}

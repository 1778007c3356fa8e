/** Sessions: read, changed and ended. */
import assert from "node:assert/strict"
import {
  assertNobody,
  assertThere,
  type Chapter,
  nameOf,
  sessionCookies,
  targetOf,
  withAnn,
} from "./behaviour.ts"

export const sessions: Chapter = {
  title: "Sessions",
  behaviours: [
    {
      name: "Nobody: the endpoint says `null`, the framework's reader too",
      prove: (scene) => assertNobody(scene, scene.visitor()),
    },
    {
      name: "Somebody: the endpoint and the framework's reader say the same",
      prove: async (scene) => assertThere(scene, await withAnn(scene), "Ann"),
    },
    {
      name: "Caches keep no session",
      async prove(scene) {
        const visitor = await withAnn(scene)
        const { headers } = await visitor.fetch(`${scene.basePath}/session`)
        assert.match(headers.get("cache-control") ?? "", /no-store/)
      },
    },
    {
      name: "An update changes it",
      async prove(scene) {
        const visitor = await withAnn(scene)
        const answer = await visitor.update({ name: "Annie" })
        assert.equal(answer.status, 200)
        await assertThere(scene, visitor, "Annie")
      },
    },
    {
      name: "Signing out ends it",
      async prove(scene) {
        const visitor = await withAnn(scene)
        const answer = await visitor.signOut({ callbackUrl: "/" })
        assert.equal(targetOf(answer, scene).href, `${scene.origin}/`)
        assert.deepEqual(sessionCookies(visitor), [])
        await assertNobody(scene, visitor)
      },
    },
    {
      name: "A large one takes several cookies, which all go at its end",
      async prove(scene) {
        const visitor = scene.visitor()
        const password = "correct horse battery staple"
        await visitor.signIn("credentials", { email: "big@example.com", password })
        assert.ok(sessionCookies(visitor).length >= 2, sessionCookies(visitor).join(" "))
        await assertThere(scene, visitor, "Big")
        await visitor.signOut()
        assert.deepEqual(sessionCookies(visitor), [])
      },
    },
    {
      name: "The framework's reader passes a renewed cookie on",
      setting: "deep",
      async prove(scene) {
        const visitor = await withAnn(scene)
        await scene.read(visitor)
        const renewed = visitor.setCookies.filter((line) => line.includes("session-token="))
        assert.equal(renewed.length, 1)
        await assertThere(scene, visitor, "Ann")
      },
    },
    {
      name: "In a database: read, changed and ended",
      setting: "database",
      async prove(scene) {
        const visitor = await withAnn(scene)
        await assertThere(scene, visitor, "Ann")
        const stolen = scene.visitor()
        for (const { name, value } of visitor.cookies) {
          stolen.cookies.plant(scene.origin, `${name}=${value}; Path=/`)
        }
        assert.equal(await nameOf(stolen), "Ann")
        await visitor.signOut()
        await assertNobody(scene, visitor)
        assert.equal(await nameOf(stolen), undefined)
      },
    },
  ],
}

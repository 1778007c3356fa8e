/** Signing in, in every way there is. */
import assert from "node:assert/strict"
import { ann, assertNobody, assertThere, type Chapter, targetOf } from "./behaviour.ts"

export const signingIn: Chapter = {
  title: "Signing in",
  behaviours: [
    {
      name: "The sign-in page offers every provider",
      async prove(scene) {
        const answer = await scene.visitor().open(`${scene.basePath}/signin`)
        const page = await answer.text()
        assert.equal(answer.status, 200)
        for (const way of ["Alder ID", "Plaza", "an e-mail link", "a password", "a PIN"]) {
          assert.ok(page.includes(way), `no way in with ${way}`)
        }
      },
    },
    {
      name: "OpenID Connect, with `oidc-provider`",
      async prove(scene) {
        const visitor = scene.visitor()
        const authorization = await visitor.begin("tenantidp", { callbackUrl: "/members" })
        const back = await scene.tenant.approve(authorization)
        const answer = await visitor.open(back, { from: scene.tenant.origin })
        assert.equal(targetOf(answer, scene).href, `${scene.origin}/members`)
        await assertThere(scene, visitor, "Ada Lindqvist")
      },
    },
    {
      name: "OAuth 2",
      async prove(scene) {
        const visitor = scene.visitor()
        const answer = await visitor.signIn(scene.social, { callbackUrl: "/members" })
        assert.equal(targetOf(answer, scene).href, `${scene.origin}/members`)
        await assertThere(scene, visitor, "Ada Lovelace")
      },
    },
    {
      name: "A link by e-mail",
      async prove(scene) {
        const visitor = scene.visitor()
        const asked = await visitor.signIn("nodemailer", { email: "eve@example.com" })
        assert.equal(targetOf(asked, scene).pathname, `${scene.basePath}/verify-request`)
        const [link = ""] = (await scene.mailbox.next()).links
        targetOf(await visitor.open(link), scene)
        assert.equal((await visitor.session())?.user?.email, "eve@example.com")
      },
    },
    {
      name: "The right password",
      async prove(scene) {
        const visitor = scene.visitor()
        const answer = await visitor.signIn("credentials", { ...ann, callbackUrl: "/members" })
        assert.equal(targetOf(answer, scene).href, `${scene.origin}/members`)
        await assertThere(scene, visitor, "Ann")
      },
    },
    {
      name: "Credentials of a provider with a name of its own",
      async prove(scene) {
        const visitor = scene.visitor()
        await visitor.signIn("pin", { pin: "4711" })
        await assertThere(scene, visitor, "Pia")
      },
    },
    {
      name: "A wrong password is told as `CredentialsSignin`, with its code",
      async prove(scene) {
        const visitor = scene.visitor()
        const answer = await visitor.signIn("credentials", { ...ann, password: "wrong" })
        const { pathname, searchParams } = targetOf(answer, scene)
        assert.equal(pathname, `${scene.basePath}/signin`)
        assert.equal(searchParams.get("error"), "CredentialsSignin")
        assert.equal(searchParams.get("code"), "credentials")
        await assertNobody(scene, visitor)
      },
    },
    {
      name: "The application's own code for what was wrong",
      async prove(scene) {
        const visitor = scene.visitor()
        const answer = await visitor.signIn("pin", { pin: "locked" })
        assert.equal(targetOf(answer, scene).searchParams.get("code"), "locked")
        await assertNobody(scene, visitor)
      },
    },
    {
      name: "Saying no at the provider leads back to the sign-in page",
      async prove(scene) {
        const visitor = scene.visitor()
        const answer = await visitor.open(scene.social.deny(await visitor.begin(scene.social)))
        const { pathname, searchParams } = targetOf(answer, scene)
        assert.equal(pathname, `${scene.basePath}/signin`)
        assert.ok(searchParams.get("error"))
        await assertNobody(scene, visitor)
      },
    },
    {
      name: "Afterwards nobody is led to another site",
      async prove(scene) {
        const visitor = scene.visitor()
        const callbackUrl = "https://evil.example/"
        const answer = await visitor.signIn("credentials", { ...ann, callbackUrl })
        assert.equal(targetOf(answer, scene).origin, scene.origin)
      },
    },
  ],
}

/** Sign-in with each kind of provider. */
import assert from "node:assert/strict"
import {
  annCredentials,
  assertSignedIn,
  assertSignedOut,
  type BehaviourGroup,
  resolveRedirect,
} from "./behaviour.ts"

export const signInBehaviours: BehaviourGroup = {
  title: "Signing in",
  behaviours: [
    {
      name: "The sign-in page offers every provider",
      async verify(fixture) {
        const response = await fixture.openBrowser().open(`${fixture.basePath}/signin`)
        const page = await response.text()
        assert.equal(response.status, 200)
        for (const method of ["Alder ID", "Plaza", "an e-mail link", "a password", "a PIN"]) {
          assert.ok(page.includes(method), `no way in with ${method}`)
        }
      },
    },
    {
      name: "OpenID Connect, with `oidc-provider`",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const authorization = await browser.startSignIn("tenantidp", { callbackUrl: "/members" })
        const callbackUrl = await fixture.tenant.approve(authorization)
        const response = await browser.open(callbackUrl, { from: fixture.tenant.origin })
        assert.equal(resolveRedirect(response, fixture).href, `${fixture.origin}/members`)
        await assertSignedIn(fixture, browser, "Ada Lindqvist")
      },
    },
    {
      name: "OAuth 2",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const response = await browser.signIn(fixture.social, { callbackUrl: "/members" })
        assert.equal(resolveRedirect(response, fixture).href, `${fixture.origin}/members`)
        await assertSignedIn(fixture, browser, "Ada Lovelace")
      },
    },
    {
      name: "A link by e-mail",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const response = await browser.signIn("nodemailer", { email: "eve@example.com" })
        assert.equal(
          resolveRedirect(response, fixture).pathname,
          `${fixture.basePath}/verify-request`,
        )
        const [link = ""] = (await fixture.mailbox.waitForMail()).links
        resolveRedirect(await browser.open(link), fixture)
        assert.equal((await browser.getSession())?.user?.email, "eve@example.com")
      },
    },
    {
      name: "The right password",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const response = await browser.signIn("credentials", {
          ...annCredentials,
          callbackUrl: "/members",
        })
        assert.equal(resolveRedirect(response, fixture).href, `${fixture.origin}/members`)
        await assertSignedIn(fixture, browser, "Ann")
      },
    },
    {
      name: "Credentials of a provider with its own id",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        await browser.signIn("pin", { pin: "4711" })
        await assertSignedIn(fixture, browser, "Pia")
      },
    },
    {
      name: "A wrong password results in `CredentialsSignin`, with its code",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const response = await browser.signIn("credentials", {
          ...annCredentials,
          password: "wrong",
        })
        const { pathname, searchParams } = resolveRedirect(response, fixture)
        assert.equal(pathname, `${fixture.basePath}/signin`)
        assert.equal(searchParams.get("error"), "CredentialsSignin")
        assert.equal(searchParams.get("code"), "credentials")
        await assertSignedOut(fixture, browser)
      },
    },
    {
      name: "The application's own error code",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const response = await browser.signIn("pin", { pin: "locked" })
        assert.equal(resolveRedirect(response, fixture).searchParams.get("code"), "locked")
        await assertSignedOut(fixture, browser)
      },
    },
    {
      name: "Declining at the provider leads back to the sign-in page",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const response = await browser.open(
          fixture.social.deny(await browser.startSignIn(fixture.social)),
        )
        const { pathname, searchParams } = resolveRedirect(response, fixture)
        assert.equal(pathname, `${fixture.basePath}/signin`)
        assert.ok(searchParams.get("error"))
        await assertSignedOut(fixture, browser)
      },
    },
    {
      name: "The callback URL never leads to another site",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const callbackUrl = "https://evil.example/"
        const response = await browser.signIn("credentials", { ...annCredentials, callbackUrl })
        assert.equal(resolveRedirect(response, fixture).origin, fixture.origin)
      },
    },
  ],
}

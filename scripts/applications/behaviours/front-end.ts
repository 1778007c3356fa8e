/** A front end on an origin of its own. */
import assert from "node:assert/strict"
import type { TestBrowser } from "@latchkey/testing"
import type { ApplicationFixture } from "../application-fixture.ts"
import { annCredentials, assertSignedOut, type BehaviourGroup, signInAnn } from "./behaviour.ts"

/** The origin that the configuration of the tests trusts. */
const trustedOrigin = "http://127.0.0.1:5173"

export const frontEndBehaviours: BehaviourGroup = {
  title: "A separate front end",
  behaviours: [
    {
      name: "A page of a trusted origin signs in, reads the session and signs out (Qwik 2: with JSON)",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const callbackUrl = `${trustedOrigin}/notes`
        const post = async (action: string, fields: Record<string, string>) => {
          const { csrfToken } = await getJson(browser, "csrf")
          return postFields(fixture, browser, action, { ...fields, csrfToken, callbackUrl })
        }
        const signInReply = await post("callback/credentials", annCredentials)
        assert.deepEqual(signInReply, { url: callbackUrl })
        assert.equal((await getJson(browser, "session")).user.name, "Ann")
        assert.deepEqual(await post("signout", {}), { url: callbackUrl })
        await assertSignedOut(fixture, browser)
      },
    },
    {
      name: "Scripts of another origin can read nothing",
      async verify(fixture) {
        const browser = await signInAnn(fixture)
        const from = "http://127.0.0.1:5174"
        for (const method of ["GET", "OPTIONS"]) {
          const response = await browser.fetch(browser.getRoutePath("session"), { from, method })
          assert.equal(response.headers.get("access-control-allow-origin"), null)
          assert.equal(response.headers.get("vary")?.includes("Origin"), true)
        }
      },
    },
  ],
}

async function getJson(browser: TestBrowser, action: string) {
  const response = await browser.fetch(browser.getRoutePath(action), { from: trustedOrigin })
  return assertReadable(response).json()
}

/**
 * Posts fields as the browser client does, after a preflight request. Qwik 2 itself refuses forms of all other origins,
 * so it gets JSON.
 */
async function postFields(
  { application }: ApplicationFixture,
  browser: TestBrowser,
  action: string,
  fields: Record<string, string>,
) {
  const path = browser.getRoutePath(action)
  const from = trustedOrigin
  const preflight = await browser.fetch(path, { from, method: "OPTIONS" })
  assert.equal(assertReadable(preflight).status, 204)
  const isJson = application.name === "qwik-2"
  const headers = {
    "x-auth-return-redirect": "1",
    ...(isJson && { "content-type": "application/json" }),
  }
  const body = isJson ? JSON.stringify(fields) : fields
  return assertReadable(await browser.fetch(path, { from, method: "POST", headers, body })).json()
}

function assertReadable(response: Response): Response {
  assert.equal(response.headers.get("access-control-allow-origin"), trustedOrigin)
  assert.equal(response.headers.get("access-control-allow-credentials"), "true")
  return response
}

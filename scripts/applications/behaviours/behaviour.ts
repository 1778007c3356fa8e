/** The words of the table. */
import assert from "node:assert/strict"
import type { TestBrowser } from "@latchkey/testing"
import type { ApplicationFixture, DeploymentName } from "../application-fixture.ts"

/** Something that every application does alike: a row of the table. */
interface Behaviour {
  readonly name: string
  /** The circumstances; plain ones unless others are named. */
  readonly deployment?: DeploymentName
  /** @throws AssertionError when it is not so */
  verify(fixture: ApplicationFixture): Promise<void>
}

/** Rows that belong together. */
export interface BehaviourGroup {
  readonly title: string
  readonly behaviours: readonly Behaviour[]
}

export const annCredentials = { email: "ann@example.com", password: "correct horse battery staple" }

/** Signs Ann in with her password. */
export async function signInAnn(fixture: ApplicationFixture): Promise<TestBrowser> {
  const browser = fixture.openBrowser()
  await browser.signIn("credentials", annCredentials)
  assert.equal(await readUserName(browser), "Ann")
  return browser
}

/** The name of who is signed in, as the session endpoint says. */
export async function readUserName(browser: TestBrowser): Promise<string | null | undefined> {
  return (await browser.getSession())?.user?.name
}

/** Where an answer leads to. */
export function resolveRedirect(response: Response, { origin }: ApplicationFixture): URL {
  const location = response.headers.get("location")
  assert.ok(location, `status ${response.status} leads nowhere`)
  assert.ok(response.status >= 302 && response.status <= 303, `redirects with ${response.status}`)
  return new URL(location, origin)
}

/** Asserts that somebody is signed in, in the eyes of the endpoint and of the framework's reader. */
export async function assertSignedIn(
  fixture: ApplicationFixture,
  browser: TestBrowser,
  name: string,
): Promise<void> {
  const session = await browser.getSession()
  assert.equal(session?.user?.name, name)
  const frameworkSession = await fixture.readSession(browser)
  assert.deepEqual(withoutExpires(frameworkSession), withoutExpires(session))
  assert.deepEqual(browser.cookies.rejected, [])
}

/** Asserts that nobody is signed in, in the eyes of both. */
export async function assertSignedOut(
  fixture: ApplicationFixture,
  browser: TestBrowser,
): Promise<void> {
  assert.equal(await browser.getSession(), null)
  assert.equal(await fixture.readSession(browser), null)
  assert.deepEqual(browser.cookies.rejected, [])
}

/** The end of a session moves while it is read. */
function withoutExpires(session: unknown): unknown {
  return { ...(session as object), expires: undefined }
}

/** The cookies that hold the session: one, or several parts. */
export function sessionCookieNames(browser: TestBrowser): string[] {
  return browser.cookies.names.filter((name) => /session-token(\.\d+)?$/.test(name))
}

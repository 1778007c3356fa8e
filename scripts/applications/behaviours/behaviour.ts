/** The types and assertions of the behaviour table. */
import assert from "node:assert/strict"
import type { TestBrowser } from "@latchkey/testing"
import type { ApplicationFixture, DeploymentName } from "../application-fixture.ts"
import type { Application } from "../catalogue.ts"

/** A row of the table: a behaviour that all applications share. */
interface Behaviour {
  readonly name: string
  /** The deployment, by default `plain`. */
  readonly deployment?: DeploymentName
  /** Why a framework cannot behave in this way. */
  readonly exceptions?: Readonly<Partial<Record<Application["framework"], string>>>
  /** @throws AssertionError if the application behaves differently */
  verify(fixture: ApplicationFixture): Promise<void>
}

/** A group of rows. */
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

/** Returns the name in the session, from the session endpoint. */
export async function readUserName(browser: TestBrowser): Promise<string | null | undefined> {
  return (await browser.getSession())?.user?.name
}

/** Returns the URL that a response redirects to. */
export function resolveRedirect(response: Response, { origin }: ApplicationFixture): URL {
  const location = response.headers.get("location")
  assert.ok(location, `status ${response.status} leads nowhere`)
  assert.ok(response.status >= 302 && response.status <= 303, `redirects with ${response.status}`)
  return new URL(location, origin)
}

/** Asserts that a user is signed in, according to the endpoint and to the framework's function. */
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

/** Asserts that nobody is signed in, according to both. */
export async function assertSignedOut(
  fixture: ApplicationFixture,
  browser: TestBrowser,
): Promise<void> {
  assert.equal(await browser.getSession(), null)
  assert.equal(await fixture.readSession(browser), null)
  assert.deepEqual(browser.cookies.rejected, [])
}

/** Removes the expiry, which changes with every access. */
function withoutExpires(session: unknown): unknown {
  return { ...(session as object), expires: undefined }
}

/** Returns the session cookies: one, or several chunks. */
export function sessionCookieNames(browser: TestBrowser): string[] {
  return browser.cookies.names.filter((name) => /session-token(\.\d+)?$/.test(name))
}

/** Every difference from Auth.js that the guide lists has a test, or a reason why it has none. */
import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const root = new URL("../../../", import.meta.url)
const core = (file: string): string => `packages/core/test/${file}.test.ts`
const compat = (file: string): string => `compat/authjs/test/${file}.test.ts`
const because = (reason: string): { reason: string } => ({ reason })

/** The beginnings of the rows, and where the difference is tested. */
const evidence: Readonly<Record<string, string | { reason: string }>> = {
  "A pending sign-in at a provider": compat("library-switch"),
  "Signing out from a page": compat("library-switch"),
  "Links that Auth.js sent": compat("library-switch"),
  "A signed-in user who signs in with another": core("accounts/link-request"),
  "An unverified address never links": core("accounts/linking"),
  "The first proof of an address": core("accounts/pre-registration"),
  "The built-in sign-in page shows one method": core("pages/returning-visitors"),
  "Attempts to sign in are limited": core("limits/attempt-limits"),
  "The built-in e-mail has a code": core("email/other-browser"),
  "`code` in a sign-in with an e-mail provider": core("email/code"),
  "`pages.verifyRequest` also receives": core("email/code-attempts"),
  "The page after an e-mail link was requested": core("email/check-your-email"),
  "A short token of your own": core("email/other-browser"),
  "No link is sent to a local domain": core("email/email-address"),
  "`emailVerified` is the date of the first": compat("adapters-sign-in"),
  "Signatures of ID tokens are verified": core("oauth/id-token"),
  "URLs of providers must use https": core("providers/endpoints"),
  "`redirect_uri`, `client_id` and other": core("oauth/authorization-request"),
  "Without an adapter, the id of a user": core("accounts/new-user"),
  "Credentials work with `strategy": core("credentials/database-sessions"),
  "The address that a new passkey user types": core("webauthn/typed-address"),
  "A passkey is refused if its": core("webauthn/hostile-responses"),
  "Used challenges stay among": core("webauthn/used-challenges"),
  "A provider's response that comes too late": core("oauth/expired-sign-in"),
  "Refused and declined requests to link": core("accounts/refused-links"),
  "A custom `pages.signIn` also receives": core("config/pages"),
  "`GET /auth` leads to the sign-in page": core("http/base-path-page"),
  "Built-in pages look different": "packages/pages/test/escaping.test.ts",
  "If a session cannot be checked": core("sessions/database-faults"),
  "A sign-out is final in its browser": core("sessions/late-session-read"),
  "Another name for the session cookie": core("cookies/attributes"),
  "Addresses with an international domain": core("accounts/one-mailbox"),
  "A session cookie that was sealed under another secret": core("sessions/ended-sessions"),
  "The `expires` of a cookie session": core("sessions/jwt-renewal"),
  "`updateAge` also applies": core("sessions/jwt-renewal"),
  "The `session` callback gets `trigger`": core("sessions/update"),
  "The stored session token is removed": core("sessions/callbacks"),
  "An expired database session is never": core("accounts/link-request"),
  "A session in cookies has at most 12 KB": core("sessions/session-size"),
  "With session cookies of two users": core("cookies/tossed-cookies"),
  "The cookies `pkceCodeVerifier` and": because("an option without effect has nothing to show"),
  "`session` does not set the cookies": core("http/routes"),
  "Keys are compared exactly": core("accounts/look-alike-keys"),
  "`secret` has at least 32 characters": core("config/secret"),
  "Invalid options refuse every request": core("config/options"),
  "A provider with an invalid option": core("config/refused-providers"),
  "`setEnvDefaults` puts copies": core("config/environment-providers"),
  "Links in e-mails lead to the origin": core("http/allowed-hosts"),
  "An `AUTH_URL` that is not an http(s) URL": core("config/action-url"),
  "A redirect proxy forwards only": core("providers/redirect-proxy"),
  "Messages in the log are worded": because("the wording is not compared"),
  "Paths of actions are exact": core("http/unknown-requests"),
  "`redirect` is not called if": core("http/redirect-callback"),
}

const guide = readFileSync(new URL("docs/migrating.md", root), "utf8")
const [, chapter = ""] = /^## What differs on purpose$(.*?)^## /ms.exec(guide) ?? []
const rows = chapter
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Difference"))
  .map((line) => line.slice(2))

test("each difference in the guide has a test or a reason, and nothing else has", () => {
  expect(rows.filter((row) => !Object.keys(evidence).some((each) => row.startsWith(each)))).toEqual(
    [],
  )
  expect(Object.keys(evidence).filter((each) => !rows.some((row) => row.startsWith(each)))).toEqual(
    [],
  )
})

test.each(Object.values(evidence).filter((each) => typeof each === "string"))(
  "%s exists",
  (file) => {
    expect(existsSync(new URL(file, root))).toBe(true)
  },
)

/** User handles, by which a device tells the users of a relying party apart. */
import { createHash } from "node:crypto"
import { createVirtualAuthenticator } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createPasskeyApp, PasskeyBrowser } from "../support/passkey-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

const refused = "https://app.example/auth/error?error=WebAuthnVerificationError"

async function registerAda(...parameters: Parameters<typeof createPasskeyApp>) {
  const app = await createPasskeyApp(...parameters)
  const ada = app.openPasskeyBrowser()
  await ada.register("ada@example.com")
  await ada.browser.signOut()
  return { ...app, ada }
}

/** The handle of passkeys that a user added: the text "latchkey:" and the hash of the user's id. */
const derivedHandle = (userId: string) =>
  Buffer.from("latchkey:").toString("base64url") +
  createHash("sha256").update(userId).digest("base64url")

test("the handle of an added passkey is derived from the user, and must not name another one", async () => {
  const { ada, rows, openPasskeyBrowser, log } = await registerAda()
  await ada.signIn()
  const id = String(rows("User")[0]?.["id"])
  const second = new PasskeyBrowser(ada.browser, createVirtualAuthenticator())
  const asked = await second.requestOptions({ action: "register", link: "true" })
  expect(asked.options?.user.id).toBe(derivedHandle(id))
  await second.sendResponse("register", await second.createResponse(asked))
  const bob = openPasskeyBrowser()
  await bob.register("bob@example.com")
  const [, bobs] = rows("User").map((row) => derivedHandle(String(row["id"])))

  await ada.browser.signOut()
  const foreign = await second.signIn({ userHandle: bobs ?? "" })
  expect(foreign.headers.get("location")).toBe(refused)
  expect(await ada.browser.getSession()).toBeNull()
  expect(log.toText()).toContain("a user handle of the passkey's user")
  await second.signIn()
  expect(await second.readName()).toBe("ada")
})

const authjsHandle = Buffer.from("0123456789abcdef".repeat(4)).toString("base64url")

test("the handle of the first passkey of a user is the one of its registration", async () => {
  const { ada, openPasskeyBrowser, log } = await registerAda()
  const bob = openPasskeyBrowser()
  const bobs = (await bob.requestOptions({ action: "register", name: "bob" })).options?.user.id
  for (const userHandle of [String(bobs), authjsHandle, "AAAA"]) {
    const foreign = await ada.signIn({ userHandle })
    expect(foreign.headers.get("location")).toBe(refused)
  }
  expect(log.toText()).toContain("a user handle of the passkey's user")
  await ada.signIn({ userHandle: "" })
  expect(await ada.readName()).toBe("ada")
  await ada.browser.signOut()
  await ada.signIn()
  expect(await ada.readName()).toBe("ada")
})

test.each([
  ["the own one", {}],
  ["one of Auth.js", { userHandle: authjsHandle }],
])("a handle cannot be compared if the database chose the id of the user: %s", async (_, twist) => {
  const { adapter, ...database } = await createTestDatabase()
  const createUser: typeof adapter.createUser = (user) =>
    adapter.createUser({ ...user, id: crypto.randomUUID() })
  const { ada } = await registerAda({ adapter: { ...adapter, createUser } })
  expect(database.rows("User")).toHaveLength(1)
  await ada.signIn(twist)
  expect(await ada.readName()).toBe("ada")
  await ada.browser.signOut()
  // This one tells whose it is.
  const foreign = await ada.signIn({ userHandle: derivedHandle("somebody else") })
  expect(foreign.headers.get("location")).toBe(refused)
  expect(await ada.browser.getSession()).toBeNull()
})

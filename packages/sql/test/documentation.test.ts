import { readFileSync } from "node:fs"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { expect, test } from "vitest"
import { createTemporaryFile, openTestDatabase } from "./support/sqlite-files.ts"
import { createSignedInUser, newUser } from "./support/test-records.ts"

const guide = readFileSync(new URL("../../../docs/adapters.md", import.meta.url), "utf8")
const [cleanUpBlock = "", moveBlock = ""] = [...guide.matchAll(/```sql\n([^`]*)```/g)].map(
  ([, statements]) => statements ?? "",
)

test("the guide's statements delete only expired rows", async () => {
  const database = openTestDatabase(":memory:")
  const adapter = SqlAdapter(database, { migrate: true })
  const { user, sessionToken } = await createSignedInUser(adapter)
  const expires = new Date(Date.now() - 1000)
  const later = new Date(Date.now() + 60_000)
  await adapter.createSession({ sessionToken: "old", userId: user.id, expires })
  await adapter.createVerificationToken({ identifier: "a", token: "old", expires })
  await adapter.createVerificationToken({ identifier: "a", token: "new", expires: later })
  database.exec(cleanUpBlock)
  expect(await adapter.getSessionAndUser("old")).toBeNull()
  expect(await adapter.getSessionAndUser(sessionToken)).not.toBeNull()
  expect(await adapter.useVerificationToken({ identifier: "a", token: "old" })).toBeNull()
  expect(await adapter.useVerificationToken({ identifier: "a", token: "new" })).not.toBeNull()
})

test("the guide's statements copy a well-known schema, and users stay signed in", async () => {
  const path = createTemporaryFile()
  const old = openTestDatabase(path)
  old.exec(`
    create table "User" (id text primary key, name text, email text unique, emailVerified text, image text);
    create table "Account" (id text primary key, userId text, type text, provider text,
      providerAccountId text, refresh_token text, access_token text, expires_at integer, token_type text,
      scope text, id_token text, session_state text);
    create table "Session" (id text primary key, userId text, sessionToken text unique, expires text);
    insert into "User" values ('u1', 'Ada', 'ada@example.test', '2026-01-02T03:04:05.678Z', null);
    insert into "User" values ('u2', null, '', null, 'https://i');
    insert into "Account" values ('a1', 'u1', 'oidc', 'tenantidp', 'sub-1', null, 'access', 1900000000,
      'bearer', 'openid', null, 'state "1"');
    insert into "Session" values ('s1', 'u1', 'token-1', '2030-01-01T00:00:00.001Z');
  `)
  const database = openTestDatabase(":memory:")
  await migrate(database)
  database.exec(moveBlock.replace("old.db", path))

  const adapter = SqlAdapter(database)
  const emailVerified = new Date("2026-01-02T03:04:05.678Z")
  const facts = { name: "Ada", email: "ada@example.test", emailVerified }
  const ada = newUser({ id: "u1", ...facts })
  expect(await adapter.getSessionAndUser("token-1")).toEqual({
    session: {
      sessionToken: "token-1",
      userId: "u1",
      expires: new Date("2030-01-01T00:00:00.001Z"),
    },
    user: ada,
  })
  expect(await adapter.getAccount("sub-1", "tenantidp")).toEqual({
    userId: "u1",
    type: "oidc",
    provider: "tenantidp",
    providerAccountId: "sub-1",
    access_token: "access",
    expires_at: 1_900_000_000,
    token_type: "bearer",
    scope: "openid",
    session_state: 'state "1"',
  })
  expect(await adapter.getUser("u2")).toMatchObject({ email: "", emailVerified: null })
})

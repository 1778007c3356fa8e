import { randomBytes } from "node:crypto"
import { createAuth } from "@latchkey/core"
import { migrate } from "@latchkey/sql"
import { describe, expect, test } from "vitest"
import { databaseKinds } from "./support/database-kinds.ts"
import { createRecordingAdapter } from "./support/recording-adapter.ts"
import { newUser } from "./support/test-records.ts"

const hour = 3_600_000
const secret = randomBytes(33).toString("base64")

describe.each(databaseKinds.filter(({ name }) => name !== "SQLite without RETURNING"))(
  "a session check on $name",
  (kind) => {
    // An update of MariaDB returns no row, so the session is read again: it may have ended meanwhile.
    const countWithRenewal = kind.name === "MariaDB" ? 3 : 2
    test.each([
      ["is one statement", 24 * 30 * hour, 1],
      ["is few statements when the expiry is due", 24 * 28 * hour, countWithRenewal],
    ])("%s", async (_, left, count) => {
      const opened = await kind.open()
      await migrate(opened.database)
      const { adapter, statements } = createRecordingAdapter(opened)
      const user = await adapter.createUser(newUser())
      const expires = new Date(Date.now() + left)
      await adapter.createSession({ sessionToken: "t", userId: user.id, expires })
      const auth = createAuth({ adapter, providers: [], secret, trustHost: true })
      const headers = new Headers({ cookie: "authjs.session-token=t" })
      statements.length = 0

      const { session } = await auth.getSession({ headers, url: new URL("http://localhost:3000/") })

      expect(session?.user).toMatchObject({ email: user.email })
      expect(statements.map(({ sql }) => sql)).toHaveLength(count)
      const found = await adapter.getSessionAndUser("t")
      expect(found?.session.expires.getTime()).toBeGreaterThanOrEqual(expires.getTime())
      if (count > 1) expect(found?.session.expires).not.toEqual(expires)
    })
  },
)

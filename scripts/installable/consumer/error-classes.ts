/** An error that one entry throws is an instance of the class that another entry exports. */
import assert from "node:assert/strict"
import { createAuth } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"

const headers = new Headers({ cookie: "__Host-authjs.session-token=0" })
const unconfigured = createAuth({ providers: [], secret: "", trustHost: true })
await assert.rejects(
  () => unconfigured.getSession({ headers, url: "https://app.example.com" }),
  (error) => error instanceof AuthError && error.type === "MissingSecret",
)

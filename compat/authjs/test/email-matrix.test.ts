/** What happens to links of Auth.js when something else opens them first, for docs/email.md. */
import { readFileSync } from "node:fs"
import { ExpressAuth } from "@auth/express"
import nodemailer from "@auth/express/providers/nodemailer"
import { expect, test } from "vitest"
import { testMatrices } from "../../../packages/express/test/email-matrix/matrix.ts"
import { baseConfig } from "./support/test-application.ts"

testMatrices([
  {
    name: "email-matrix-authjs",
    createMiddleware: ({ server, adapter }) =>
      ExpressAuth({
        ...baseConfig,
        providers: [nodemailer({ server, from: "hello@app.example" })],
        adapter,
        session: { strategy: "database" },
        logger: { error: () => undefined },
      }),
    ways: ["link"],
  },
])

test.each(["@auth/express", "@auth/core"])("docs/email.md names the version of %s", (name) => {
  const folder = "compat/authjs/node_modules"
  const { version } = JSON.parse(readFileSync(`${folder}/${name}/package.json`, "utf8"))
  expect(readFileSync("docs/email.md", "utf8")).toContain(`\`${name}\` ${version}`)
})

import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const folder = "compat/authjs/node_modules/@auth/core"

/** Modules that are no OAuth or OpenID Connect provider. */
const otherModules = [
  ...["index", "oauth", "provider-types", "credentials", "passkey", "webauthn"],
  ...["email", "forwardemail", "loops", "mailgun", "nodemailer", "postmark", "resend", "sendgrid"],
]

test("docs/comparison.md names the version of Auth.js and the number of its providers", () => {
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"))
  const providers = readdirSync(`${folder}/providers`)
    .filter((file) => file.endsWith(".js"))
    .filter((file) => !otherModules.includes(file.replace(/\.js$/, "")))
  const page = readFileSync("docs/comparison.md", "utf8")

  expect(page).toContain(`\`@auth/core\` ${version}`)
  expect(page).toMatch(
    new RegExp(String.raw`^\| Providers that are built in \| \d+ \| ${providers.length} \|`, "m"),
  )
})

/** Errors of drivers contain connection strings, whose passwords must not be printed. */
import { describe, expect, test } from "vitest"
import { redactSecrets } from "../src/redact-secrets.ts"
import { createConfigFiles, validEnvironment } from "./support/config-mistake.ts"
import { createFolder, runLatchkey } from "./support/run-latchkey.ts"

const password = "hunter2-hunter2"
const url = `postgres://app:${password}@db.internal:5432/app`

describe("the password of", () => {
  test.each([
    ["a URL", url],
    ["a URL without a user", `redis://:${password}@cache:6379`],
    ["a URL in quotes", `Invalid URL: "${url}"`],
    ["two hosts", `mongodb://app:${password}@a:1,b:2/app and ${url}`],
    ["a password with @ and /", `mysql://app:pa@ss/${password}@db/app`],
    ["a token instead of a user", `libsql://${password}@db.example`],
    ["a connection string", `Server=db;User=sa;Password=${password};Encrypt=true`],
    ["options", `{ user: 'app', password: '${password}' }`],
    ["options with a quoted name", `{ 'pwd': "${password}" }`],
    ["options with an escaped quote", `{ password: 'it\\'s ${password}' }`],
    ["JSON", `{"user":"app","password":"${password}","port":1}`],
    ["JSON with an escaped quote", `{"password": "a\\"${password}"}`],
    ["YAML", `password: ${password}`],
    ["a name with a prefix", `db_password=${password}, {"dbPassword":"${password}"}`],
    ["nested JSON", JSON.stringify({ error: JSON.stringify({ password }) })],
    ["twice nested JSON", JSON.stringify([JSON.stringify([JSON.stringify({ password })])])],
    ["a quoted connection string that ends in a backslash", `Password="${password}\\";`],
    ["a quoted connection string", `host=db password='${password}' user=app`],
  ])("%s is redacted", (_, text) => {
    const redacted = redactSecrets(`could not connect to ${text}: refused`, {})
    expect(redacted).not.toContain(password)
    expect(redacted).toMatch(/^could not connect to .*\[redacted\].*refused$/)
  })

  test.each([password, "p%40ss%20word1", "s3cret with spaces"])(
    "a variable, %s, is redacted wherever it is",
    (value) => {
      const env = { DATABASE_URL: `postgres://app:${value}@db/app` }
      for (const text of [value, decodeURIComponent(value)])
        expect(redactSecrets(`near '${text}'`, env)).toBe("near '[redacted]'")
    },
  )

  test("the path of the folder is no password, although its variable is PWD", () => {
    const env = { PWD: "/srv/apps/shop", OLDPWD: "/srv/apps", DB_PWD: password }
    const text = `/srv/apps/shop/.env cannot be written: ${password}`
    expect(redactSecrets(text, env)).toBe("/srv/apps/shop/.env cannot be written: [redacted]")
  })

  test("a line of YAML is redacted, even if the password is a word", () => {
    expect(redactSecrets("db:\n  db_password: hunter\n  port: 1", {})).toBe(
      "db:\n  db_password: [redacted]\n  port: 1",
    )
  })

  test.each(["Wrong password: try again", "No password: set one.", "password: required (pwd: no)"])(
    "%s is no password",
    (text) => expect(redactSecrets(`Error: ${text}`, {})).toBe(`Error: ${text}`),
  )

  test("nothing else changes", () => {
    const text = "GET https://app.example:8443/auth returned 404 for ann@example.com (password?)"
    expect(redactSecrets(text, { ...process.env, PORT: "8443", A: "http://x:@y" })).toBe(text)
  })
})

test.each(["secret", "characters", "command", "latchkey"])(
  "the doctor's own sentences stay whole if AUTH_SECRET and a password are %s",
  async (word) => {
    const env = {
      AUTH_SECRET: word,
      DB_PASSWORD: word,
      DATABASE_URL: `postgres://app:${word}@db/app`,
    }
    const { out } = await runLatchkey(["doctor"], createFolder(createConfigFiles("")), env)
    expect(out).toContain("Expected `secret` to have at least 32 characters that nobody can guess")
    expect(out).toContain("npx @latchkey/cli secret")
    expect(out).not.toContain("[redacted]")
  },
)

const fail = `async () => {
  throw new Error("connect failed: ${url}", { cause: new Error("password is ${password}") })
}`
const failingAdapter = `adapter: {
  getUserByEmail: ${fail}, deleteExpired: ${fail},
  [Symbol.for("latchkey.maintenance")]: { migrate: ${fail}, sql: ${fail} },
}`

describe.each([
  ["in a query", createConfigFiles(failingAdapter)],
  ["at the import", { "auth.mjs": `throw new TypeError("Invalid URL: ${url}")` }],
  ["as no Error", { "auth.mjs": `throw "Invalid URL: ${url}"` }],
  [
    "in the configuration function",
    { "auth.mjs": `export default () => { throw new Error("${url}") }` },
  ],
])("an error with a connection string %s", (_, files) => {
  test.each(["doctor", "doctor --json", "migrate", "sweep"])(
    "%s does not print it",
    async (command) => {
      const env = { ...validEnvironment, DATABASE_URL: url }
      const { status, out, err } = await runLatchkey(command.split(" "), createFolder(files), env)
      expect(status).toBe(1)
      expect(out + err).toContain("[redacted]")
      expect(out + err).not.toContain(password)
      if (command.includes("--json")) expect(JSON.parse(out).findings).not.toEqual([])
    },
  )
})

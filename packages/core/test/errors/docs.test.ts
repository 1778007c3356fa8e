/** `docs/errors` has a page for every error, problem and warning, and no others; `docs/errors.md` lists them. */
import { readdirSync, readFileSync } from "node:fs"
import * as errors from "@latchkey/core/errors"
import type { WarningCode } from "@latchkey/core/types"
import { expect, test } from "vitest"
import { checkEach } from "../support/check-each.ts"

const repository = new URL("../../../../", import.meta.url)
const errorList = readFileSync(new URL("docs/errors.md", repository), "utf8")

/** The pages, by the name of their file. */
const pages = new Map(
  readdirSync(new URL("docs/errors/", repository)).map((file) => [
    file.replace(/\.md$/, ""),
    readFileSync(new URL(`docs/errors/${file}`, repository), "utf8"),
  ]),
)

const { isClientError, ...classes } = errors

/** One entry for each warning: the compiler holds the list to the type. */
const warningCodes: Record<WarningCode, true> = {
  "attempt-limits": true,
  "auth-url-port": true,
  "authorization-denied": true,
  "authorization-parameter-dropped": true,
  "color-contrast": true,
  "csrf-disabled": true,
  "debug-enabled": true,
  "email-link-host": true,
  "env-url-basepath-mismatch": true,
  "env-url-basepath-redundant": true,
  "experimental-webauthn": true,
  "insecure-origin": true,
  "mount-mismatch": true,
  "node-env": true,
  "picture-dropped": true,
  "provider-sign-out": true,
  "sign-in-response-ignored": true,
  IgnoredOption: true,
  IncompleteProvider: true,
  UnknownOption: true,
}

const errorPages = [...pages].filter(([name]) => !Object.hasOwn(warningCodes, name))
const [, failureList = ""] = errorList.split("## Failures of a sign-in")
const failurePages = errorPages.filter(([name]) => failureList.includes(`(errors/${name}.md)`))

test("every error class and every warning has a page, and there are no other pages", () => {
  const names = [...Object.keys(classes), ...Object.keys(warningCodes)]
  expect([...pages.keys()].sort()).toEqual(names.sort())
})

test("the list links to every page once", () => {
  const listed = [...errorList.matchAll(/^\| \[([\w-]+)\]\(errors\/\1\.md\) \| /gm)].map(
    ([, name]) => name,
  )
  expect(listed.sort()).toEqual([...pages.keys()].sort())
})

test("each page begins with its name, and the list repeats what it means", () =>
  checkEach(pages, (page, name) => {
    expect(page).toMatch(new RegExp(`^# ${name}\n\n`))
    const text = page.replaceAll("](../", "](").replaceAll(/\s+/g, " ")
    const [, meaning = ""] =
      errorList.match(new RegExp(`^\\| \\[${name}\\]\\S+ \\| (.+) \\|$`, "m")) ?? []
    expect(meaning).not.toBe("")
    expect(text.startsWith(`# ${name} ${meaning}`)).toBe(true)
  }))

test("each page explains how to fix it", () =>
  checkEach(pages, (text) => expect(text).toMatch(/\*\*Fix:\*\* [A-Z`].{5}/)))

test("the page of each error explains its usual cause", () =>
  checkEach(errorPages, (text) => expect(text).toMatch(/\*\*Usual cause:\*\* [A-Z`].{5}/)))

test("the page of each failed sign-in explains what visitors see and what happens to sessions", () =>
  checkEach(failurePages, (text) => {
    expect(text).toMatch(/\*\*Users see:\*\* \S/)
    expect(text).toMatch(/\*\*Sessions\*\* \S/)
  }))

test("the page of each error shows the URL that follows from its class", () =>
  checkEach(errorPages, (text, name) => {
    const [Class] = Object.entries(classes).flatMap(([key, each]) => (key === name ? [each] : []))
    const error: Error = Object.create(Class?.prototype ?? null, { type: { value: Class?.type } })
    const own = [
      Class?.kind === "signIn" ? "signin" : "error",
      isClientError(error) ? Class?.type : "Configuration",
    ]
    const shown = [...text.matchAll(/`\/auth\/(signin|error)\?error=(\w+)/g)]
    for (const [, action, code] of shown) expect([action, code]).toEqual(own)
  }))

test("every error names the command that prints its page", () => {
  const commands = [...pages.keys()].map((name) => `npx @latchkey/cli explain ${name}`)
  for (const Class of Object.values(classes)) {
    const error: errors.AuthError = Object.create(Class.prototype, { type: { value: Class.type } })
    expect(commands).toContain(error.docs)
  }
})

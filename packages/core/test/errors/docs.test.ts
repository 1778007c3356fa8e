/** `docs/errors.md` has a heading for every error, problem and warning, and no others. */
import { readFileSync } from "node:fs"
import * as errors from "@latchkey/core/errors"
import type { WarningCode } from "@latchkey/core/types"
import { expect, test } from "vitest"

const errorDocs = readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8")

/** The texts below the headings of the third level, by heading. */
const sections = new Map(
  errorDocs
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [heading = "", ...lines] = section.split("\n")
      const end = lines.findIndex((line) => line.startsWith("## "))
      return [heading, lines.slice(0, end === -1 ? lines.length : end).join("\n")]
    }),
)

const { isClientError, ...classes } = errors

/** One entry for each warning: the compiler holds the list to the type. */
const warningCodes: Record<WarningCode, true> = {
  "attempt-limits": true,
  "authjs-logger": true,
  "authorization-parameter-dropped": true,
  "csrf-disabled": true,
  "debug-enabled": true,
  "email-link-host": true,
  "env-url-basepath-mismatch": true,
  "env-url-basepath-redundant": true,
  "experimental-webauthn": true,
  "insecure-origin": true,
  IgnoredOption: true,
  IncompleteProvider: true,
  UnknownOption: true,
}

test("every error class and every warning has a heading, and there are no other headings", () => {
  const names = [...Object.keys(classes), ...Object.keys(warningCodes)]
  expect([...sections.keys()].sort()).toEqual(names.sort())
})

test("headings are unique", () => {
  expect(errorDocs.match(/^### /gm)).toHaveLength(sections.size)
})

const sectionEntries = [...sections]
const errorSections = sectionEntries.filter(([name]) => !Object.hasOwn(warningCodes, name))
const failureSections = errorSections.filter(
  ([name]) => errorDocs.indexOf(`### ${name}\n`) > errorDocs.indexOf("## Failures of a sign-in"),
)

test.each(sectionEntries)("%s explains how to fix it", (_, text) => {
  expect(text).toMatch(/\*\*Fix:\*\* [A-Z`].{5}/)
})

test.each(errorSections)("%s explains its usual cause", (_, text) => {
  expect(text).toMatch(/\*\*Usual cause:\*\* [A-Z`].{5}/)
})

test.each(failureSections)(
  "%s explains what visitors see and what happens to sessions",
  (_, text) => {
    expect(text).toMatch(/\*\*Users see:\*\* \S/)
    expect(text).toMatch(/\*\*Sessions\*\* \S/)
  },
)

test.each(errorSections)("%s has the anchor that follows from its class", (name, text) => {
  const [Class] = Object.entries(classes).flatMap(([key, each]) => (key === name ? [each] : []))
  const error: Error = Object.create(Class?.prototype ?? null, { type: { value: Class?.type } })
  const own = [
    Class?.kind === "signIn" ? "signin" : "error",
    isClientError(error) ? Class?.type : "Configuration",
  ]
  const shown = [...text.matchAll(/`\/auth\/(signin|error)\?error=(\w+)/g)]
  for (const [, action, code] of shown) expect([action, code]).toEqual(own)
})

test("every error links to its heading", () => {
  const anchors = [...sections.keys()].map((heading) => `docs/errors.md#${heading.toLowerCase()}`)
  for (const Class of Object.values(classes)) {
    const error: errors.AuthError = Object.create(Class.prototype, { type: { value: Class.type } })
    expect(anchors).toContain(error.docs)
  }
})

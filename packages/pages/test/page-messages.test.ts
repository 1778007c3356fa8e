import english from "@latchkey/pages/languages/en"
import { expect, test } from "vitest"
import { formatMessage } from "../src/messages/format-message.ts"
import type { Text } from "../src/messages/messages.ts"
import { createPageMessages, strong } from "../src/messages/page-messages.ts"

const { text, markup } = createPageMessages(english)

test("a text has its values in place of the placeholders", () => {
  expect(text("signInWith", { provider: "Alder ID" })).toBe("Sign in with Alder ID")
  expect(text("signInButton")).toBe("Sign in")
})

test("the values of a text are escaped and isolated in HTML", () => {
  expect(markup("signInWith", { provider: "<b>&" }).text).toBe(
    "Sign in with <bdi>&lt;b&gt;&amp;</bdi>",
  )
  expect(markup("continueTo", { site: strong("app.example") }).text).toBe(
    "to continue to <strong><bdi>app.example</bdi></strong>",
  )
})

test("the text itself is escaped", () => {
  const messages = { ...english.messages, or: "or <i>" }
  expect(createPageMessages({ ...english, messages }).markup("or").text).toBe("or &lt;i&gt;")
})

test("a value is not searched for placeholders, and unknown placeholders stay", () => {
  expect(formatMessage("{a} {b} {constructor}", { a: "{b}", b: "2" }).join("")).toBe(
    "{b} 2 {constructor}",
  )
})

test("a text without its placeholder does not compile", () => {
  const complete: Text<"a" | "b"> = "{b} and {a}"
  // @ts-expect-error: {b} is missing
  const incomplete: Text<"a" | "b"> = "{a}"
  expect(complete).not.toBe(incomplete)
})

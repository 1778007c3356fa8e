import { assertRefused, getRedirectError } from "@latchkey/testing"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { normalizeEmailAddress } from "../../src/flows/email/email-address.ts"
import { anyCharacter } from "../support/any-character.ts"
import { createEmailApp, type EmailApp } from "../support/email-app.ts"
import { propertyRuns } from "../support/property-runs.ts"

const nulCharacter = String.fromCharCode(0)
const hostileAddresses: Readonly<Record<string, string>> = {
  "a header after a line break": "ada@example.com\r\nBcc: mallory@evil.example",
  "a line break at its end": "ada@example.com\n",
  "a carriage return": "ada\r@example.com",
  "a NUL": `ada@example.com${nulCharacter}.evil.example`,
  "a tab": "ada\t@example.com",
  "white space inside": "ada @example.com",
  "a no-break space": "ada\u00a0@example.com",
  "an invisible character": "ada\u200b@example.com",
  "an invisible letter": "ada\u3164@example.com",
  "a variation selector in the domain": "ada@exam\ufe0fple.com",
  "a right-to-left override": "ada\u202e@example.com",
  "a quoted local part": '"ada@example.com"@evil.example',
  "a quote": 'ada"@example.com',
  "a list with a comma": "ada@example.com,mallory@evil.example",
  "a list in the domain": "mallory@evil.example,example.com",
  "a list with a semicolon": "ada@example.com;mallory@evil.example",
  "a full-width comma": "mallory@evil.example\uff0cexample.com",
  "angle brackets": "Ada <ada@example.com>",
  "a route": "<@evil.example:ada@example.com>",
  "a comment": "ada(comment)@example.com",
  "a group": "friends:ada@example.com;",
  "several @ signs": "ada@evil.example@example.com",
  "a second @ sign that is full-width": "ada@evil.example\uff20example.com",
  "a full-width @ sign": "ada\uff20example.com",
  "a small @ sign": "ada\ufe6bexample.com",
  "no @ sign": "ada.example.com",
  "nothing before the @ sign": "@example.com",
  "nothing after the @ sign": "ada@",
  "an address literal": "ada@[127.0.0.1]",
  "a percent hack": "ada%evil.example@example.com",
  "a bang path": "evil.example!ada@example.com",
  "a backslash": "ada\\@example.com",
  "a command": "ada|sh@example.com",
  "two dots": "ada@example..com",
  "this machine as domain": "root@localhost",
  "a name of this machine as domain": "root@mail.localhost",
  "a domain of the local network": "root@mailserver",
  "a domain of one character": "root@a",
  "an IP address as domain": "root@127.0.0.1",
  "an IP address with a hexadecimal part as domain": "root@127.0.0.0x1",
  "an IP address with an empty hexadecimal part as domain": "root@127.0.0.0X",
  "a domain that ends in a number": "root@example.1",
  "a domain that ends in a dot": "root@example.",
  "a domain that begins with a dot": "root@.com",
  "a full-width domain of this machine": "root@ｌｏｃａｌｈｏｓｔ",
  "a hyphen at the start": "-ada@example.com",
  "an option of a mail program": "-oQ/tmp@example.com",
  "a full-width hyphen at the start": "\uff0dada@example.com",
  "a dot at the start": ".ada@example.com",
  markup: "<script>alert(1)</script>@example.com",
  "an encoded word": "=?utf-8?q?ada=40evil.example=2c?=@example.com",
  "321 characters": `${"a".repeat(309)}@example.com`,
  "50 kB": `${"a".repeat(50_000)}@example.com`,
  nothing: "",
  "spaces only": "   ",
}

/** An application that records the calls of its callbacks. */
async function createRecordingApp(changes: Parameters<typeof createEmailApp>[1] = {}) {
  const received: string[] = []
  const app = await createEmailApp(
    {
      callbacks: {
        signIn() {
          received.push("signIn")
          return true
        },
      },
      rateLimit() {
        received.push("rateLimit")
        return true
      },
    },
    changes,
  )
  return { ...app, asked: received }
}

async function expectNothingHappened(app: EmailApp & { asked: string[] }) {
  expect(app.asked).toEqual([])
  expect(app.calls).toEqual([])
  expect(app.inbox.messages).toEqual([])
}

test.each([
  ["ann@b\u00fccher.example", "ann@xn--bcher-kva.example"],
  ["Ann@BU\u0308CHER.example", "ann@xn--bcher-kva.example"],
  ["ann@xn--bcher-kva.example", "ann@xn--bcher-kva.example"],
  ["b\u00fccher@example.com", "b\u00fccher@example.com"],
])("%s is the mailbox %s", (typed, mailbox) => {
  expect(normalizeEmailAddress(typed)).toBe(mailbox)
})

describe("an address is refused before any callback, e-mail or database write if it has", () => {
  test.each(Object.entries(hostileAddresses))("%s", async (_, address) => {
    const app = await createRecordingApp()
    const response = await app.requestLink(app.openBrowser(), address)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("InvalidEmail")
    await expectNothingHappened(app)
  })

  test.each([
    ["an array", ["ada@example.com"]],
    ["an object", { $ne: null }],
    ["a number", 7],
    ["true", true],
    ["null", null],
    ["nothing", undefined],
  ])("the shape of %s", async (_, email) => {
    const app = await createRecordingApp()
    const ada = app.openBrowser()
    const response = await ada.fetch("/auth/signin/nodemailer", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken: await ada.getCsrfToken(), email }),
    })
    assertRefused(response)
    await expectNothingHappened(app)
  })

  test.each([
    "white space inside",
    "a list with a comma",
    "angle brackets",
    "several @ signs",
    "a NUL",
    "a hyphen at the start",
  ])("%s, even if the application's `normalizeIdentifier` accepts everything", async (name) => {
    const app = await createRecordingApp({ normalizeIdentifier: (typed) => typed })
    assertRefused(await app.requestLink(app.openBrowser(), hostileAddresses[name]))
    await expectNothingHappened(app)
  })

  test("a local domain, unless the application's `normalizeIdentifier` accepts it", async () => {
    const app = await createEmailApp({}, { normalizeIdentifier: (typed) => typed })
    await app.requestLink(app.openBrowser(), "root@mailserver")
    expect(app.inbox.messages.map(({ to }) => to)).toEqual([["root@mailserver"]])
  })

  test("what the application's `normalizeIdentifier` throws for", async () => {
    const app = await createRecordingApp({
      normalizeIdentifier(typed) {
        if (typed.endsWith("@app.example")) return typed
        throw new Error("colleagues only")
      },
    })
    assertRefused(await app.requestLink(app.openBrowser(), "ada@example.com"))
    await expectNothingHappened(app)
    await app.requestLink(app.openBrowser(), "ada@app.example")
    expect(app.inbox.messages).toHaveLength(1)
  })
})

describe("the user of an address", () => {
  test("is the same with other letter case, width and surrounding spaces", async () => {
    const app = await createEmailApp()
    const spellings = [
      "ada@example.com",
      "ADA@Example.COM",
      " ada@example.com ",
      "ａｄａ@example.com",
    ]
    for (const spelling of spellings) {
      const browser = app.openBrowser()
      await browser.open(await app.receiveLink(browser, spelling))
      expect(await browser.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
    }
    expect(app.inbox.messages.map(({ to }) => to)).toEqual(spellings.map(() => ["ada@example.com"]))
    expect(app.rows("User")).toHaveLength(1)
  })

  test("is another one for domains and names that only look alike", async () => {
    const app = await createEmailApp()
    const addresses = [
      "ada@example.com",
      "ada@ex\u0430mple.com",
      "\u0430da@example.com",
      "ada@example.co",
    ]
    for (const address of addresses) {
      const browser = app.openBrowser()
      await browser.open(await app.receiveLink(browser, address))
    }
    const stored = addresses.map((address) => address.replace("ex\u0430mple", "xn--exmple-4nf"))
    expect(app.rows("User").map(({ email }) => email)).toEqual(stored)
  })

  test("an accepted address is one plain address, and stays unchanged if it is normalized again", () => {
    const word = fc.stringMatching(/^[\p{L}\p{N}.+_'-]{1,20}$/u)
    const typed = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc.tuple(word, word).map(([local, domain]) => `${local}@${domain}`),
    )
    fc.assert(
      fc.property(typed, (text) => {
        let address: string
        try {
          address = normalizeEmailAddress(text)
        } catch {
          return
        }
        expect(normalizeEmailAddress(address)).toBe(address)
        expect(address).toMatch(/^[^\s\p{Cc}\p{Cf},;:"<>()@]+@[^\s\p{Cc}\p{Cf},;:"<>()@]+$/u)
      }),
      { numRuns: propertyRuns(2000) },
    )
  })
})

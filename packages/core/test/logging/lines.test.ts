import nodemailer from "@latchkey/core/providers/nodemailer"
import { afterEach, describe, expect, test, vi } from "vitest"
import { linkingHouse } from "../support/linking-house.ts"
import { ada, passwordDoor } from "../support/password-door.ts"

afterEach(() => void vi.restoreAllMocks())

const escapeCode = String.fromCharCode(27)
const forged = "[auth][error] forged"
/** What a stranger sends to begin a line of their own, or to steer the terminal of whoever reads it. */
const hostile = [
  `a\n${forged}`,
  `a\r\n${forged}`,
  `a\r${forged}`,
  `a\u2028${forged}`,
  `a\u2029${forged}`,
  `a\u0085${forged}`,
  `a\u000b${forged}`,
  `${escapeCode}[2J${escapeCode}[31m${forged}`,
  `a\u009b2J${forged}`,
  `a\u0000\u0007\u0008${forged}`,
  `a\u202e${forged}`,
  `a\n    at ${forged} (file.ts:1:1)`,
].join(" ")

const unsafe = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** Every text in a log, but for the stacks, whose frames are on lines of their own. */
function texts(value: unknown, name = ""): string[] {
  if (typeof value === "string") return name === "stack" ? value.split("\n") : [value]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...texts(item, key)])
}

function stacks(value: unknown, name = ""): string[] {
  if (typeof value === "string") return name === "stack" ? [value] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => stacks(item, key))
}

/** Sends the text wherever a stranger can. */
async function attack(providerId: "credentials" | "work", at: ReturnType<typeof passwordDoor>) {
  const visitor = at.visitor()
  const text = encodeURIComponent(hostile)
  for (const path of [
    `nowhere/${text}`,
    `signin?callbackUrl=${text}&error=${text}`,
    `error?error=${text}`,
    `callback/${text}`,
    `callback/${providerId}?error=${text}&error_description=${text}&code=${text}&state=${text}`,
    `callback/nodemailer?token=${text}&email=${text}`,
    `session?${text}=${text}`,
  ]) {
    await visitor.open(`/auth/${path}`)
  }
  const fields = { name: hostile, password: hostile, email: hostile, [hostile]: hostile }
  await visitor.signIn(providerId, fields)
  await visitor.signIn("nodemailer", fields)
  const csrfToken = await visitor.csrf()
  await visitor.post(`/auth/signin/${providerId}?${text}=${text}`, { csrfToken, ...fields })
  const headers = { "content-type": "application/json", "user-agent": text, referer: text }
  const body = JSON.stringify({ csrfToken, data: { [hostile]: hostile } })
  await visitor.fetch("/auth/session", { method: "POST", headers, body })
  for (const name of ["__Secure-authjs.session-token", "__Secure-authjs.callback-url", "other"]) {
    await visitor.fetch("/auth/session", { headers: { cookie: `${name}=${text}` } })
  }
}

/** Fails with a text of a stranger, though not with one that was typed: that would be redacted. */
function repeating(word = hostile.replaceAll("forged", "FORGED")) {
  return () =>
    Promise.reject(Object.assign(new Error(`cannot do ${word}`), { [word]: word, detail: word }))
}

describe("135 what a stranger sent", () => {
  test("ends no line and steers no terminal, whatever is logged", async () => {
    const door = passwordDoor(repeating(), { debug: true })
    await attack("credentials", door)
    expect(door.log.text()).toMatch(/forged/i)
    expect(texts(door.log.lines).filter((text) => unsafe.test(text))).toEqual([])
    expect(stacks(door.log.lines).filter((stack) => /forged/i.test(stack))).toEqual([])
  })

  test("is no frame of a stack, although the message was changed since", async () => {
    const door = passwordDoor(() => {
      const error = new Error("cannot check:\n    at the-password-that-was-typed (file.ts:1:1)")
      const { stack } = error
      return Promise.reject(Object.assign(error, { message: "wrapped", stack }))
    })
    await door.visitor().signIn("credentials", { password: "the-password-that-was-typed" })
    expect(stacks(door.log.lines).length).toBeGreaterThan(1)
    expect(door.log.text()).not.toContain("the-password-that-was-typed")
  })

  test("ends no line when a provider, a database or a callback repeats it", async () => {
    const house = await linkingHouse({ debug: true })
    house.config.providers = [
      ...house.config.providers,
      nodemailer({
        server: "smtp://127.0.0.1:1",
        normalizeIdentifier: repeating() as unknown as () => string,
      }),
    ]
    house.work.user({ ...ada, sub: "ada", name: hostile, email: hostile, [hostile]: hostile })
    const visitor = house.visitor()
    const denied = await visitor.begin(house.work)
    await visitor.open(house.work.deny(denied, { error: hostile, error_description: hostile }))
    await visitor.signIn(house.work)
    house.fail("getUserByAccount", { error: new Error(hostile, { cause: new Error(hostile) }) })
    await visitor.signIn(house.work)
    await attack("work", { ...house, asked: [] })
    expect(house.log.text()).toMatch(/forged/i)
    expect(texts(house.log.lines).filter((text) => unsafe.test(text))).toEqual([])
  })

  test("begins no line of the console", async () => {
    const written: string[] = []
    for (const level of ["error", "warn", "log"] as const) {
      vi.spyOn(console, level).mockImplementation((...parts) => void written.push(parts.join(" ")))
    }
    const door = passwordDoor(repeating(), { debug: true, logger: {} })
    await attack("credentials", door)
    const lines = written.flatMap((text) => text.split(/[\n\r\u2028\u2029\u0085]/))
    expect(written.join()).toMatch(/forged/i)
    expect(lines.filter((line) => /^\s*(?:at )?\[auth\]\[error\] forged/i.test(line))).toEqual([])
    const own = new RegExp(`${escapeCode}\\[(?:31|33|90|0)m`, "g")
    expect(lines.filter((line) => unsafe.test(line.replace(own, "")))).toEqual([])
  })
})

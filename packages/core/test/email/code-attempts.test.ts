/** How often the code of an e-mail can be guessed, in parallel, by others, and with adapters that are not exact. */
import type { Adapter, VerificationToken } from "@latchkey/core/adapters"
import type { TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  address,
  type CodeApp,
  changeCode,
  createCodeApp,
  dropSession,
  enterCode,
  enterCodeForLink,
  getAddress,
  getCodeProblem,
} from "../support/code-app.ts"
import { createFoldingAdapter } from "../support/folding-adapter.ts"
import { openMigratedDatabase } from "../support/migrated-database.ts"

const range = (length: number) => Array.from({ length }, (_, index) => index)
const withoutLimits = { attemptLimits: false } as const

async function openApp(...options: Parameters<typeof createCodeApp>) {
  const app = await createCodeApp(options[0], { ...withoutLimits, ...options[1] })
  return { app, ada: app.openBrowser() }
}

/** Guesses wrong codes at once, and returns how many were compared. The fifth one says that no attempt is left. */
async function guessAtOnce(browser: TestBrowser, code: string, count: number) {
  const responses = await Promise.all(
    range(count).map((by) => enterCode(browser, changeCode(code, by + 1))),
  )
  return responses.map(getCodeProblem).filter(({ reason }) => reason === "incorrect")
}

describe("the attempts for a code", () => {
  test("are five, however many guesses arrive at once", async () => {
    const { app, ada } = await openApp()
    const { code } = await app.receive(ada)
    const compared: Record<string, string>[] = []
    for (let round = 0; round < 6; round += 1) compared.push(...(await guessAtOnce(ada, code, 64)))
    expect(compared.map(({ attempts }) => Number(attempts)).sort()).toEqual([1, 2, 3, 4])
    await enterCode(ada, code)
    expect(await getAddress(ada)).toBeNull()
  })

  test("are shared by the browser that requested it and all that open the link", async () => {
    const { app, ada } = await openApp()
    const { link, code } = await app.receive(ada)
    for (const by of [1, 2]) await enterCode(ada, changeCode(code, by))
    for (const by of [3, 4, 5])
      await enterCodeForLink(app.openBrowser(), link, changeCode(code, by))
    await enterCode(ada, code)
    await enterCodeForLink(app.openBrowser(), link, code)
    expect(app.rows("Session")).toEqual([])
  })

  test("are those of one e-mail: another request neither adds nor removes any", async () => {
    const { app, ada } = await openApp()
    const first = await app.receive(ada)
    for (const by of [1, 2, 3, 4, 5]) await enterCode(ada, changeCode(first.code, by))
    const second = await app.receive(ada)
    await enterCode(ada, first.code)
    expect(await getAddress(ada)).toBeNull()
    await enterCode(ada, second.code)
    expect(await getAddress(ada)).toBe(address)
  })

  test("are made for the three latest requests of a browser at most", async () => {
    const { app, ada } = await openApp()
    const first = await app.receive(ada)
    for (let count = 0; count < 3; count += 1) await app.receive(ada)
    await enterCode(ada, first.code)
    expect(await getAddress(ada)).toBeNull()
    await ada.open(first.link)
    expect(await getAddress(ada)).toBe(address)
  })

  test("lead to one session when the right code is submitted many times at once", async () => {
    const { app, ada } = await openApp()
    const { code } = await app.receive(ada)
    await Promise.all(range(16).map(() => enterCode(ada, code)))
    expect(app.rows("Session")).toHaveLength(1)
    expect(app.rows("VerificationToken")).toEqual([])
  })

  test("lead to one session when link and code are used at once", async () => {
    const { app, ada } = await openApp()
    const other = app.openBrowser()
    const { link, code } = await app.receive(ada)
    await Promise.all([
      ada.open(link),
      enterCode(ada, code),
      enterCodeForLink(other, link, code),
      ada.open(link),
    ])
    expect(app.rows("Session")).toHaveLength(1)
  })
})

describe("the limits of attempts", () => {
  const limits = {
    "email-code": { identifier: { max: 3, window: 86_400 }, identifierAndNetwork: false },
  } as const

  const countRefusals = async (app: CodeApp, browser: TestBrowser, email = address) => {
    const { code } = await app.receive(browser, email)
    const refusals = []
    for (let by = 1; by <= 4; by += 1) {
      const response = await enterCode(browser, changeCode(code, by), { email })
      refusals.push(new URL(response.headers.get("location") ?? "").searchParams.get("error"))
    }
    return refusals.filter((error) => error === "TooManyRequests").length
  }

  test("count all codes for an address, in any browser and of any e-mail", async () => {
    const app = await createCodeApp({}, { attemptLimits: limits })
    expect(await countRefusals(app, app.openBrowser())).toBe(1)
    expect(await countRefusals(app, app.openBrowser())).toBe(4)
    expect(await countRefusals(app, app.openBrowser(), "bob@example.com")).toBe(1)
  })

  test("do not keep the owner from opening the link", async () => {
    const app = await createCodeApp({}, { attemptLimits: limits })
    for (let count = 0; count < 2; count += 1) await countRefusals(app, app.openBrowser())
    const ada = app.openBrowser()
    await ada.open((await app.receive(ada)).link)
    expect(await getAddress(ada)).toBe(address)
  })

  test("are not used up by who has requested no e-mail for the address", async () => {
    const app = await createCodeApp({}, { attemptLimits: limits })
    const mallory = app.openBrowser()
    await app.receive(mallory, "mallory@example.com")
    const { link } = await app.receive(app.openBrowser(), "carl@example.com")
    for (let by = 0; by < 8; by += 1) {
      await enterCode(mallory, changeCode("111111", by))
      link.searchParams.set("token", "0".repeat(64))
      link.searchParams.set("email", address)
      await enterCodeForLink(app.openBrowser(), link, "111111")
    }
    const ada = app.openBrowser()
    await enterCode(ada, (await app.receive(ada)).code)
    expect(await getAddress(ada)).toBe(address)
  })

  test("count only codes that are compared: five for each e-mail", async () => {
    const onlyAccount = {
      "email-code": { ...limits["email-code"], identifier: { max: 6, window: 86_400 } },
    }
    const app = await createCodeApp({}, { attemptLimits: onlyAccount })
    const mallory = app.openBrowser()
    const { code } = await app.receive(mallory)
    for (let by = 1; by <= 60; by += 1) await enterCode(mallory, changeCode(code, by))
    const ada = app.openBrowser()
    await enterCode(ada, (await app.receive(ada)).code)
    expect(await getAddress(ada)).toBe(address)
  })

  test("count the address in the body, whatever the query says", async () => {
    const app = await createCodeApp({}, { attemptLimits: limits })
    const ada = app.openBrowser()
    const { code } = await app.receive(ada)
    const csrfToken = await ada.getCsrfToken()
    for (let by = 1; by <= 4; by += 1) {
      const fields = { email: address, code: changeCode(code, by), csrfToken }
      await ada.post(`/auth/callback/email?email=other${by}@example.com`, fields)
    }
    await ada.post("/auth/callback/email?email=x@example.com", { email: address, code, csrfToken })
    expect(await getAddress(ada)).toBeNull()
  })

  test("make a browser known only for the address that the code has proved", async () => {
    const app = await createCodeApp({}, { attemptLimits: limits })
    const mallory = app.openBrowser()
    const { code } = await app.receive(mallory, "mallory@example.com")
    await mallory.post(`/auth/callback/email?email=${address}`, {
      email: "mallory@example.com",
      code,
      csrfToken: await mallory.getCsrfToken(),
    })
    expect(await getAddress(mallory)).toBe("mallory@example.com")
    await countRefusals(app, app.openBrowser())
    expect(await countRefusals(app, mallory)).toBe(4)
  })

  test("are of the application, too: `rateLimit` refuses a code as it refuses a link", async () => {
    const actions: unknown[] = []
    const rateLimit = ({ action, identifier }: { action: string; identifier?: string }) => {
      actions.push([action, identifier])
      return action !== "email-link"
    }
    const { app, ada } = await openApp({}, { rateLimit })
    await enterCode(ada, (await app.receive(ada)).code)
    expect(await getAddress(ada)).toBeNull()
    expect(actions).toEqual([
      ["email-request", address],
      ["email-link", address],
    ])
  })
})

/** Compares only the parts of a key that `isSame` compares. */
function createLooseAdapter(
  { createVerificationToken, ...adapter }: Required<Adapter>,
  isSame: (row: VerificationToken, key: { identifier: string; token: string }) => boolean,
  deletesOthers: "never" | "when it stores one" | "after it has used one",
): Adapter {
  let rows: VerificationToken[] = []
  let lateDeletion = ""
  const deleteAll = (identifier: string) => {
    rows = rows.filter((row) => row.identifier !== identifier)
  }
  return {
    ...adapter,
    createVerificationToken: async (row) => {
      if (deletesOthers === "when it stores one") deleteAll(row.identifier)
      rows.push(row)
      return row
    },
    useVerificationToken: async (key) => {
      deleteAll(lateDeletion)
      const row = rows.find((each) => isSame(each, key))
      rows = rows.filter((each) => each !== row)
      if (row && deletesOthers === "after it has used one") lateDeletion = row.identifier
      return row ?? null
    },
  }
}

type LooseAdapterOptions = [
  isSame: Parameters<typeof createLooseAdapter>[1],
  deletesOthers: Parameters<typeof createLooseAdapter>[2],
]

const isSameKey: LooseAdapterOptions[0] = (row, key) =>
  row.identifier === key.identifier && row.token === key.token

describe.each([
  ["compares the address only", (row, key) => row.identifier === key.identifier, "never"],
  ["compares the token only", (row, key) => row.token === key.token, "never"],
  ["deletes the other tokens of an address when it stores one", isSameKey, "when it stores one"],
  // As the one for Sequelize does.
  [
    "deletes the other tokens of an address after it has used one",
    isSameKey,
    "after it has used one",
  ],
] satisfies readonly [string, ...LooseAdapterOptions][])(
  "with an adapter that %s",
  (_, isSame, deletesOthers) => {
    const openLooseApp = async () => {
      const opened = await openApp()
      const { adapter } = opened.app
      Object.assign(adapter, createLooseAdapter({ ...adapter }, isSame, deletesOthers))
      return opened
    }

    test("a code has five attempts, of which the last may be right", async () => {
      for (const wrong of [4, 5]) {
        const { app, ada } = await openLooseApp()
        await app.receive(ada, "first@example.com")
        const { code } = await app.receive(ada)
        for (let by = 1; by <= wrong; by += 1) await enterCode(ada, changeCode(code, by))
        await enterCode(ada, code)
        expect(await getAddress(ada)).toBe(wrong === 4 ? address : null)
      }
    })

    test("guesses at once are compared five times at most", async () => {
      const { app, ada } = await openLooseApp()
      const { code } = await app.receive(ada)
      const compared = []
      for (let round = 0; round < 6; round += 1)
        compared.push(...(await guessAtOnce(ada, code, 16)))
      expect(compared.length).toBeLessThanOrEqual(4)
    })

    test("a link signs in at once, and elsewhere with its code", async () => {
      const { app, ada } = await openLooseApp()
      // Until a function has sent its first e-mail, nobody knows that it shows the code: the link is stored twice.
      await app.receive(ada, "first@example.com")
      await ada.open((await app.receive(ada)).link)
      expect(await getAddress(ada)).toBe(address)
      const other = app.openBrowser()
      const { link, code } = await app.receive(ada)
      await other.post(link, { csrfToken: await other.getCsrfToken() })
      expect(await getAddress(other)).toBeNull()
      await enterCodeForLink(other, link, code)
      expect(await getAddress(other)).toBe(address)
    })
  },
)

test("a database that ignores case and accents takes no code for that of another address", async () => {
  const { app, ada } = await openApp()
  Object.assign(app.adapter, createFoldingAdapter(openMigratedDatabase()))
  const { code } = await app.receive(ada, "bob@example.com")
  await app.receive(ada, "bób@example.com")
  await enterCode(ada, code, { email: "bób@example.com" })
  expect(await getAddress(ada)).toBeNull()
  await enterCode(ada, code, { email: "bob@example.com" })
  expect(await getAddress(ada)).toBe("bob@example.com")
  dropSession(ada)
})

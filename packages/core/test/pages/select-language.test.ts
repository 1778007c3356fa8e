import { Auth, type AuthConfig } from "@latchkey/core"
import type { Language } from "@latchkey/pages"
import english from "@latchkey/pages/languages/en"
import { describe, expect, test } from "vitest"
import { asUntypedConfig } from "../support/broken-configurations.ts"
import { createMemoryLog, type MemoryLog } from "../support/memory-log.ts"
import { testSiteSecret } from "../support/test-site.ts"

const german: Language = {
  tag: "de",
  messages: { ...english.messages, signInHeading: "Anmelden" },
}
const hebrew: Language = {
  tag: "he",
  direction: "rtl",
  messages: { ...english.messages, signInHeading: "כניסה" },
}

async function openSignInPage(
  options: Partial<AuthConfig>,
  acceptLanguage = "he, de;q=0.5",
  path = "signin",
): Promise<{ html: string; log: MemoryLog }> {
  const log = createMemoryLog()
  const headers = { "accept-language": acceptLanguage }
  const request = new Request(`https://app.example/auth/${path}`, { headers })
  const config = { providers: [], secret: testSiteSecret, trustHost: true, logger: log.logger }
  const response = await Auth(request, { ...config, ...options })
  return { html: await response.text(), log }
}

const languages = [german, hebrew]

describe("the built-in pages", () => {
  test("are English without languages", async () => {
    const { html } = await openSignInPage({})
    expect(html).toContain('<html lang="en" dir="ltr">')
    expect(html).toContain("<title>Sign in</title>")
  })

  test("are in the language that the browser prefers", async () => {
    const { html } = await openSignInPage({ languages })
    expect(html).toContain('<html lang="he" dir="rtl">')
    expect(html).toContain("<title>כניסה</title>")
  })

  test("are in the first language for a browser that prefers none of them", async () => {
    for (const acceptLanguage of ["fr, it", "", "*", "he;q=0", ";;;,,=".repeat(1000)]) {
      const { html } = await openSignInPage({ languages }, acceptLanguage)
      expect(html).toContain('<html lang="de" dir="ltr">')
    }
  })

  test("are in the language that the application chooses", async () => {
    const language = ({ url }: Request) => new URL(url).searchParams.get("lang") ?? undefined
    const open = async (path: string) =>
      (await openSignInPage({ languages, language }, "he", path)).html
    expect(await open("signin?lang=de-CH")).toContain('<html lang="de"')
    expect(await open("signin?lang=fr")).toContain('<html lang="he"')
    expect(await open("signin")).toContain('<html lang="he"')
  })

  test("follow the browser if the function of the application throws, which is logged", async () => {
    const language = () => {
      throw new Error("no locale")
    }
    const { html, log } = await openSignInPage({ languages, language })
    expect(html).toContain('<html lang="he"')
    expect(JSON.stringify(log.lines)).toContain("no locale")
  })

  test("have the texts that the application replaces, in the first language", async () => {
    const messages = { signInHeading: "Log in <3" }
    expect((await openSignInPage({ messages })).html).toContain("<title>Log in &lt;3</title>")
    expect((await openSignInPage({ languages, messages })).html).toContain("<title>כניסה</title>")
    expect((await openSignInPage({ languages, messages }, "de")).html).toContain("Log in")
  })

  test("are in the language of the browser, too, if the configuration is invalid", async () => {
    const { html } = await openSignInPage({ languages, basePath: "/auth", secret: "" })
    expect(html).toContain('<html lang="he" dir="rtl">')
  })

  test.each([() => Symbol("de"), () => ({}), () => 5, () => ["de"]])(
    "follow the browser if the function of the application returns no text: %s",
    async (language) => {
      const { html } = await openSignInPage(asUntypedConfig({ languages, language }))
      expect(html).toContain('<html lang="he"')
    },
  )

  test("have the default texts where an application in JavaScript has none", async () => {
    const messages = { signInTo: undefined, noSignInMethods: 5 }
    const { html } = await openSignInPage(asUntypedConfig({ messages }))
    expect(html).toContain("<h1>Sign in to ")
    expect(html).toContain("There is no way to sign in yet.")
  })

  test("ignore what is no language, and fill in missing texts", async () => {
    // `Intl` throws for the tag `de_DE`, which would keep e-mails from being sent.
    const invalidTag = { ...german, tag: "de_DE" }
    const broken = ["de", null, invalidTag, { tag: "he", messages: { or: "או" } }]
    const { html } = await openSignInPage(asUntypedConfig({ languages: broken }))
    expect(html).toContain('<html lang="he" dir="ltr">')
    expect(html).toContain("<title>Sign in</title>")
  })
})

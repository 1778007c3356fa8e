/** An application whose e-mails carry codes, and what it sends, in place of a mail server. */
import type { EmailConfig } from "@latchkey/core/providers"
import type { TestBrowser } from "@latchkey/testing"
import { createTestApp, type TestApp, type TestAppConfig } from "./test-app.ts"
import { createTestDatabase, type TestDatabase } from "./test-database.ts"

export const address = "ada@example.com"

interface SentEmail {
  readonly to: string
  readonly link: URL
  /** Undefined if the e-mail carries none. */
  readonly code: string | undefined
}

export interface CodeApp extends TestDatabase, TestApp {
  /** What was sent, newest last. */
  readonly sent: SentEmail[]
  /** Requests an e-mail, and returns it. */
  receive(browser: TestBrowser, email?: string): Promise<{ link: URL; code: string }>
}

/** @param options of the provider. By default, its e-mails carry the code. */
export async function createCodeApp(
  options: Partial<EmailConfig> = {},
  changes: Partial<TestAppConfig> = {},
): Promise<CodeApp> {
  const sent: SentEmail[] = []
  const database = await createTestDatabase()
  const provider: EmailConfig = {
    id: "email",
    name: "Email",
    type: "email",
    sendsCode: !options.sendVerificationRequest,
    ...options,
    async sendVerificationRequest(request) {
      await options.sendVerificationRequest?.(request)
      sent.push({ to: request.identifier, link: new URL(request.url), code: request.code })
    },
  }
  const app = createTestApp({ adapter: database.adapter, providers: [provider], ...changes })
  return {
    ...database,
    ...app,
    sent,
    async receive(browser, email = address) {
      const response = await browser.signIn("email", { email })
      const { link, code = "" } = sent.at(-1) ?? {}
      if (!link) throw new Error(`No e-mail was sent: ${response.headers.get("location")}`)
      return { link, code }
    },
  }
}

/** Submits a code in the browser that requested it. */
export async function enterCode(
  browser: TestBrowser,
  code: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  const csrfToken = await browser.getCsrfToken()
  return browser.post("/auth/callback/email", { email: address, code, csrfToken, ...fields })
}

/** Submits a code in a browser that has opened the link. */
export async function enterCodeForLink(
  browser: TestBrowser,
  link: URL,
  code: string,
): Promise<Response> {
  return browser.post(link, { code, csrfToken: await browser.getCsrfToken() })
}

/** Returns another code. */
export const changeCode = (code: string, by = 1): string =>
  String((Number(code) + by) % 1_000_000).padStart(6, "0")

/** Returns the parameters of the page that a refused code leads to. */
export function getCodeProblem(response: Response): Record<string, string> {
  const location = response.headers.get("location") ?? "https://app.example"
  const { searchParams } = new URL(location, "https://app.example")
  const names = ["error", "reason", "attempts"]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = searchParams.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

/** Ends the session of a browser, which keeps its other cookies. */
export function dropSession({ cookies }: TestBrowser): void {
  cookies.delete("__Secure-authjs.session-token")
}

export const getAddress = async (browser: TestBrowser): Promise<string | null> =>
  (await browser.getSession())?.user?.email ?? null

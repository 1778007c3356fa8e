/** An application with sign-in links by e-mail, sent through a real mail server. */
import nodemailer, { type NodemailerOptions } from "@latchkey/core/providers/nodemailer"
import { createMailbox, type Mailbox, type TestBrowser } from "@latchkey/testing"
import { onTestFinished } from "vitest"
import { createTestApp, type TestApp, type TestAppConfig } from "./test-app.ts"
import { createTestDatabase, type TestDatabase } from "./test-database.ts"

export interface EmailApp extends TestDatabase, TestApp {
  readonly inbox: Mailbox
  /** Requests a link, as the form of the sign-in page does. */
  requestLink(
    browser: TestBrowser,
    address?: string,
    fields?: Record<string, string>,
  ): Promise<Response>
  /** Requests a link and returns it from the e-mail. */
  receiveLink(browser: TestBrowser, address?: string, fields?: Record<string, string>): Promise<URL>
}

/** @param hasCode whether the e-mails carry a code besides their link, as those of applications do */
export async function createEmailApp(
  changes: Partial<TestAppConfig> = {},
  options: Partial<NodemailerOptions> = {},
  hasCode = false,
): Promise<EmailApp> {
  const inbox = await createMailbox()
  onTestFinished(() => inbox.close())
  const database = await createTestDatabase()
  const builtIn = nodemailer({ server: inbox.server, from: "hello@app.example", ...options })
  const provider = { ...builtIn, ...(!hasCode && { sendsCode: false }) }
  const app = createTestApp({ adapter: database.adapter, providers: [provider], ...changes })
  const requestLink: EmailApp["requestLink"] = (
    browser,
    address = "ada@example.com",
    fields = {},
  ) => browser.signIn("nodemailer", { email: address, ...fields })
  return {
    ...database,
    ...app,
    inbox,
    requestLink,
    async receiveLink(browser, address, fields) {
      const sentBefore = inbox.messages.length
      const response = await requestLink(browser, address, fields)
      if (inbox.messages.length === sentBefore) {
        throw new Error(`No mail was sent: ${response.headers.get("location")}`)
      }
      return new URL(inbox.getLatestLink())
    },
  }
}

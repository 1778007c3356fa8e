/** An application whose people sign in with links by e-mail, sent through a real mail server. */
import nodemailer, { type NodemailerOptions } from "@latchkey/core/providers/nodemailer"
import { type Browser, type Mailbox, mailbox } from "@latchkey/testing"
import { onTestFinished } from "vitest"
import { type Application, type ApplicationConfig, application } from "./application.ts"
import { type World, world } from "./world.ts"

export interface PostOffice extends World, Application {
  readonly box: Mailbox
  /** Asks for a link, as the form of the sign-in page does. */
  ask(who: Browser, address?: string, fields?: Record<string, string>): Promise<Response>
  /** Asks for a link and takes it out of the mail. */
  link(who: Browser, address?: string, fields?: Record<string, string>): Promise<URL>
}

export async function postOffice(
  changes: Partial<ApplicationConfig> = {},
  options: Partial<NodemailerOptions> = {},
): Promise<PostOffice> {
  const box = await mailbox()
  onTestFinished(() => box.close())
  const stored = await world()
  const provider = nodemailer({ server: box.server, from: "hello@app.example", ...options })
  const served = application({ adapter: stored.adapter, providers: [provider], ...changes })
  const ask: PostOffice["ask"] = (who, address = "ada@example.com", fields = {}) =>
    who.signIn("nodemailer", { email: address, ...fields })
  return {
    ...stored,
    ...served,
    box,
    ask,
    async link(who, address, fields) {
      const sent = box.messages.length
      const answer = await ask(who, address, fields)
      if (box.messages.length === sent) {
        throw new Error(`No mail was sent: ${answer.headers.get("location")}`)
      }
      return new URL(box.latestLink())
    },
  }
}

/** An application on our core and somebody else's adapter, with two providers and a mail server. */
import { Auth, type AuthConfig } from "@latchkey/core"
import nodemailer from "@latchkey/core/providers/nodemailer"
import {
  type Browser,
  browser,
  type Mailbox,
  mailbox,
  type ScriptedProvider,
  scriptedProvider,
} from "@latchkey/testing"
import type { Opened } from "./kind.ts"

export const secret = "the one secret of both deployments: 0123456789"

export type Config = Omit<AuthConfig, "raw">

/** What every application of these tests has in common, whichever library it runs on. */
export const common = { secret, trustHost: true } as const

export interface House extends AsyncDisposable {
  readonly config: Config
  /** OpenID Connect. */
  readonly work: ScriptedProvider
  /** Plain OAuth 2. */
  readonly club: ScriptedProvider
  readonly box: Mailbox
  /** Everything that was logged as an error. */
  readonly errors: unknown[][]
  visitor(): Browser
  /** Asks for a link, and takes it out of the mail. */
  link(visitor: Browser, email: string): Promise<URL>
}

export type Strategy = "jwt" | "database"

export async function house(
  opened: Opened,
  strategy: Strategy,
  changes: Partial<Config> = {},
): Promise<House> {
  const work = await scriptedProvider({ id: "work", issuer: "https://work.example" })
  const club = await scriptedProvider({ id: "club", issuer: "https://club.example" })
  const box = await mailbox()
  const errors: unknown[][] = []
  const config: Config = {
    ...common,
    adapter: opened.adapter,
    providers: [
      work.asOidc(),
      club.asOAuth(),
      nodemailer({ server: box.server, from: "door@app.example" }),
    ],
    session: { strategy },
    logger: { error: (...line) => void errors.push(line), warn: () => undefined },
    ...changes,
  }
  return {
    config,
    work,
    club,
    box,
    errors,
    visitor: () => browser((request) => Auth(request, config), { now: () => 0 }),
    async link(visitor, email) {
      await visitor.signIn("nodemailer", { email })
      await box.next()
      return new URL(box.latestLink())
    },
    [Symbol.asyncDispose]: () => box.close(),
  }
}

export const ada = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" }
export const bob = { sub: "bob", email: "bob@example.com", email_verified: true, name: "Bob" }

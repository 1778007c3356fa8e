/** What the routes work with. */
import type { LatchkeyAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { Request, RequestHandler, Response } from "express"
import type { Letters } from "../mail/letters.ts"
import type { LinkedAccounts } from "./linked.ts"
import type { Members } from "./members.ts"
import type { Notes } from "./notes.ts"
import { type Context, frame, type Page } from "./pages/frame.ts"
import type { Passkeys } from "./passkeys.ts"
import type { FindVisitor, Visitor } from "./visitor.ts"

export interface Kit {
  readonly origin: string
  readonly auth: LatchkeyAuth
  readonly getUser: Required<Adapter>["getUser"]
  readonly findVisitor: FindVisitor
  readonly members: Members
  readonly notes: Notes
  readonly linkedAccounts: LinkedAccounts
  readonly passkeys: Passkeys
  readonly letters: Letters
  /** Lets posts of our own pages through, and reads their fields. */
  readonly ownForms: RequestHandler[]
}

/** Sends a page. */
export function sendPage(
  res: Response,
  { letters }: Kit,
  visitor: Visitor | undefined,
  page: Page,
) {
  const context: Context = { visitor, unread: letters.unread() }
  res.type("html").send(frame(context, page).text)
}

/** The cookies of a request, as Latchkey's engine takes them. */
export function cookiesOf(req: Request): Headers {
  const { cookie } = req.headers
  return new Headers(cookie === undefined ? {} : { cookie })
}

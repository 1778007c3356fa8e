/** The services that all routes use. */
import type { AuthConfig, LatchkeyAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { RequestHandler, Response } from "express"
import type { Inbox } from "../mail/inbox.ts"
import type { CurrentUser, FindCurrentUser } from "./current-user.ts"
import type { MemberStore } from "./members.ts"
import type { NoteStore } from "./notes.ts"
import { type Page, type PageContext, renderLayout } from "./pages/layout.ts"

export interface AppContext {
  readonly origin: string
  readonly config: AuthConfig
  readonly auth: LatchkeyAuth
  readonly getUser: Required<Adapter>["getUser"]
  readonly findCurrentUser: FindCurrentUser
  readonly members: MemberStore
  readonly notes: NoteStore
  readonly inbox: Inbox
  /** Accepts forms of our own pages only, and parses them. */
  readonly sameOriginForms: RequestHandler[]
}

export function sendPage(
  res: Response,
  { inbox }: AppContext,
  currentUser: CurrentUser | undefined,
  page: Page,
) {
  const context: PageContext = { currentUser, unreadCount: inbox.countUnread() }
  res.type("html").send(renderLayout(context, page).text)
}

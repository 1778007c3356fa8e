/** Who is looking at a page. */
import type { AuthConfig } from "@latchkey/core"
import { getSession } from "@latchkey/express"
import type { Request, RequestHandler, Response } from "express"

/** Somebody who is signed in. */
export interface CurrentUser {
  readonly id: string
  /** What to call them. */
  readonly name: string
  /** Empty for people without an address. */
  readonly email: string
  readonly image: string | undefined
  /** When the session ends, unless it is used again. */
  readonly expires: Date
}

/** Tells who is there. */
export type FindCurrentUser = (req: Request, res: Response) => Promise<CurrentUser | undefined>

/** Reads the session of a request; a renewed one goes back to the browser. */
export function createCurrentUserFinder(config: AuthConfig): FindCurrentUser {
  return async (req, res) => {
    const session = await getSession(req, config, res)
    const { id, name, email, image } = session?.user ?? {}
    if (!session || id === undefined) return undefined
    return {
      id,
      name: name || email || "Gardener",
      email: email ?? "",
      image: image ?? undefined,
      expires: new Date(session.expires),
    }
  }
}

/** What answers a request of somebody who is signed in. */
export type MemberHandler = (
  currentUser: CurrentUser,
  req: Request,
  res: Response,
) => void | Promise<void>

/** Sends everybody else to the sign-in page, which leads back here. */
export function membersOnly(
  findCurrentUser: FindCurrentUser,
  handler: MemberHandler,
): RequestHandler {
  return async (req, res) => {
    const currentUser = await findCurrentUser(req, res)
    if (currentUser) return handler(currentUser, req, res)
    res.redirect(303, createSignInUrl(req.method === "GET" ? req.originalUrl : req.path))
  }
}

/** The sign-in page, with the way back. */
export function createSignInUrl(callbackUrl: string): string {
  return `/auth/signin?${new URLSearchParams({ callbackUrl })}`
}

/** The user who is signed in. */
import type { AuthConfig } from "@latchkey/core"
import type { Session } from "@latchkey/core/types"
import { getSession } from "@latchkey/express"
import type { Request, RequestHandler, Response } from "express"

export interface CurrentUser {
  readonly id: string
  readonly name: string
  /** Empty for users without an address. */
  readonly email: string
  readonly image: string | undefined
  /** When the session ends unless it is renewed. */
  readonly expires: Date
  /** As Latchkey returned it, for functions that read its metadata. */
  readonly session: Session
}

/** Returns the current user. */
export type FindCurrentUser = (req: Request, res: Response) => Promise<CurrentUser | undefined>

/** Creates a function that reads the session of a request, and sends a renewed one to the browser. */
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
      session,
    }
  }
}

/** Handles a request of a user who is signed in. */
export type MemberHandler = (
  currentUser: CurrentUser,
  req: Request,
  res: Response,
) => void | Promise<void>

/** Redirects visitors who are signed out to the sign-in page, which leads back here. */
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

/** Returns the URL of the sign-in page, which leads back to `callbackUrl`. */
export function createSignInUrl(callbackUrl: string): string {
  return `/auth/signin?${new URLSearchParams({ callbackUrl })}`
}

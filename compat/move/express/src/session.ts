import { getSession } from "@auth/express"
import type { NextFunction, Request, Response } from "express"
import { authConfig } from "./auth.config.ts"

/** Lets only users in who are signed in. */
export async function requireSession(
  req: Request,
  res: Response,
  next: NextFunction,
): Promise<void> {
  res.locals["session"] = await getSession(req, authConfig)
  if (res.locals["session"]) next()
  else res.status(401).json({ message: "Not signed in" })
}

import { getSession } from "@latchkey/express"
import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UnauthorizedException,
} from "@nestjs/common"
import { type AppSession, config } from "./auth.js"

/** Requests that passed the guard, and their sessions. */
const sessions = new WeakMap<object, AppSession>()

/** Lets only users pass who are signed in. */
@Injectable()
export class SessionGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest()
    const session = await getSession(request, config)
    if (!session) throw new UnauthorizedException("Please sign in")
    sessions.set(request, session)
    return true
  }
}

/** The session of the request, in a route with the guard. */
export const CurrentSession = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  sessions.get(context.switchToHttp().getRequest()),
)

import { AuthError, InvalidRequest } from "@latchkey/core/errors"
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Logger,
  UnauthorizedException,
} from "@nestjs/common"
import type { Request, Response } from "express"

/** Sends visitors to the sign-in page, and says when a session could not be checked. */
@Catch(AuthError, UnauthorizedException)
export class AuthExceptionsFilter implements ExceptionFilter<AuthError | UnauthorizedException> {
  readonly #logger = new Logger(AuthExceptionsFilter.name)

  catch(exception: AuthError | UnauthorizedException, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>()
    const response = host.switchToHttp().getResponse<Response>()
    if (exception instanceof InvalidRequest) {
      response.status(exception.status).send("Bad request.")
    } else if (exception instanceof AuthError) {
      this.#logger.error(exception)
      response.status(503).send("Please try again in a moment.")
    } else {
      response.redirect(`/auth/signin?callbackUrl=${encodeURIComponent(request.originalUrl)}`)
    }
  }
}

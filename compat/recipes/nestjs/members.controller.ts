import { Controller, Get, UseFilters, UseGuards } from "@nestjs/common"
import type { AppSession } from "./auth.js"
import { AuthExceptionsFilter } from "./auth-exceptions.filter.js"
import { CurrentSession, SessionGuard } from "./session.guard.js"

@Controller("members")
@UseGuards(SessionGuard)
@UseFilters(AuthExceptionsFilter)
export class MembersController {
  @Get()
  greet(@CurrentSession() session: AppSession): string {
    return `Hello ${session.user?.name}`
  }
}

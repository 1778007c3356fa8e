import {
  Auth,
  type AuthConfig,
  type CallbacksOptions,
  type InferClientSession,
  type InferSession,
  type InferToken,
  type LatchkeyAuth,
  type Session,
  setEnvDefaults,
  type User,
} from "@latchkey/core"
import type { AdapterUser } from "@latchkey/core/adapters"
import { getToken } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import * as app from "./auth.js"
import { holds, type Same } from "./expect.js"

interface WithRole<Role> {
  user: User
  expires: string
  role: Role
}

type Of<Source> = InferSession<Source>

holds<Same<Of<typeof app.bare>, Session>>()
holds<Same<Of<typeof app.always>, WithRole<app.Role>>>()
holds<Same<Of<typeof app.atSignIn>, WithRole<app.Role | undefined>>>()
holds<Same<Of<typeof app.ending>, { user: User; expires: string; since: number }>>()
holds<Same<Of<typeof app.eventsFirst>, WithRole<app.Role>>>()
holds<
  Same<Of<typeof app.sessionFirst>, { user: User; expires: string; subject: string | undefined }>
>()
holds<Same<Of<typeof app.unchanged>, { user: User; expires: string }>>()
holds<Same<Of<typeof app.stored>, { user: { id: string }; expires: string }>>()
holds<
  Same<
    Of<typeof app.storedUnchanged>,
    { user: User & AdapterUser; expires: string; userId: string }
  >
>()
holds<
  Same<
    Of<typeof app.optionalMember>,
    { user: User & AdapterUser; expires: string; userId: string } & app.Plan
  >
>()
holds<Same<Of<typeof app.optionalMemberSealed>, { user: User; expires: string } & app.Plan>>()
holds<Same<Pick<Of<typeof app.optionalMemberSatisfying>, "plan">, app.Plan>>()
holds<Same<Pick<InferClientSession<typeof app.optionalMember>, "plan">, app.Plan>>()
holds<Same<Of<typeof app.sealed>, { user: User; expires: string; subject: string | undefined }>>()
holds<Same<Of<typeof app.helped>, WithRole<app.Role>>>()
holds<Same<Of<typeof app.helpedAuth>, WithRole<app.Role>>>()
holds<Same<Of<typeof app.satisfying>["role"], app.Role>>()
holds<Same<Of<typeof app.satisfying>, Of<typeof app.satisfyingAuth>>>()
holds<Same<Of<typeof app.annotated>, Session>>()
holds<Same<Of<typeof app.annotatedAuth>, Session>>()
holds<Same<Of<typeof app.mixed>, { expires: string; role: app.Role }>>()
holds<Same<Of<typeof app.mixedInline>, { expires: string; role: app.Role }>>()
holds<Same<Of<AuthConfig>, Session>>()
holds<Same<Of<unknown>, Session>>()
holds<Same<Of<{ providers: [] }>, Session>>()

export async function readBySession(request: Request): Promise<app.Role | undefined> {
  const { session } = await app.always.getSession(request)
  holds<Same<typeof session, WithRole<app.Role> | null>>()
  return session?.role
}

// A browser gets what JSON makes of it.
type StoredUser = NonNullable<InferClientSession<typeof app.storedUnchanged>["user"]>
holds<Same<StoredUser["emailVerified"], string | null>>()
holds<Same<InferClientSession<typeof app.always>, WithRole<app.Role>>>()

// Claims.
holds<Same<InferToken<typeof app.helped>["role"], app.Role>>()
holds<Same<InferToken<typeof app.satisfying>["role"], app.Role>>()
holds<Same<InferToken<AuthConfig>, JWT>>()

export async function readByToken(req: Request): Promise<app.Role | undefined> {
  const token = await getToken<InferToken<typeof app.helped>>({ req, secret: "" })
  const text = await getToken({ req, raw: true })
  const claims = await getToken({ req, secret: "" })
  holds<Same<typeof text, string | null>>()
  holds<Same<typeof claims, JWT | null>>()
  return token?.role
}

// A configuration with more specific types, and anything made from it, is accepted wherever a general one is.
export const configs: AuthConfig[] = [app.helped, app.satisfying, app.annotated]
export const auths: LatchkeyAuth[] = [app.bare, app.always, app.atSignIn, app.helpedAuth]
export const answers: Promise<Response>[] = configs.map((config) => Auth(new Request(""), config))
setEnvDefaults({}, app.helped)

// The contract's own names for the parameters of callbacks.
type Asked = Parameters<CallbacksOptions["session"]>[0]
holds<Same<Asked["token"], JWT>>()
holds<Same<Asked["user"], AdapterUser>>()
holds<Same<Parameters<CallbacksOptions["jwt"]>[0]["token"], JWT>>()

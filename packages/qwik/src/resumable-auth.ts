import { implicit$FirstArg, isServer, type QRL } from "@builder.io/qwik"
import {
  type Action,
  globalAction$,
  type Loader,
  type RequestEventCommon,
  routeLoader$,
  validator$,
} from "@builder.io/qwik-city"
import { isCanonicalTarget } from "@latchkey/core/integration"
import type { InferSession } from "@latchkey/core/types"
import {
  removeSecretFields,
  type SignInResult,
  type SignOutResult,
  signIn,
  signOut,
} from "./actions.ts"
import { type ConfigSource, getConfig, getIntegratedAuth } from "./auth-context.ts"
import type { ResumableAuthConfig } from "./config.ts"
import { type MiddlewareEvent, removeDataSuffix } from "./event.ts"
import {
  type SignInFields,
  type SignOutFields,
  validateSignInFields,
  validateSignOutFields,
} from "./form-fields.ts"
import { readPageSession, shareSession } from "./session.ts"

/** Returns the configuration for a request: one object, or one that depends on the request. False in browsers. */
export type ResumableAuthSource<Config> = (
  event: RequestEventCommon,
) => Config | false | Promise<Config | false>

/** The result of {@link ResumableAuth$} for a configuration of the type `Config`. */
export interface ResumableAuth<Config = ResumableAuthConfig> {
  /** Responds to requests to the library's actions. For all others, sets `session` of `event.sharedMap`. */
  onRequest: (event: RequestEventCommon) => Promise<void>
  /** The session of the page; null when nobody is signed in. */
  useSession: Loader<InferSession<Config> | null>
  /** Starts a sign-in, or signs in with credentials. */
  useSignIn: Action<SignInResult, SignInFields, false>
  /** Ends the session. */
  useSignOut: Action<SignOutResult, SignOutFields, false>
}

/** {@link ResumableAuth$} as Qwik's optimizer calls it. */
export function ResumableAuthQrl<Config extends ResumableAuthConfig>(
  config: QRL<ResumableAuthSource<Config>>,
  ..._rest: unknown[]
): ResumableAuth<Config> {
  const useSession = routeLoader$((event) => readPageSession(event, config))
  const useSignIn = globalAction$(
    (fields, event) => signIn(event, config, fields),
    validator$((event, input) => {
      // Here, because a page also shows the fields that the validation refuses.
      removeSecretFields(event)
      return validateSignInFields(input)
    }),
  )
  const useSignOut = globalAction$(
    (fields, event) => signOut(event, config, fields),
    validator$((_event, input) => validateSignOutFields(input)),
  )
  return {
    async onRequest(event) {
      // The constant keeps the engine out of the code for browsers.
      if (isServer) await handleRequest(event, config)
    },
    // The type of the session follows from the `session` callback of the configuration.
    useSession: useSession as Loader<InferSession<Config> | null>,
    // Qwik infers the input from zod and valibot schemas only. The validators ensure these types.
    useSignIn: useSignIn as Action<SignInResult, SignInFields, false>,
    useSignOut: useSignOut as Action<SignOutResult, SignOutFields, false>,
  }
}

/** Responds to a request to one of the actions by throwing, which stops Qwik; otherwise shares the session. */
async function handleRequest(event: MiddlewareEvent, source: ConfigSource): Promise<void> {
  const { request } = event
  const config = await getConfig(event, source)
  const integratedAuth = getIntegratedAuth(event, config)
  // Not `event.url`, which for requests of the client-side router is that of the page.
  const { pathname, search } = new URL(request.url)
  const path = removeDataSuffix(pathname)
  const isCanonical = isCanonicalTarget(getTarget(event))
  if (!integratedAuth.isActionPath(path) || !isCanonical) {
    await shareSession(event, config)
    const isOwnPath = request.method === "GET" && integratedAuth.isUnderBasePath(pathname)
    if (!isOwnPath || !isCanonical || !event.next) return
    // Qwik 2 has this status from the start if no page matches, and renders its "not found" page in `next`.
    if (event.status() !== 404) await event.next()
    if (event.headersSent) return // the application has a page there
  }
  if (path !== pathname) throw event.send(createPageRedirect(path + search))
  const clientAddress = event.clientConn?.ip
  throw event.send(await integratedAuth.handle(request, undefined, clientAddress))
}

/**
 * Redirects a request for the data of a page, such as `/auth/signin/q-data.json`, to the page, which has no data: the
 * router then loads it. Such requests follow the redirect of a guard.
 */
function createPageRedirect(location: string): Response {
  const headers = { location, "cache-control": "no-store" }
  return new Response(null, { status: 303, headers })
}

/** Returns the path and query as the server received them. In Node.js, Qwik merges the slashes of others. */
function getTarget({ platform }: MiddlewareEvent): string | undefined {
  const { originalUrl, url } = platform?.incomingMessage ?? {}
  return originalUrl || url
}

/**
 * Integrates the library into an application of Qwik City 1 or Qwik 2. Export the result from
 * `src/routes/plugin@auth.ts`.
 *
 * The base path is `basePath` of the configuration, else the path of `AUTH_URL`, else `/auth`.
 *
 * Write `isServer &&` before the configuration. Otherwise, Qwik's optimizer also builds the configuration and the code
 * that it imports for browsers, where everyone can read it.
 *
 * @example
 * import { isServer } from "@builder.io/qwik"
 * export const { onRequest, useSession, useSignIn, useSignOut } = ResumableAuth$(() => isServer && config)
 */
export const ResumableAuth$: <Config extends ResumableAuthConfig>(
  config: ResumableAuthSource<Config>,
  ...rest: unknown[]
) => ResumableAuth<Config> = /*#__PURE__*/ implicit$FirstArg(ResumableAuthQrl)

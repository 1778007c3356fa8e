/** The members that an application exports from `src/routes/plugin@auth.ts`. */
import { implicit$FirstArg, isServer, type QRL } from "@builder.io/qwik"
import {
  type Action,
  globalAction$,
  type Loader,
  type RequestEventCommon,
  routeLoader$,
  validator$,
} from "@builder.io/qwik-city"
import type { InferSession } from "@latchkey/core/types"
import type { ResumableAuthConfig } from "./config.ts"
import {
  type SignInFields,
  type SignOutFields,
  validateSignInFields,
  validateSignOutFields,
} from "./form-fields.ts"
import { readPageSession } from "./page-session.ts"
import { handleRequest } from "./request-handler.ts"
import { type SignInResult, signIn } from "./sign-in.ts"
import { type SignOutResult, signOut } from "./sign-out.ts"
import { removeSecretFields } from "./submitted-form.ts"

/** The configuration for a request: one object, or one that depends on the request. False in browsers. */
export type ResumableAuthSource<Config> = (
  event: RequestEventCommon,
) => Config | false | Promise<Config | false>

/** What {@link ResumableAuth$} gives for a configuration of the type `Config`. */
export interface ResumableAuth<Config = ResumableAuthConfig> {
  /** Answers the requests to the library's actions, and leaves all others alone. */
  onRequest: (event: RequestEventCommon) => Promise<void>
  /** The session of the page; null when nobody is signed in. */
  useSession: Loader<InferSession<Config> | null>
  /** Begins a sign-in, or signs in with credentials. */
  useSignIn: Action<SignInResult, SignInFields, false>
  /** Ends the session. */
  useSignOut: Action<SignOutResult, SignOutFields, false>
}

/** {@link ResumableAuth$}, as Qwik's optimizer calls it. */
export function ResumableAuthQrl<Config extends ResumableAuthConfig>(
  config: QRL<ResumableAuthSource<Config>>,
  ..._rest: unknown[]
): ResumableAuth<Config> {
  const useSession = routeLoader$((event) => readPageSession(event, config))
  const useSignIn = globalAction$(
    (fields, event) => signIn(event, config, fields),
    validator$((event, input) => {
      // Here, because a page also shows what this refuses.
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
      // The constant keeps the engine out of what browsers load.
      if (isServer) await handleRequest(event, config)
    },
    // The type of a session follows from the configuration, whose callback makes it.
    useSession: useSession as Loader<InferSession<Config> | null>,
    // Qwik knows the input of validators by zod and valibot alone. Ours let through what these types say.
    useSignIn: useSignIn as Action<SignInResult, SignInFields, false>,
    useSignOut: useSignOut as Action<SignOutResult, SignOutFields, false>,
  }
}

/**
 * Mounts the library in an application of Qwik City 1 or Qwik 2. Export what it gives from `src/routes/plugin@auth.ts`.
 *
 * The base path is `basePath` of the configuration, else the path of `AUTH_URL`, else `/auth`.
 *
 * Write `isServer &&` before the configuration: Qwik's optimizer otherwise builds it for browsers, too, and whoever
 * looks can read it, with the code that it imports.
 *
 * @example
 * import { isServer } from "@builder.io/qwik"
 * export const { onRequest, useSession, useSignIn, useSignOut } = ResumableAuth$(() => isServer && config)
 */
export const ResumableAuth$: <Config extends ResumableAuthConfig>(
  config: ResumableAuthSource<Config>,
  ...rest: unknown[]
) => ResumableAuth<Config> = /*#__PURE__*/ implicit$FirstArg(ResumableAuthQrl)

/** A request to one of the actions, while it is handled. */
import type { ErrorReportStep } from "@latchkey/pages"
import type { AuthAction, FlowData } from "../types.ts"
import type { IncomingRequest, RequestHeaders } from "./incoming-request.ts"
import type { ParsedBody, RequestBody } from "./request-body.ts"
import { type ActionRoute, buildActionsUrl } from "./route.ts"
import { type RequestConfig, SessionContext } from "./session-context.ts"

const emptyBody: ParsedBody = { body: Object.freeze({}), form: new URLSearchParams() }

/** The state that a sign-in began with. */
export interface SignInState {
  /** Where the browser goes afterwards; undefined if the request says so. */
  readonly callbackUrl?: string
  /** The data of the application that travels through the sign-in. */
  readonly flow?: FlowData | undefined
  /** Whether the session outlasts the browser; undefined if the sign-in does not say. */
  readonly rememberMe?: boolean | undefined
  /** Whether the sign-in is to add an account to the signed-in user. */
  readonly isLinking?: boolean
}

/** Records what a request goes through. Exists only in development and while debugging. */
export class ErrorReportRecorder {
  readonly steps: ErrorReportStep[] = []
  /** Values that the report must not contain; anything but text is ignored. */
  readonly secrets: unknown[] = []

  record(name: string, received: string, isAsExpected?: boolean, expected?: string): void {
    this.steps.push({ name, received, isAsExpected, expected })
  }
}

/** A request to one of the actions: a {@link SessionContext} with the method, the route and the body. */
export class ActionRequest extends SessionContext {
  readonly method: string
  declare readonly headers: RequestHeaders
  /** The URL of the base path, without a trailing slash, to which the path of an action is appended. */
  readonly actionsUrl: string
  readonly action: AuthAction
  /** Whether the path is the base path, which leads to the action. */
  readonly isBasePath: boolean
  readonly providerId: string | undefined
  readonly body: RequestBody
  /** The fields of a form as they were sent, including repetitions; empty for other bodies. */
  readonly form: URLSearchParams
  /** Records what an error report tells the developer; undefined in production. */
  readonly reportRecorder: ErrorReportRecorder | undefined
  /** Where the browser goes after the action, once that is known. */
  callbackUrl?: Promise<string>
  /** The state that the sign-in of this request began with, as far as it is known: see {@link continueSignIn}. */
  signIn: SignInState = {}
  /** The token for all forms in the response, once it is created. */
  csrfToken?: string
  /** Values that log lines must not contain, besides those in the body and query. */
  readonly secrets: string[] = []
  readonly #incoming: IncomingRequest

  constructor(
    incoming: IncomingRequest,
    url: URL,
    { action, providerId, isBasePath }: ActionRoute,
    config: RequestConfig,
    { body, form }: ParsedBody = emptyBody,
  ) {
    super(incoming.headers, url, config)
    this.method = incoming.method
    this.actionsUrl = buildActionsUrl(url.origin, config.basePath)
    this.action = action
    this.isBasePath = isBasePath === true
    this.providerId = providerId
    this.body = body
    this.form = form
    this.reportRecorder = config.development || config.debug ? new ErrorReportRecorder() : undefined
    this.#incoming = incoming
  }

  /** The data of the application that travels through the sign-in. */
  get flow(): FlowData | undefined {
    return this.signIn.flow
  }

  /** Continues a sign-in: from now on, callbacks and pages of errors see what it began with. */
  continueSignIn(signIn: SignInState): void {
    this.signIn = signIn
    if (signIn.callbackUrl !== undefined) this.callbackUrl = Promise.resolve(signIn.callbackUrl)
  }

  get query(): URLSearchParams {
    return this.url.search === "" ? emptyBody.form : this.url.searchParams
  }

  get clientAddress(): string | undefined {
    return this.#incoming.clientAddress
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal | undefined {
    return this.#incoming.signal
  }
}

/** Reads what a request to sign in carries: data of the application, and the choice to stay signed in. */

import { AuthError, InvalidRequest } from "../../errors.ts"
import type { ActionRequest } from "../../http/action-request.ts"
import { addRequest } from "../../http/request-view.ts"
import { isPlainObject, parseJsonObject } from "../../objects.ts"
import type { FlowData } from "../../types.ts"
import type { ActionContext } from "../action-context.ts"

/** Maximum size of the JSON in bytes: it has to fit into a cookie, sealed with the rest of the transaction. */
const maxSize = 1024

/**
 * Refuses data for a sign-in by e-mail, which may end in another browser.
 *
 * @throws InvalidRequest
 */
export function refuseFlow({ request, config, flow }: ActionContext, provider: string): void {
  if (flow === undefined && !(config.validateFlow && getSentFlow(request))) return
  const expected = "no `flow`: e-mail links and their codes do not carry it"
  throw new InvalidRequest(400, { expected, received: provider })
}

const getSentFlow = ({ body }: ActionRequest): unknown =>
  Object.hasOwn(body, "flow") ? body["flow"] : undefined

/**
 * Returns the data with which a sign-in began: that of server code, or else that of the browser, if the application
 * validates it.
 *
 * @throws InvalidRequest for data that is no JSON object, too large, or refused by `validateFlow`
 */
export async function resolveFlow(context: ActionContext): Promise<FlowData | undefined> {
  const { request, config, flow } = context
  const { validateFlow } = config
  if (flow !== undefined) return toFlowData(flow)
  const sent = getSentFlow(request)
  if (!validateFlow || !sent) return undefined
  const data = toFlowData(typeof sent === "string" ? parseJsonObject(sent) : sent)
  try {
    const params = addRequest({ provider: request.providerId ?? "" }, request)
    const validated = await validateFlow(data, params)
    return (validated ?? undefined) && toFlowData(validated)
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new InvalidRequest(400, { expected: "a `flow` that `validateFlow` accepts", cause })
  }
}

/** Copies data through JSON, without `__proto__` keys. */
function toFlowData(flow: unknown): FlowData {
  const text = isPlainObject(flow) ? toText(flow) : undefined
  const size = text === undefined ? 0 : new TextEncoder().encode(text).byteLength
  if (text !== undefined && size <= maxSize)
    return JSON.parse(text, (name, value) => (name === "__proto__" ? undefined : value))
  throw new InvalidRequest(400, {
    expected: `\`flow\` to be a JSON object of at most ${maxSize} bytes`,
    received: text === undefined ? "a value that is none" : `${size} bytes`,
    hint: "Store larger data yourself, and pass its key.",
  })
}

function toText(flow: object): string | undefined {
  try {
    return JSON.stringify(flow)
  } catch {
    return undefined // cyclic, or with a BigInt
  }
}

/**
 * Returns whether a form requests a session that outlasts the browser; undefined if it does not say, or users cannot
 * choose. Any value that does not say yes requests the shorter session.
 */
export function readRememberMe({ config, request }: ActionContext): boolean | undefined {
  const { body } = request
  if (!config.session.rememberMe || !Object.hasOwn(body, "rememberMe")) return undefined
  const value = body["rememberMe"] ?? undefined
  return value === undefined ? undefined : /^(?:true|on|1)$/i.test(String(value))
}

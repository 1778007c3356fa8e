import { AuthError } from "../../errors.ts"
import { omitUndefined } from "../../objects.ts"
import { callMailApi } from "../send-through-api.ts"
import type { EmailConfig, EmailUserConfig } from "../types.ts"

/** A provider that sends sign-in links through Loops. */
export type LoopsConfig = EmailConfig

/** The options of {@link loops}. */
export type LoopsUserConfig = EmailUserConfig & {
  /** The id of the e-mail that you wrote at Loops, with the data variable `url` for the link. */
  transactionalId: string | undefined
  /**
   * Whether your e-mail shows the data variable `code`, which people enter to sign in on another device. If not, people
   * who open the link in another browser confirm their sign-in with a button there.
   *
   * @defaultValue false
   */
  sendsCode?: boolean | undefined
}

/**
 * Sends sign-in links through Loops, in an e-mail that you write there.
 *
 * @throws AuthError when `transactionalId` is missing
 * @see https://loops.so/docs/api-reference/send-transactional-email
 */
export default function loops(options: LoopsUserConfig): EmailConfig {
  const { transactionalId, ...rest } = options ?? {}
  if (!transactionalId) {
    throw new AuthError(
      "The Loops provider requires `transactionalId`, the id of your e-mail there.",
    )
  }
  return {
    id: "loops",
    name: "Email",
    type: "email",
    apiKey: undefined,
    maxAge: 86_400,
    sendVerificationRequest: (request) =>
      callMailApi(request.provider, [request.url, request.token, request.identifier], (apiKey) => ({
        url: "https://app.loops.so/api/v1/transactional",
        headers: { authorization: `Bearer ${apiKey}` },
        body: {
          transactionalId,
          email: request.identifier,
          dataVariables: omitUndefined({ url: request.url, code: request.code }),
        },
      })),
    options: rest,
  }
}

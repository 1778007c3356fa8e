/**
 * The codes of e-mails: how long they are valid, and which functions send them, so that links are stored in the right
 * form before the e-mail is sent.
 */
import type { EmailConfig } from "./types.ts"

/** How long a code is valid at most, in seconds. */
export const codeMaxAge = 600

type SendVerificationRequest = EmailConfig["sendVerificationRequest"]

const codeSenders = new WeakMap<SendVerificationRequest, boolean>()

/** Whether the e-mails of a function carry codes; undefined for one of an application that this process has not called. */
export const sendsCode = (send: SendVerificationRequest): boolean | undefined =>
  codeSenders.get(send)

/**
 * Notes whether an e-mail of a function carries a code. A function that has sent one stays known for it: many send
 * nothing to some addresses. Returns the function.
 */
export function noteCodeSender(
  send: SendVerificationRequest,
  hasCode: boolean,
): SendVerificationRequest {
  codeSenders.set(send, hasCode || codeSenders.get(send) === true)
  return send
}

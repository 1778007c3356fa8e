/** The codes of e-mails: how long they are valid, and which built-in functions send them. */
import { shareWithCopies } from "../objects.ts"
import type { EmailConfig } from "./types.ts"

/** How long a code is valid at most, in seconds. */
export const codeMaxAge = 600

type SendVerificationRequest = EmailConfig["sendVerificationRequest"]

const codeSenders = /*#__PURE__*/ shareWithCopies(
  "codeSenders",
  () => new WeakSet<SendVerificationRequest>(),
)

/** Marks a built-in function whose e-mails carry a code. An application may replace the function, and its e-mail. */
export function markCodeSender(send: SendVerificationRequest): SendVerificationRequest {
  codeSenders.add(send)
  return send
}

/** Whether the e-mails of a provider carry a code. */
export const isCodeSent = ({ sendsCode, sendVerificationRequest }: EmailConfig): boolean =>
  sendsCode ?? codeSenders.has(sendVerificationRequest)

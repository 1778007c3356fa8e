/** Everywhere else: a text, which the runtime may send as it is, with its length. */
import type { TextBody } from "./text-body.ts"

export const textBody: TextBody = (text) => text

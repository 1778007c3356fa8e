/** Everywhere else: runtimes send a text faster than a stream, and with its length. */
import type { TextBody } from "./text-body.ts"

export const textBody: TextBody = (text) => text

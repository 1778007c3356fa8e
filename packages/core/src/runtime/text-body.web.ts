/** Everywhere else: a text, which the runtime may send as it is, with its length. */
import type { TextBodyFactory } from "./text-body.ts"

export const createTextBody: TextBodyFactory = (text) => text

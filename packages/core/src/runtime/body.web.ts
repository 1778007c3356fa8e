/** Everywhere else: the content itself, which the runtime may send as it is, with its length. */

/** Converts a text, or UTF-8, to the body of a `Request` or `Response`. `body.node.ts` has the same function. */
export const createBody = (content: string | Uint8Array<ArrayBuffer>): BodyInit => content

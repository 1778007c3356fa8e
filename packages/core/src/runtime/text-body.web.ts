/** Everywhere else: a text, which the runtime may send as it is, with its length. */

/** Converts a text to the body of a `Response`. `text-body.node.ts` has the same function. */
export const createTextBody = (text: string): BodyInit => text

/** Converts a text to the body of a `Response`. `text-body.node.ts` and `text-body.web.ts` implement it. */
export type TextBodyFactory = (text: string) => BodyInit

/** How a text becomes the body of a `Response`. The two implementations stand beside this file. */
export type TextBodyFactory = (text: string) => BodyInit

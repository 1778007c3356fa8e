/** For packages that mount the library in a framework. */
export { namedOrigin } from "./http/forwarded.ts"
export type { HeaderLookup, IncomingRequest } from "./http/incoming.ts"
export type { Answer } from "./http/respond.ts"
export type { Addressed } from "./mounting/address.ts"
export { type AnswerCookies, createAnswerCookies } from "./mounting/answer-cookies.ts"
export { cookieHeaderAfter } from "./mounting/cookie-header.ts"
export { unstored, withCookieLines } from "./mounting/cookie-lines.ts"
export { beginLook, type Look } from "./mounting/look.ts"
export {
  createMount,
  type Mount,
  type Mounted,
  type MountedAuth,
  type MountOptions,
} from "./mounting/mount.ts"
export { assertOwnOrigin } from "./mounting/own-origin.ts"
export { refusalOf } from "./mounting/refusal.ts"
export { signInForm } from "./mounting/sign-in-form.ts"

export type { AssertRefusedOptions } from "./browser/assert-refused.ts"
export { assertRefused, getRedirectError, getSetCookieNames } from "./browser/assert-refused.ts"
export type { SameSite, StoredCookie } from "./browser/cookie.ts"
export type { RejectedCookie } from "./browser/cookie-jar.ts"
export { CookieJar } from "./browser/cookie-jar.ts"
export type { CookieContext } from "./browser/cookie-rules.ts"
export type { ApprovingProvider, SessionResponse } from "./browser/test-browser.ts"
export { createTestBrowser, TestBrowser } from "./browser/test-browser.ts"
export type {
  BrowserOptions,
  BrowserRequestOptions,
  FetchHandler,
  FormFields,
} from "./browser/user-agent.ts"
export { UserAgent } from "./browser/user-agent.ts"

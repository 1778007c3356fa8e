/** Everything. The same parts have entries of their own, for tests that need one of them. */
export * from "./adapters.ts"
export * from "./authenticator.ts"
export * from "./browser.ts"
export { withFrozenTime } from "./clock.ts"
export * from "./mailbox.ts"
export * from "./provider.ts"
export * from "./session.ts"

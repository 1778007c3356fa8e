/** All parts. Each also has an entry of its own. */
export * from "./adapters.ts"
export * from "./authenticator.ts"
export * from "./browser.ts"
export { withFrozenTime } from "./clock.ts"
export * from "./mailbox.ts"
export * from "./provider.ts"
export * from "./session.ts"

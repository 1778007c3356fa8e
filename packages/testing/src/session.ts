export type { MintableAdapter, MintableConfig } from "./session/config.ts"
export { mintSession, mintSessionCookies } from "./session/mint.ts"
export type { MintedSession, MintedUser, MintOptions } from "./session/types.ts"

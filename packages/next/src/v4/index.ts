/** The functions of NextAuth.js 4. Everything else is as in `@latchkey/next`. */
export type { DefaultUser } from "@latchkey/core/types"
export * from "../index.ts"
export { getServerSession } from "./get-server-session.ts"
export { NextAuth, NextAuth as default, type NextAuthHandler } from "./next-auth.ts"
export type { AuthOptions, NextAuthOptions } from "./options.ts"

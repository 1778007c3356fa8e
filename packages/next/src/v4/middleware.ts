/** The proxy of NextAuth.js 4. */
export * from "./with-auth.ts"
export { withAuth as default } from "./with-auth.ts"

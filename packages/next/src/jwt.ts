/** Session tokens, for code outside of the library's own routes. */
export * from "@latchkey/core/jwt"

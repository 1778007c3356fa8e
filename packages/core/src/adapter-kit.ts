/** Shared by the database adapters: error codes, checks of values and the fields of records. */
export * from "./adapter-kit/database-error.ts"
export * from "./adapter-kit/parse-account.ts"
export * from "./adapter-kit/parse-value.ts"
export * from "./adapter-kit/read-text.ts"
export * from "./adapter-kit/record-fields.ts"
export * from "./adapter-kit/user-fields.ts"

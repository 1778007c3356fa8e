/** Shared by the database adapters: error codes, checks of values and the fields of records. */
export type * from "./adapter-kit/adapter-methods.ts"
export * from "./adapter-kit/database-error.ts"
export * from "./adapter-kit/parse-value.ts"
export * from "./adapter-kit/records.ts"

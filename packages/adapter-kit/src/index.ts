/** Shared by the database adapters: error codes, checks of values and the fields of records. */
export type * from "./adapter-methods.ts"
export * from "./database-error.ts"
export { isDate } from "./is-date.ts"
export * from "./parse-value.ts"
export * from "./records.ts"

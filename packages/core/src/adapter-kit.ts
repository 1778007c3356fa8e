/** Shared by the database adapters: error codes, checks of values and the fields of records. */
export {
  DatabaseError,
  type DatabaseErrorCode,
  type DatabaseErrorFacts,
} from "./adapter-kit/database-error.ts"
export { parseAccount, parseAccountType } from "./adapter-kit/parse-account.ts"
export {
  invalidValueError,
  isStorableText,
  parseText,
  parseValue,
  type TextLimits,
  toLookupText,
  type ValueKind,
} from "./adapter-kit/parse-value.ts"
export { readText, readTextOrNull } from "./adapter-kit/read-text.ts"
export { recordFields } from "./adapter-kit/record-fields.ts"
export {
  type UserFieldKind,
  type UserFields,
  validateUserFields,
} from "./adapter-kit/user-fields.ts"

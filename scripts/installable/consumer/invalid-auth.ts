/** The same configuration with a mistake that the compiler cannot detect. */
import { authConfig as right } from "./auth.ts"

export const authConfig = { ...right, basePath: "no-slash-before" }

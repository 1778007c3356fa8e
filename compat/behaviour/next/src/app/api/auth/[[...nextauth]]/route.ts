/** The routes of the library, with preflight requests. */
import { handlers } from "../../../../auth.ts"

export const { GET, POST, OPTIONS } = handlers

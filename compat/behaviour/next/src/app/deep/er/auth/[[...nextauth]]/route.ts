/** The routes of the library again, for a configuration with this base path. */
import { handlers } from "../../../../../auth.ts"

export const { GET, POST } = handlers

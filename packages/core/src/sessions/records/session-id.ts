import { sha256Base64Url } from "../../crypto/digest.ts"

/** Returns the id of a database session. Nobody can sign in with it. */
export const hashToken = async (token: string): Promise<string> =>
  sha256Base64Url(`session id ${token}`)

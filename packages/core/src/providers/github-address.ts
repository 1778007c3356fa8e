import { fetchResourceIfAllowed } from "./fetch-resource.ts"
import type { UserinfoContext } from "./types.ts"

/** The fields of an entry of `GET /user/emails` at GitHub that are read. */
interface ListedAddress {
  email: string
  primary: boolean
  verified: boolean
}

/**
 * Replaces the address of a profile of GitHub by the primary one, with `email_verified`. The profile stays as it is if
 * the token does not grant access to the addresses.
 *
 * @param userUrl the URL of the profile
 */
export async function addPrimaryAddress<P extends object>(
  context: UserinfoContext,
  profile: P,
  userUrl: string,
): Promise<P> {
  const addresses = await fetchResourceIfAllowed<ListedAddress[]>(context, `${userUrl}/emails`)
  const primary = addresses?.find((address) => address.primary)
  return primary ? { ...profile, email: primary.email, email_verified: primary.verified } : profile
}

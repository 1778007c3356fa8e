/** Returns the form in which addresses are compared, and nothing else is equal: Unicode NFKC, lower case. */
export function foldEmailAddress(address: string): string {
  return address.normalize("NFKC").toLowerCase().normalize("NFKC")
}

/** The ways to sign in, by the ids of their providers, as they follow "with" in a sentence. */
const providerNames: Readonly<Record<string, string>> = {
  tenantidp: "Alder ID",
  socialidp: "Plaza",
  passkey: "a passkey",
  nodemailer: "an email link",
  credentials: "a password",
}

/** Returns how people call a provider. */
export function getProviderName(id: string): string {
  return providerNames[id] ?? id
}

/** Chromium's virtual authenticator: a device with passkeys for one page. */
import type { CDPSession, Page } from "playwright-core"

/** A passkey as the protocol of Chromium's developer tools describes it. */
type StoredPasskey = Awaited<ReturnType<typeof getCredentials>>[number]

export interface VirtualAuthenticator {
  listPasskeys(): Promise<StoredPasskey[]>
  /** Adds a passkey, as synchronisation does. */
  addPasskey(passkey: StoredPasskey): Promise<void>
  /** Removes all passkeys. */
  removePasskeys(): Promise<void>
  /** Sets whether the user touches the device when asked. */
  setUserPresence(isPresent: boolean): Promise<void>
}

/** The properties of a device. By default, it is built in and its user consents. */
interface AuthenticatorOptions {
  readonly transport?: "internal" | "usb"
  /** Whether user verification succeeds. */
  readonly isUserVerified?: boolean
}

/** Adds a device to a page. */
export async function addVirtualAuthenticator(
  page: Page,
  options: AuthenticatorOptions = {},
): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send("WebAuthn.enable")
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...options,
    },
  })
  return {
    listPasskeys: () => getCredentials(session, authenticatorId),
    addPasskey: async (credential) => {
      await session.send("WebAuthn.addCredential", { authenticatorId, credential })
    },
    removePasskeys: async () => {
      await session.send("WebAuthn.clearCredentials", { authenticatorId })
    },
    setUserPresence: async (enabled) => {
      await session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })
    },
  }
}

async function getCredentials(session: CDPSession, authenticatorId: string) {
  const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId })
  return credentials
}

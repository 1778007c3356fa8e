/** Chromium's virtual authenticator: a device with passkeys for one page. */
import type { CDPSession, Page } from "playwright-core"

/** A passkey as the protocol of Chromium's developer tools describes it. */
type StoredPasskey = Awaited<ReturnType<typeof getCredentials>>[number]

export interface VirtualAuthenticator {
  listPasskeys(): Promise<StoredPasskey[]>
  /** Puts a passkey onto it, as a synchronised copy. */
  addPasskey(passkey: StoredPasskey): Promise<void>
  /** Takes every passkey off it. */
  removePasskeys(): Promise<void>
  /** Whether the owner puts a finger on it when it is asked. */
  setUserPresence(isPresent: boolean): Promise<void>
}

/** What a device is like: built in, and with a willing owner, unless it says otherwise. */
interface AuthenticatorOptions {
  readonly transport?: "internal" | "usb"
  /** Whether the owner proves who it is when asked to. */
  readonly isUserVerified?: boolean
}

/** Plugs a device into a page. */
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

/** Chromium's virtual authenticator: a device with passkeys for one page. */
import type { CDPSession, Page } from "playwright-core"

/** A passkey as the protocol of Chromium's developer tools describes it. */
type StoredPasskey = Awaited<ReturnType<typeof credentialsOf>>[number]

export interface Device {
  passkeys(): Promise<StoredPasskey[]>
  /** Puts a passkey onto it, as a synchronised copy. */
  add(passkey: StoredPasskey): Promise<void>
  /** Takes every passkey off it. */
  clear(): Promise<void>
  /** Whether the owner puts a finger on it when it is asked. */
  present(isPresent: boolean): Promise<void>
}

/** What a device is like: built in, and with a willing owner, unless it says otherwise. */
interface Traits {
  readonly transport?: "internal" | "usb"
  /** Whether the owner proves who it is when asked to. */
  readonly isUserVerified?: boolean
}

/** Plugs a device into a page. */
export async function device(page: Page, traits: Traits = {}): Promise<Device> {
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
      ...traits,
    },
  })
  return {
    passkeys: () => credentialsOf(session, authenticatorId),
    add: async (credential) => {
      await session.send("WebAuthn.addCredential", { authenticatorId, credential })
    },
    clear: async () => {
      await session.send("WebAuthn.clearCredentials", { authenticatorId })
    },
    present: async (enabled) => {
      await session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })
    },
  }
}

async function credentialsOf(session: CDPSession, authenticatorId: string) {
  const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId })
  return credentials
}

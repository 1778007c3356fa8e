/** The expected behaviour of a site in its simplest form: who is signed in where, which accounts and links exist. */
import { linkMaxAge, type Strategy, sessionMaxAge } from "./sign-in-site.ts"

export const people = ["ada", "bob", "cyd"] as const
export type Person = (typeof people)[number]
export const browserCount = 3

/** A session that was started once. Browsers, and thieves who copied the cookie, refer to it. */
export interface ModelSession {
  readonly email: string
  /** Whether its browser signed out, or signed in again. */
  isEnded: boolean
  /** In seconds of the model's clock. */
  expires: number
}

export interface ModelLink {
  readonly email: string
  readonly url: string
  readonly expires: number
  /** The secret that it was hashed with. */
  readonly secret: string
  isUsed: boolean
}

export class SignInModel {
  /** Seconds since the sequence began. */
  now = 0
  /** Newest first. */
  secrets = ["secret-number-0-of-the-application"]
  readonly sessions: (ModelSession | null)[] = Array(browserCount).fill(null)
  readonly links: ModelLink[] = []
  /** The accounts of each user, by e-mail address. */
  readonly users = new Map<string, Set<Person>>()
  /** The addresses whose owners opened a link. */
  readonly #provenAddresses = new Set<string>()

  /** Who is signed in in a browser. */
  getEmail(browser: number): string | null {
    const session = this.sessions[browser]
    return session && !session.isEnded && session.expires > this.now ? session.email : null
  }

  /** Every check renews the sessions of the browsers. */
  renewSessions(): void {
    for (const session of this.sessions)
      if (session && session.expires > this.now) session.expires = this.now + sessionMaxAge
  }

  startSession(browser: number, email: string): void {
    this.endSession(browser)
    this.sessions[browser] = { email, isEnded: false, expires: this.now + sessionMaxAge }
  }

  endSession(browser: number): void {
    const session = this.sessions[browser]
    if (session) session.isEnded = true
    this.sessions[browser] = null
  }

  /** Returns the user to whom a provider sign-in leads; null when it is refused. */
  resolveProviderSignIn(person: Person, linkTarget: string | null): string | null {
    const owner = [...this.users].find(([, accounts]) => accounts.has(person))?.[0]
    if (owner !== undefined) return linkTarget === null || linkTarget === owner ? owner : null
    if (linkTarget !== null) {
      this.users.get(linkTarget)?.add(person)
      return linkTarget
    }
    const email = toEmail(person)
    if (this.users.has(email)) return null
    this.users.set(email, new Set([person]))
    return email
  }

  addLink(person: Person, url: string): void {
    const [secret = ""] = this.secrets
    const expires = this.now + linkMaxAge
    this.links.push({ email: toEmail(person), url, expires, secret, isUsed: false })
  }

  /**
   * Uses a link. Returns whether it signs in. The first proof of an address ends the database sessions that its user has
   * already, because somebody else may have started them.
   */
  useLink(link: ModelLink, strategy: Strategy): boolean {
    const isValid = !link.isUsed && link.expires > this.now && this.secrets.includes(link.secret)
    if (!isValid) return false
    link.isUsed = true
    if (!this.users.has(link.email)) this.users.set(link.email, new Set())
    else if (strategy === "database" && !this.#provenAddresses.has(link.email)) {
      for (const [browser, session] of this.sessions.entries())
        if (session?.email === link.email) this.endSession(browser)
    }
    this.#provenAddresses.add(link.email)
    return true
  }
}

export const toEmail = (person: Person): string => `${person}@example.com`

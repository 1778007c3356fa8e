/** Puts the works together that a site can do. */
import { type Ask, cookieHeader, type Reply } from "../exchange.ts"
import type { OAuthSteps, Site } from "../libraries/library.ts"
import { comeback } from "../libraries/sign-in.ts"
import { person } from "../person.ts"
import {
  assertBegun,
  assertCsrfToken,
  assertNobody,
  assertPerson,
  assertSignedIn,
  assertSignInPage,
  WrongAnswer,
} from "./checks.ts"
import type { CalledWork, SentWork, WorkId, Works } from "./work.ts"

/** The sites of one library. */
export interface Sites {
  readonly sealed: Site
  readonly stored: Site
  /** Sessions are rows of `@latchkey/sql`, whatever adapter people give the library. */
  readonly shared?: Site
}

/** The site that does some work. */
export function siteIdOf(id: WorkId): keyof Sites {
  if (id.startsWith("w2Shared")) return "shared"
  return id.startsWith("w2") ? "stored" : "sealed"
}

/** What is measured in process and by HTTP. */
export async function commonWorks({ sealed, stored, shared }: Sites): Promise<Works> {
  const { session, signInPage } = sealed
  return {
    w1: sessionCheck(session, await browserCookies(sealed, 1)),
    w2: sessionCheck(stored.session, await browserCookies(stored, 1)),
    ...(shared ? { w2Shared: sessionCheck(shared.session, await browserCookies(shared, 1)) } : {}),
    ...(await csrfWorks(sealed)),
    ...(signInPage ? { w4: repeated(signInPage, assertSignInPage) } : {}),
    ...signInWorks(sealed, await sealed.oauth(), await sealed.credentials()),
    w8: repeated(session, assertNobody),
  }
}

/** What needs an application around it. */
export async function httpWorks({ sealed, stored }: Sites): Promise<Works> {
  const { page, bare } = sealed
  return {
    page: sessionCheck(page, await browserCookies(sealed, 1)),
    w2Page: sessionCheck(stored.page, await browserCookies(stored, 1)),
    ...(bare ? { bare: repeated(bare, assertNobody) } : {}),
  }
}

/**
 * What is measured in process only.
 *
 * @param many how many distinct cookies and rows there are
 */
export async function inProcessWorks(
  { sealed, stored, shared }: Sites,
  many: number,
): Promise<Works> {
  const cookies = await browserCookies(sealed, many)
  const rows = await browserCookies(stored, many)
  const [one = ""] = cookies
  const [row = ""] = rows
  return {
    ...(sealed.standing ? { w1Alone: sessionCheck(sealed.session, await sealed.cookies(1)) } : {}),
    ...(stored.standing ? { w2Alone: sessionCheck(stored.session, await stored.cookies(1)) } : {}),
    w1Distinct: sessionCheck(sealed.session, cookies),
    w2Distinct: sessionCheck(stored.session, rows),
    ...(shared
      ? { w2SharedDistinct: sessionCheck(shared.session, await browserCookies(shared, many)) }
      : {}),
    ...(sealed.whoIs ? { w1Call: called(sealed.whoIs, one) } : {}),
    ...(stored.whoIs ? { w2Call: called(stored.whoIs, row) } : {}),
    ...(sealed.withClaims ? await claimWorks(sealed, sealed.withClaims) : {}),
  }
}

/** All that a browser of the signed-in person sends: a number of them. */
async function browserCookies({ cookies, standing }: Site, count: number): Promise<string[]> {
  const others = standing ? `; ${await standing()}` : ""
  return (await cookies(count)).map((cookie) => cookie + others)
}

async function claimWorks(site: Site, make: (bytes: number) => Promise<string>): Promise<Works> {
  const sizes = { w10Tiny: 200, w10Small: 1024, w10Medium: 4096, w10Large: 16_384 } as const
  const others = site.standing ? `; ${await site.standing()}` : ""
  const works = Object.entries(sizes).map(
    async ([id, bytes]) =>
      [id, sessionCheck(site.session, [(await make(bytes)) + others])] as const,
  )
  return Object.fromEntries(await Promise.all(works)) satisfies Partial<Record<WorkId, SentWork>>
}

function sent(
  status: number,
  ask: (index: number) => Ask,
  check: (reply: Reply) => void | Promise<void>,
): SentWork {
  return {
    kind: "sent",
    status,
    once: false,
    asks: async (count) => Array.from({ length: count }, (_, index) => ask(index)),
    check: async (reply) => check(reply),
  }
}

const repeated = (ask: Ask, check: Parameters<typeof sent>[2]): SentWork =>
  sent(200, () => ask, check)

/** Cookies in turn. */
function sessionCheck(session: Ask, cookies: readonly string[]): SentWork {
  const asks = cookies.map((cookie): Ask => ({ ...session, cookie }))
  return sent(200, (index) => asks[index % asks.length] ?? session, assertPerson)
}

function called(whoIs: NonNullable<Site["whoIs"]>, cookie: string): CalledWork {
  return {
    kind: "called",
    call: () => whoIs(cookie),
    check(answer) {
      if (answer !== person.email) throw new WrongAnswer(person.email, String(answer))
    },
  }
}

async function csrfWorks({ csrf, send }: Site): Promise<Works> {
  if (!csrf) return {}
  const cookie = cookieHeader(await send(csrf))
  return {
    w3First: repeated(csrf, (reply) => assertCsrfToken(reply, true)),
    w3Again: repeated({ ...csrf, cookie }, (reply) => assertCsrfToken(reply, false)),
  }
}

function signInWorks(site: Site, steps: OAuthSteps, typed: Ask): Works {
  const { begin } = steps
  const statusOf = ({ json }: Ask): number => (json ? 200 : 302)
  const signedIn = (reply: Reply) => assertSignedIn(reply, site)
  return {
    w5: sent(
      statusOf(begin),
      () => begin,
      (reply) => assertBegun(reply, steps),
    ),
    w6: {
      kind: "sent",
      status: 302,
      once: true,
      check: signedIn,
      async asks(count) {
        const asks: Ask[] = []
        while (asks.length < count) asks.push(await comeback(steps, site.send))
        return asks
      },
    },
    w7: sent(statusOf(typed), () => typed, signedIn),
  }
}

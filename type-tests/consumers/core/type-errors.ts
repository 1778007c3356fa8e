/** Each line below a comment `refused` has to be refused, for that reason. */
import { createAuth, type InferSession } from "@latchkey/core"
import * as app from "./auth.js"
import { holds, type Same } from "./expect.js"

type Of<Source> = InferSession<Source>

// refused TS2344: that would be another session
holds<Same<Of<typeof app.bare>, { expires: string }>>()
// refused TS2344: nothing is of the type any
holds<Same<Of<typeof app.always>["role"], string>>()
// refused TS2339: the callback does not give it out
export type Missing = [Of<typeof app.always>["rôle"]]
// refused TS2339: nobody gives out the token of a stored session
export type Token = [Of<typeof app.storedUnchanged>["sessionToken"]]
// refused TS2322: it may be absent
export const role: { role: app.Role } = {} as Of<typeof app.atSignIn>
export const nobody = async (request: Request) =>
  // refused TS2531: null is nobody
  (await app.always.getSession(request)).session.role

export const misspelt = createAuth({
  providers: [],
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: "admin" }),
    // refused TS2551: the claim has another name
    session: ({ session, token }) => ({ ...session, role: token.rol }),
  },
})

export const noUser = createAuth({
  providers: [],
  callbacks: {
    // refused TS18048: strategy `jwt` knows no stored user
    session: ({ session, user }) => ({ ...session, id: user.id }),
  },
})

export const noToken = createAuth({
  providers: [],
  adapter: app.adapter,
  callbacks: {
    // refused TS18048: strategy `database` has no claims
    session: ({ session, token }) => ({ ...session, id: token.sub }),
  },
})

export const noSession = createAuth({
  providers: [],
  callbacks: {
    // refused TS2322: a session says when it ends
    session: ({ session }) => ({ user: session.user }),
  },
})

export const noClaims = createAuth({
  providers: [],
  callbacks: {
    // refused TS2322: claims are an object
    jwt: ({ token }) => token.sub,
  },
})

export const otherClaims = createAuth({
  providers: [],
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: 1 }),
    // refused TS2322: the callback above makes a number of it
    session: ({ token }: { token: { role: string } }) => ({ expires: "", role: token.role }),
  },
})

export const unknownOption = createAuth({
  providers: [],
  // refused TS2561: there is no such option
  callback: {},
})

export const unknownStrategy = createAuth({
  providers: [],
  // refused TS2322: there is no such strategy
  session: { strategy: "cookie" },
})

export const noAdapter = createAuth({
  providers: [],
  // refused TS2559: this is no adapter
  adapter: "sqlite",
})

export const wrongMessage = createAuth({
  providers: [],
  // refused TS2322: that is not what the event tells
  events: { session: (message: { session: string }) => void message },
})

// refused TS2345 or TS2741: providers are missing
export const noProviders = createAuth({})

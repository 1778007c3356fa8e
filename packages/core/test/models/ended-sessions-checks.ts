/** Verifies that browsers, processes and lists show the sessions that the history expects. */
import { expect } from "vitest"
import type { Sequence } from "./ended-sessions-browsers.ts"
import type { SignIn } from "./ended-sessions-model.ts"
import {
  applicationNames,
  basePaths,
  getCookies,
  listSessionCookies,
  readSession,
} from "./ended-sessions-site.ts"

/** The sessions of a browser's cookies may have been renewed until now. */
export async function markUses({ browsers, histories, site }: Sequence): Promise<void> {
  for (const browser of browsers)
    for (const name of applicationNames)
      for (const cookie of listSessionCookies(browser, name)) {
        const read = await readSession(site.observers[name], name, cookie)
        const signIn = read && histories[name].signIns.find(({ id }) => id === read.id)
        if (signIn) signIn.usedAt = Date.now()
      }
}

/** Checks who is signed in in each browser. Each check renews the session. */
export async function verifyBrowsers({
  browsers,
  histories,
  site,
  round,
}: Sequence): Promise<void> {
  for (const [index, browser] of browsers.entries())
    for (const name of applicationNames) {
      const history = histories[name]
      if (history.operations.every((each) => each.browser !== index)) continue
      const path = `${basePaths[name]}/session`
      const response = await browser.fetch(path, { headers: { "x-process": String(round % 2) } })
      const body = await response.json()
      const shown = await readSession(site.observers[name], name, getCookies(browser, name))
      expect(body?.user?.name ?? null).toBe(shown?.name ?? null)
      const expected = history.findExpected(index)
      if (expected !== undefined) expect(shown?.id ?? null).toBe(expected?.id ?? null)
      if (!shown) continue
      const signIn = history.signIns.find(({ id }) => id === shown.id)
      if (!signIn) throw new Error("The browser shows a session that never began.")
      expect(shown.name).toBe(signIn.user)
      expect(history.judge(signIn)).not.toBe("ended")
      expect(history.hasEndedIn(index, signIn)).toBe(false)
      signIn.renewedAt = Date.now()
      signIn.usedAt = Date.now()
    }
}

/** Whether sessions that were copied out of browsers are valid: all processes agree, and `auth.sessions.list`. */
export async function verifyCopies({ histories, site, users }: Sequence): Promise<void> {
  const processes = [...site.processes, site.startFreshProcess()]
  const { main } = histories
  const valid: SignIn[] = []
  for (const signIn of main.signIns) {
    const { cookie, start, end } = signIn
    if (cookie === undefined) continue
    const reads = processes.map((each) => readSession(each, "main", cookie))
    const [isValid, ...others] = (await Promise.all(reads)).map((session) => session !== null)
    for (const each of others) expect(each).toBe(isValid)
    // A sealed copy is not renewed with the cookie of the browser.
    const times = site.hasStoredSessions ? signIn : { renewedAt: start, usedAt: end }
    const judgement = main.judge(signIn, times)
    if (judgement !== "uncertain") expect(isValid).toBe(judgement === "alive")
    const isListed = isValid || main.judge(signIn) === "alive"
    if (isListed && site.isCertain(signIn) === true) valid.push(signIn)
  }
  for (const { sessions } of processes) {
    const lists = await Promise.all(users.map((name) => sessions.list(`user-${name}`)))
    const ids = lists.flat().map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(valid.map(({ id }) => id)))
    // Records are kept a little longer than their sessions.
    const listed = ids.map((id) => main.signIns.find((signIn) => signIn.id === id))
    for (const signIn of listed)
      expect(signIn && main.judgeEndings(signIn)).toMatch(/alive|uncertain/)
  }
}

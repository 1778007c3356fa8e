/** Keeps an open page honest: it says so when somebody signed in or out elsewhere, and when there is no network. */
import { client, type KnownSessionState } from "@latchkey/core/client"

const status = document.querySelector("#session-status")
/** Who the page was made for; empty for nobody. */
const pageUserId = document.body.dataset["visitor"] ?? ""

client.onSessionChange((state) => {
  const notice = createNotice(state)
  // What was shown to one person is not for the next one. It stays in the page, in case they come back.
  document.body.classList.toggle("elsewhere", notice?.hidesPage === true)
  status?.replaceChildren(...(notice ? [createParagraph(notice)] : []))
})

interface Notice {
  readonly text: string
  readonly hidesPage?: true
  /** Where to go on, and the words for it. */
  readonly link?: { readonly href: string; readonly text: string }
}

function createNotice(state: KnownSessionState<{ user?: SessionUser }>): Notice | undefined {
  const here = location.pathname + location.search
  switch (state.kind) {
    case "unavailable":
      return undefined
    case "signed-out": {
      if (pageUserId === "") return undefined
      const href = `/auth/signin?${new URLSearchParams({ callbackUrl: here })}`
      return { text: "You are signed out.", hidesPage: true, link: { href, text: "Sign in again" } }
    }
    case "signed-in": {
      const { id, name } = state.session.user ?? {}
      // With the origin: a path that begins with two slashes is another host in a link.
      const link = { href: location.origin + here, text: "Show it to me" }
      if (id === pageUserId) return state.stale ? offlineNotice : undefined
      if (pageUserId === "") return { text: "You are signed in now.", link }
      return {
        text: `This page was for somebody else. You are ${name} now.`,
        hidesPage: true,
        link,
      }
    }
  }
}

interface SessionUser {
  readonly id?: string
  readonly name?: string | null
}

const offlineNotice: Notice = { text: "You are offline. What you see may be out of date." }

function createParagraph({ text, link }: Notice): HTMLElement {
  const element = document.createElement("p")
  element.className = "notice"
  element.append(text)
  if (link) {
    const anchor = document.createElement("a")
    anchor.href = link.href
    anchor.textContent = link.text
    element.append(" ", anchor)
  }
  return element
}

// The form works by itself. With the client, the other tabs hear of it.
for (const form of document.querySelectorAll<HTMLFormElement>('form[action="/auth/signout"]')) {
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const fields = new FormData(form)
    const [redirectTo, csrfToken] = ["callbackUrl", "csrfToken"].map((name) =>
      String(fields.get(name)),
    )
    client.signOut({ redirectTo, csrfToken }).catch(() => form.submit())
  })
}

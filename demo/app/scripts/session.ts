/** Shows a notice on an open page when the session changes in another tab, or when the network is unavailable. */
import { client, type KnownSessionState } from "@latchkey/express/client"

const status = document.querySelector("#session-status")
/** The user for whom the page was rendered; empty for visitors who are signed out. */
const pageUserId = document.body.dataset["visitor"] ?? ""

client.onSessionChange((state) => {
  const notice = createNotice(state)
  // Hides the page from other users, but keeps its content in case the first user returns.
  document.body.classList.toggle("elsewhere", notice?.hidesPage === true)
  status?.replaceChildren(...(notice ? [createParagraph(notice)] : []))
})

interface Notice {
  readonly text: string
  readonly hidesPage?: true
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
      // With the origin, because a path that begins with two slashes would lead to another host.
      const link = { href: location.origin + here, text: "Reload this page" }
      if (id === pageUserId) return state.stale ? offlineNotice : undefined
      if (pageUserId === "") return { text: "You are signed in now.", link }
      return {
        text: `You are now signed in as ${name}. This page belongs to another user.`,
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

const offlineNotice: Notice = { text: "You are offline. This page may be out of date." }

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

// The form also works without this script, but the client notifies the other tabs.
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

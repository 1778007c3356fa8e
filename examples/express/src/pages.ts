/** The pages. */
import type { FactorInfo, PasskeyInfo, SessionInfo } from "@latchkey/express"
import type { AppSession } from "./auth.ts"
import { adapter } from "./database.ts"
import { html, Markup } from "./html.ts"

/** Renders a complete page with a title and content. */
export function renderPage(session: AppSession | null, title: string, content: Markup): string {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} – Latchkey + Express</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/style.css">
  </head>
  <body>
    <header class="bar">
      <a href="/">Latchkey + Express</a>
      ${session ? userMenu(session) : html`<a href="/signin">Sign in</a>`}
    </header>
    <main class="card">
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>
`.text
}

function userMenu({ user }: AppSession): Markup {
  return html`<span>${user?.name}</span>
      <a href="/account">Account</a>
      ${signOutForm}`
}

const signOutForm = html`<form method="post" action="/signout">
        <button class="plain">Sign out</button>
      </form>`

export function homePage(session: AppSession | null): string {
  const content = html`<p>
        ${session ? html`Signed in as ${session.user?.name}.` : "You are signed out."}
      </p>
      <p><a href="/members">Members only</a></p>`
  return renderPage(session, "Welcome", content)
}

interface SignInPageProps {
  readonly redirectTo: string | undefined
  readonly problem?: string | undefined
  readonly email?: string | undefined
}

export function signInPage(
  session: AppSession | null,
  { redirectTo, problem, email }: SignInPageProps,
): string {
  const content = html`${problem && html`<p role="alert">${problem}</p>`}
      <form class="stack" method="post" action="/signin">
        <input type="hidden" name="providerId" value="tenantidp">
        <input type="hidden" name="redirectTo" value="${redirectTo}">
        <button class="primary">Continue with Alder ID</button>
      </form>
      <form class="stack" method="post" action="/signin">
        <input type="hidden" name="providerId" value="credentials">
        <input type="hidden" name="redirectTo" value="${redirectTo}">
        <label for="email">E-mail</label>
        <input id="email" name="email" type="email" value="${email}" required autocomplete="username">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" required
          autocomplete="current-password">
        <button class="primary">Sign in</button>
      </form>
      <p class="muted">Try ann@example.com with the password “correct horse battery staple”.</p>`
  return renderPage(session, "Sign in", content)
}

export function membersPage(session: AppSession | null): string {
  const content = html`<p>Only users who are signed in can read this.</p>
      <p><a href="/account">Your account</a></p>`
  return renderPage(session, "Members only", content)
}

export function accountPage(session: AppSession | null): string {
  const { name, email } = session?.user ?? {}
  const expiresAt = session && new Date(session.expires).toISOString()
  const content = html`<dl>
        <dt>Name</dt>
        <dd>${name}</dd>
        <dt>E-mail</dt>
        <dd>${email}</dd>
        <dt>Session until</dt>
        <dd><time datetime="${expiresAt}">${expiresAt?.slice(0, 10)}</time></dd>
      </dl>
      <form class="stack" method="post" action="/account">
        <label for="name">Display name</label>
        <input id="name" name="name" value="${name}" required maxlength="60" autocomplete="name">
        <button class="primary">Save</button>
      </form>
      ${
        adapter &&
        html`<p><a href="/account/sessions">Your sessions</a></p>
      <p><a href="/account/security">Security</a></p>`
      }`
  return renderPage(session, "Account", content)
}

export function sessionsPage(
  session: AppSession | null,
  sessions: readonly SessionInfo[],
  currentId: string | undefined,
): string {
  const items = sessions.map((info) => sessionItem(info, info.id === currentId).text)
  const content = html`<ul class="sessions">${new Markup(items.join(""))}</ul>
      ${
        sessions.length > 1 &&
        html`<form method="post" action="/account/sessions/others">
        <button class="primary">Sign out everywhere else</button>
      </form>`
      }`
  return renderPage(session, "Your sessions", content)
}

function sessionItem({ id, label, createdAt, lastSeenAt }: SessionInfo, isCurrent: boolean) {
  return html`
        <li>
          <div>
            <strong>${label}</strong>
            <p class="muted">
              Signed in ${formatDay(createdAt)}, last used ${formatDay(lastSeenAt)}
            </p>
          </div>
          ${
            isCurrent
              ? html`<span>This session</span>`
              : html`<form method="post" action="/account/sessions/one">
            <button class="plain" name="id" value="${id}">Sign out</button>
          </form>`
          }
        </li>`
}

export function securityPage(
  session: AppSession | null,
  factors: readonly FactorInfo[],
  passkeys: readonly PasskeyInfo[],
): string {
  const items = [...factors.map(factorItem), ...passkeys.map(passkeyItem)].map(({ text }) => text)
  const appUrl = "/auth/signin/second-factor?step-up=true&add=true&callbackUrl=/account/security"
  const passkeyUrl = "/auth/signin/passkey?callbackUrl=/account/security"
  const list = html`<ul class="sessions">${new Markup(items.join(""))}</ul>`
  const isEmpty = items.length === 0
  const content = html`${isEmpty ? html`<p>Protect your account with an app on your phone, or a passkey.</p>` : list}
      <p><a href="${appUrl}">Add an authenticator app</a></p>
      <p><a href="${passkeyUrl}">Add a passkey</a></p>`
  return renderPage(session, "Security", content)
}

function factorItem({ id, method, createdAt, left }: FactorInfo) {
  if (method !== "totp")
    return html`
        <li><div><strong>Recovery codes</strong><p class="muted">${String(left)} left</p></div></li>`
  return html`
        <li>
          <div>
            <strong>Authenticator app</strong>
            <p class="muted">Added ${formatDay(createdAt)}</p>
          </div>
          <form method="post" action="/account/security">
            <button class="plain" name="id" value="${id}">Remove</button>
          </form>
        </li>`
}

function passkeyItem({ id, name, createdAt }: PasskeyInfo) {
  return html`
        <li>
          <div>
            <strong>${name ?? "Passkey"}</strong>
            <p class="muted">${createdAt ? `Added ${formatDay(createdAt)}` : "Added earlier"}</p>
          </div>
          <form method="post" action="/account/security">
            <button class="plain" name="passkey" value="${id}">Remove</button>
          </form>
        </li>`
}

const formatDay = (date: Date) => date.toISOString().slice(0, 10)

/** The script of the pages of a sign-in by e-mail. `scripts/page-assets.ts` bundles it. */

/** How often to ask whether the visitor has signed in, in milliseconds. */
const interval = 3000
/** How long another submission of a form is a double press, in milliseconds. */
const doublePressTime = 2000

const continueLink = document.querySelector<HTMLAnchorElement>("a[data-continue]")
if (continueLink) waitForSignIn(continueLink)
for (const form of document.forms) ignoreDoublePress(form)

/** Goes on when the visitor has opened the link of the e-mail in another tab. */
function waitForSignIn(link: HTMLAnchorElement): void {
  const showLink = (isShown: boolean) => link.parentElement?.toggleAttribute("hidden", !isShown)
  const timer = setInterval(check, interval)
  addEventListener("visibilitychange", check)
  showLink(false)
  async function check(): Promise<void> {
    if (document.hidden) return
    const status = await readStatus(link.href)
    if (status !== "waiting" && status !== undefined) clearInterval(timer)
    // Without an answer, the visitor can ask.
    showLink(status !== "waiting" && status !== "signed-in")
  }
}

/** Returns the state of the sign-in, and goes on after it. */
async function readStatus(statusUrl: string): Promise<string | undefined> {
  try {
    const response = await fetch(statusUrl, { headers: { accept: "application/json" } })
    const { status, url } = await response.json()
    if (status === "signed-in") location.replace(url)
    return status
  } catch {
    return undefined
  }
}

function ignoreDoublePress(form: HTMLFormElement): void {
  let submittedAt = Number.NEGATIVE_INFINITY
  form.addEventListener("submit", (event) => {
    if (event.timeStamp - submittedAt < doublePressTime) event.preventDefault()
    else submittedAt = event.timeStamp
  })
}

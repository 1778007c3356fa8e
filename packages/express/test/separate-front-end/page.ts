/** The script of the front end. */
import { apiOrigin, client } from "./client.ts"

client.onSessionChange(async (state) => {
  show("session", state.kind === "unavailable" ? state.failure.kind : state.kind)
  const response = await fetch(`${apiOrigin}/api/greeting`, { credentials: "include" })
  show("greeting", (await response.json()).greeting)
})

document.querySelector("#password")?.addEventListener("submit", async (event) => {
  event.preventDefault()
  const form = new FormData(event.target as HTMLFormElement)
  const fields = Object.fromEntries(form)
  const result = await client.signIn("credentials", { ...fields, redirect: false })
  show("result", result.kind)
})

document.querySelector("#provider")?.addEventListener("click", () => void client.signIn("scripted"))
document.querySelector("#choose")?.addEventListener("click", () => void client.signIn())
document.querySelector("#sign-out")?.addEventListener("click", () => void client.signOut())

function show(id: string, text: string): void {
  const element = document.getElementById(id)
  if (element) element.textContent = text
}

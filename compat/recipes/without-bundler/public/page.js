import { getSession, signIn, signOut } from "/latchkey/index.js"

document.querySelector("#sign-in").addEventListener("click", () => signIn("github"))
document.querySelector("#sign-out").addEventListener("click", () => signOut())

const session = await getSession()
document.querySelector("#user").textContent = session?.user?.name ?? "Nobody is signed in."

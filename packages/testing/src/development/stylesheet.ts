/** The style sheet of the development provider's pages. Its hash is in their Content Security Policy. */
export const stylesheet = `
:root { color-scheme: light dark; --ground: #f4f4f5; --card: #fff; --text: #18181b; --muted: #52525b; --line: #d4d4d8;
  --hover: #f4f4f5; --mark: #92400e; --mark-ground: #fef3c7; --focus: #1d4ed8 }
@media (prefers-color-scheme: dark) {
  :root { --ground: #18181b; --card: #27272a; --text: #fafafa; --muted: #a1a1aa; --line: #52525b;
    --hover: #3f3f46; --mark: #fde68a; --mark-ground: #451a03; --focus: #93c5fd }
}
* { box-sizing: border-box }
body { margin: 0; padding: 3rem 1rem; background: var(--ground); color: var(--text); overflow-wrap: anywhere;
  font: 100%/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { max-width: 26rem; margin: 0 auto; padding: 2rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem }
.mark { display: inline-block; margin: 0 0 1rem; padding: .125rem .625rem; border-radius: 1rem; font-size: .8125rem;
  font-weight: 600; color: var(--mark); background: var(--mark-ground) }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.25; text-wrap: balance }
p { margin: .375rem 0 0; color: var(--muted) }
p strong { color: var(--text) }
form { display: grid; gap: .625rem; margin: 1.5rem 0 }
button { min-height: 2.75rem; font: inherit; color: inherit; cursor: pointer }
.user { display: grid; padding: .625rem 1rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--card); text-align: left }
.user:hover { background: var(--hover) }
.user strong { font-weight: 600 }
.user span { color: var(--muted); font-size: .875rem }
.plain { justify-self: start; padding: 0; border: 0; background: none; text-decoration: underline;
  text-underline-offset: .2em }
.note { font-size: .875rem }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
@media (max-width: 26rem) { body { padding: 1rem } main { padding: 1.25rem } }
`

/** The styles that all pages share, one rule per line where it fits. */
export const pageStyles = `
*, *::before, *::after { box-sizing: border-box; margin: 0 }
html {
  font: 100%/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  -webkit-font-smoothing: antialiased; -moz-osx-font-smoothing: grayscale;
  -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
}
body { background: var(--canvas); color: var(--text); font-size: .9375rem; overflow-wrap: anywhere }
[hidden] { display: none !important }
.page {
  display: grid; align-content: center; justify-items: center;
  min-height: 100vh; min-height: 100svh; padding: 1.5rem 1rem max(1.5rem, 10vh);
}
.page > div { width: 100%; max-width: 25rem }
.card {
  padding: 2.5rem; border: 1px solid var(--hairline); border-radius: 1.125rem; background: var(--card);
  box-shadow: 0 1px 2px rgb(0 0 0/.04), 0 12px 32px -8px rgb(0 0 0/.08);
}
.logo { display: block; max-width: 12rem; max-height: 3.5rem; margin: 0 auto 1.75rem }
header { margin-bottom: 1.75rem; text-align: center }
h1 { font-size: 1.375rem; font-weight: 600; line-height: 1.25; letter-spacing: -.018em; text-wrap: balance }
h1 + p, p + p { margin-top: .5rem }
header p, .note { color: var(--muted); text-wrap: pretty }
strong { color: var(--text); font-weight: 500 }
.note { margin-top: 1.5rem; font-size: .8125rem; text-align: center }
.signin .error {
  margin-bottom: 1.5rem; padding: .75rem 1rem; border: 1px solid var(--error-edge); border-radius: .625rem;
  background: var(--error-fill); color: var(--error-text); font-size: .875rem;
}
.signin .notice { border-color: var(--hairline); background: var(--hover); color: var(--text) }
.provider + .provider { margin-top: .75rem }
.or { display: flex; align-items: center; gap: .875rem; margin: 1.5rem 0; color: var(--muted); font-size: .8125rem }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--hairline) }
.icon {
  flex: none; width: 1.25rem; height: 1.25rem; fill: none; stroke: currentColor;
  stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round;
}
.emblem, .mark { display: grid; flex: none; place-items: center; background: var(--mark); color: var(--mark-text) }
.emblem { width: 3.25rem; height: 3.25rem; margin: 0 auto 1.25rem; border-radius: 50% }
.emblem .icon { width: 1.5rem; height: 1.5rem }
.mark {
  width: 1.5rem; height: 1.5rem; border-radius: .4375rem; box-shadow: inset 0 0 0 1px rgb(128 128 128/.25);
  font-size: .875rem; font-weight: 600; line-height: 1; forced-color-adjust: none;
}
.picture { background: #fff; box-shadow: none }
.button, input {
  width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: .625rem;
  background: var(--card); color: var(--text); font: inherit;
}
.button {
  display: flex; align-items: center; justify-content: center; gap: .625rem;
  font-weight: 500; line-height: 1.3; text-align: center; text-decoration: none; cursor: pointer;
}
.button:hover { background: var(--hover) }
.button.main { border-color: rgb(128 128 128/.35); background: var(--brand-color); color: var(--button-text-color) }
.button.main:hover { background: var(--brand-hover) }
.button.plain { margin-top: .5rem; border-color: transparent; background: none; color: var(--muted) }
.button.plain:hover { background: var(--hover); color: var(--text) }
.button .label { flex: 1 }
.button .label:last-child { padding-right: 2.125rem }
.site { color: var(--text); font-weight: 500; text-decoration-color: var(--field-edge); text-underline-offset: .2em }
.site:hover { text-decoration-color: currentColor }
.field { margin-bottom: 1rem }
label { display: block; margin-bottom: .375rem; font-size: .875rem; font-weight: 500 }
input { display: block; border-color: var(--field-edge); background: var(--field); font-size: 1rem }
input::placeholder { color: var(--placeholder); opacity: 1 }
input:hover { border-color: var(--muted) }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
input:focus-visible { border-color: var(--focus); outline-width: 1px; outline-offset: 0 }
input:disabled, input[readonly] { background: var(--hover) }
input:-webkit-autofill {
  -webkit-text-fill-color: var(--text); box-shadow: inset 0 0 0 3rem var(--field); caret-color: var(--text);
}
.field.check { display: flex; align-items: center; gap: .625rem }
.check label { order: 1; margin: 0 }
input[type="checkbox"] { flex: none; width: 1.125rem; min-height: 1.125rem; accent-color: var(--focus) }
@media (max-width: 28rem) {
  .card { padding: 2rem 1.25rem }
}
@media (prefers-reduced-motion: no-preference) {
  .button, .site, input { transition: background-color .15s, border-color .15s, text-decoration-color .15s }
}
`

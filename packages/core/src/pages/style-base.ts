/** Style of the frame that all pages share: ground, card, headings, logo. */
export const baseStyles = `
*, *::before, *::after {
  box-sizing: border-box;
}
html {
  font: 100%/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  -webkit-font-smoothing: antialiased;
  -moz-osx-font-smoothing: grayscale;
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}
body {
  margin: 0;
  background: var(--canvas);
  color: var(--text);
  font-size: .9375rem;
  overflow-wrap: anywhere;
}
.page {
  display: grid;
  align-content: center;
  justify-items: center;
  min-height: 100vh;
  min-height: 100svh;
  padding: 1.5rem 1rem max(1.5rem, 10vh);
}
.page > div {
  width: 100%;
  max-width: 25rem;
}
.card {
  padding: 2.5rem;
  border: 1px solid var(--hairline);
  border-radius: 1.125rem;
  background: var(--card);
  box-shadow: 0 1px 2px rgb(0 0 0/.04), 0 12px 32px -8px rgb(0 0 0/.08);
}
.logo {
  display: block;
  max-width: 12rem;
  max-height: 3.5rem;
  margin: 0 auto 1.75rem;
}
header {
  margin-bottom: 1.75rem;
  text-align: center;
}
.emblem {
  display: grid;
  place-items: center;
  width: 3.25rem;
  height: 3.25rem;
  margin: 0 auto 1.25rem;
  border-radius: 50%;
  background: var(--mark);
  color: var(--mark-text);
}
.icon {
  width: 1.25rem;
  height: 1.25rem;
  fill: none;
  stroke: currentColor;
  stroke-width: 1.75;
  stroke-linecap: round;
  stroke-linejoin: round;
}
.emblem .icon {
  width: 1.5rem;
  height: 1.5rem;
}
h1 {
  margin: 0;
  font-size: 1.375rem;
  font-weight: 600;
  line-height: 1.25;
  letter-spacing: -.018em;
  text-wrap: balance;
}
p {
  margin: 0;
}
h1 + p, p + p {
  margin-top: .5rem;
}
header p, .note {
  color: var(--muted);
  text-wrap: pretty;
}
strong {
  color: var(--text);
  font-weight: 500;
}
.note {
  margin-top: 1.5rem;
  font-size: .8125rem;
  text-align: center;
}
@media (max-width: 28rem) {
  .card {
    padding: 2rem 1.25rem;
  }
}
`

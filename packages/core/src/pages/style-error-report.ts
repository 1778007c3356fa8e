/** Style of what a developer is told below the card. Only pages that have it carry it. */
export const errorReportStyles = `
.page > .traced {
  max-width: 44rem;
}
.traced .card {
  max-width: 25rem;
  margin: 0 auto;
}
.trace {
  margin-top: 1.5rem;
  padding: 2rem 2.5rem;
  border: 1px solid var(--hairline);
  border-radius: 1.125rem;
  background: var(--card);
  font-size: .875rem;
}
.trace h2, .trace h3 {
  margin: .25rem 0 0;
  font-weight: 600;
  letter-spacing: -.01em;
}
.trace h2 {
  font-size: 1.125rem;
}
.trace h3 {
  margin-top: 1.5rem;
  font-size: .875rem;
}
.trace h2 + p {
  margin-top: .375rem;
}
.trace .aside, .trace dt {
  color: var(--muted);
  font-size: .8125rem;
}
.trace ol + .aside, .trace .fix + .aside, .trace .causes + .aside {
  margin-top: 1.5rem;
}
.trace .fix {
  margin-top: 1rem;
  padding: .75rem 1rem;
  border-radius: .625rem;
  background: var(--hover);
}
.trace ul, .trace ol {
  margin: .75rem 0 0;
  padding: 0;
  list-style: none;
}
.trace .causes li {
  padding: .25rem 0 .25rem .875rem;
  border-left: 2px solid var(--error-edge);
  color: var(--error-text);
}
.trace ol li {
  position: relative;
  padding: .625rem 0 .625rem 1.75rem;
  border-top: 1px solid var(--hairline);
}
.trace ol li::before {
  position: absolute;
  left: .125rem;
  content: "\\2022";
  color: var(--muted);
}
.trace .good::before {
  content: "\\2713";
}
.trace .bad::before {
  content: "\\2715";
  color: var(--error-text);
}
.trace .bad .came {
  color: var(--error-text);
}
.trace dl {
  display: grid;
  grid-template-columns: max-content 1fr;
  gap: .125rem .75rem;
  margin: .125rem 0 0;
}
.trace dd {
  margin: 0;
}
.trace code {
  font: .8125rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
.hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
@media (max-width: 28rem) {
  .trace {
    padding: 1.5rem 1.25rem;
  }
  .trace dl {
    grid-template-columns: 1fr;
  }
}
`

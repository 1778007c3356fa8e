/** The styles of the error report, one rule per line where it fits. Only pages with a report have them. */
export const errorReportStyles = `
.page > .with-error-report { max-width: 44rem }
.with-error-report .card { max-width: 25rem; margin: 0 auto }
.error-report {
  margin-top: 1.5rem; padding: 2rem 2.5rem; border: 1px solid var(--hairline); border-radius: 1.125rem;
  background: var(--card); font-size: .875rem;
}
.error-report h2, .error-report h3 { margin: .25rem 0 0; font-weight: 600; letter-spacing: -.01em }
.error-report h2 { font-size: 1.125rem }
.error-report h2 + p { margin-top: .375rem }
.error-report h3 { margin-top: 1.5rem; font-size: .875rem }
.error-report .aside, .error-report dt { color: var(--muted); font-size: .8125rem }
.error-report * + .aside { margin-top: 1.5rem }
.error-report .fix { margin-top: 1rem; padding: .75rem 1rem; border-radius: .625rem; background: var(--hover) }
.error-report ul, .error-report ol { margin: .75rem 0 0; padding: 0; list-style: none }
.error-report ul li { padding: .25rem 0 .25rem .875rem; border-left: 2px solid var(--error-edge); color: var(--error-text) }
.error-report ol li { position: relative; padding: .625rem 0 .625rem 1.75rem; border-top: 1px solid var(--hairline) }
.error-report ol li::before { position: absolute; left: .125rem; content: "\\2022"; color: var(--muted) }
.error-report .ok::before { content: "\\2713" }
.error-report .failed::before { content: "\\2715"; color: var(--error-text) }
.error-report .failed .received { color: var(--error-text) }
.error-report dl { display: grid; grid-template-columns: max-content 1fr; gap: .125rem .75rem; margin: .125rem 0 0 }
.error-report dd { margin: 0 }
.error-report code { font: .8125rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (max-width: 28rem) {
  .error-report { padding: 1.5rem 1.25rem }
  .error-report dl { grid-template-columns: 1fr }
}
`

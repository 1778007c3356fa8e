/** Style of what people read and touch on the card: errors, buttons, links, fields. */
export const controlStyles = `
.signin .error {
  margin-bottom: 1.5rem;
  padding: .75rem 1rem;
  border: 1px solid var(--error-edge);
  border-radius: .625rem;
  background: var(--error-fill);
  color: var(--error-text);
  font-size: .875rem;
}
.signin .notice {
  border-color: var(--hairline);
  background: var(--hover);
  color: var(--text);
}
[hidden] {
  display: none !important;
}
.provider + .provider {
  margin-top: .75rem;
}
.or {
  display: flex;
  align-items: center;
  gap: .875rem;
  margin: 1.5rem 0;
  color: var(--muted);
  font-size: .8125rem;
}
.or::before, .or::after {
  content: "";
  flex: 1;
  border-top: 1px solid var(--hairline);
}
.button {
  display: flex;
  align-items: center;
  justify-content: center;
  gap: .625rem;
  width: 100%;
  min-height: 2.75rem;
  padding: .5rem .75rem;
  border: 1px solid var(--edge);
  border-radius: .625rem;
  background: var(--card);
  color: var(--text);
  font: inherit;
  font-weight: 500;
  line-height: 1.3;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.button:hover {
  background: var(--hover);
}
.button.main {
  border-color: rgb(128 128 128/.35);
  background: var(--brand-color);
  color: var(--button-text-color);
}
.button.main:hover {
  background: var(--brand-hover);
}
.button.plain {
  margin-top: .5rem;
  border-color: transparent;
  background: none;
  color: var(--muted);
}
.button.plain:hover {
  background: var(--hover);
  color: var(--text);
}
.button .label {
  flex: 1;
}
.button .label:last-child {
  padding-right: 2.125rem;
}
.button .icon {
  flex: none;
}
.mark {
  display: grid;
  flex: none;
  place-items: center;
  width: 1.5rem;
  height: 1.5rem;
  border-radius: .4375rem;
  background: var(--mark);
  color: var(--mark-text);
  box-shadow: inset 0 0 0 1px rgb(128 128 128/.25);
  font-size: .875rem;
  font-weight: 600;
  line-height: 1;
  forced-color-adjust: none;
}
.picture {
  background: #fff;
  box-shadow: none;
}
.site {
  color: var(--text);
  font-weight: 500;
  text-decoration-color: var(--field-edge);
  text-underline-offset: .2em;
}
.site:hover {
  text-decoration-color: currentColor;
}
:focus-visible {
  outline: 2px solid var(--focus);
  outline-offset: 2px;
}
@media (prefers-reduced-motion: no-preference) {
  .button, .site, input {
    transition: background-color .15s, border-color .15s, text-decoration-color .15s;
  }
}
`

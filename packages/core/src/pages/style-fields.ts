/** Style of labels and inputs. */
export const fieldStyles = `
.field {
  margin-bottom: 1rem;
}
label {
  display: block;
  margin-bottom: .375rem;
  font-size: .875rem;
  font-weight: 500;
}
input {
  display: block;
  width: 100%;
  min-height: 2.75rem;
  padding: .5rem .75rem;
  border: 1px solid var(--field-edge);
  border-radius: .625rem;
  background: var(--field);
  color: var(--text);
  font: inherit;
  font-size: 1rem;
}
input::placeholder {
  color: var(--placeholder);
  opacity: 1;
}
input:hover {
  border-color: var(--muted);
}
input:focus-visible {
  border-color: var(--focus);
  outline-width: 1px;
  outline-offset: 0;
}
input:disabled, input[readonly] {
  background: var(--hover);
}
input:-webkit-autofill {
  -webkit-text-fill-color: var(--text);
  box-shadow: inset 0 0 0 3rem var(--field);
  caret-color: var(--text);
}
.field.check {
  display: flex;
  align-items: center;
  gap: .625rem;
}
.check label {
  order: 1;
  margin: 0;
}
input[type="checkbox"] {
  flex: none;
  width: 1.125rem;
  min-height: 1.125rem;
  margin: 0;
  accent-color: var(--focus);
}
`

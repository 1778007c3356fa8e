/** A field of a credentials form: any attribute of an HTML `input`, and a label. */
export interface CredentialInput {
  label?: string
  type?: string
  placeholder?: string
  value?: string
  required?: boolean
  autocomplete?: string
  [attribute: string]: string | number | boolean | undefined
}

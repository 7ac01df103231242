/** A label of a domain: up to 63 characters, without a hyphen at either end. */
const LABEL = String.raw`[\p{Alphabetic}\p{N}](?:[\p{Alphabetic}\p{N}-]{0,61}[\p{Alphabetic}\p{N}])?`
const ADDRESS = new RegExp(
  String.raw`^[\p{Alphabetic}\p{N}.!#$%&'*+/=?^_\x60{|}~-]+@${LABEL}(?:\.${LABEL})+$`,
  'u',
)

/** Whether the server accepts a text as an email address (`services/chassis/src/email.rs`). */
export function isEmail(text: string): boolean {
  return ADDRESS.test(text.trim())
}

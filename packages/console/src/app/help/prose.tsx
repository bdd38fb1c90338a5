/** A sentence of the catalogue, in which backticks mark code. */
export function Prose({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))
}

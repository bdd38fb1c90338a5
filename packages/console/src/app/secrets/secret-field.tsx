import { TextField } from '../ui/fields.tsx'

/** The field of a secret that the other side created. */
export function SecretField(props: {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly autoFocus?: boolean
}) {
  return (
    <TextField
      {...props}
      label="Secret"
      hint="Leave it empty to generate one. If the service creates the secret, enter it here, or add it later."
      type="password"
      autoComplete="off"
    />
  )
}

import { CopyButton } from '../ui/copy.tsx'

/** A value to copy. A value that is shown once says so. */
export function CopyOnce({
  label,
  value,
  isOnce = false,
}: {
  readonly label: string
  readonly value: string
  readonly isOnce?: boolean
}) {
  return (
    <div className="copy-once">
      <p className="label">{label}</p>
      <div className="copy-value">
        <code>{value}</code>
        <CopyButton text={value} look="secondary" />
      </div>
      {isOnce && <p className="hint">Copy the secret now: it is not shown again.</p>}
    </div>
  )
}

import { CopyValue } from './copy.tsx'

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
      <CopyValue value={value} />
      {isOnce && <p className="hint">Copy it now: it is not shown again.</p>}
    </div>
  )
}

import { Id } from './text.tsx'
import { Time } from './time.tsx'

/** A stored secret by its id, without its value. */
export function StoredSecret({
  secret: { id, created_at },
  isNewest,
}: {
  readonly secret: { readonly id: string; readonly created_at: string }
  readonly isNewest: boolean
}) {
  return (
    <span>
      <Id value={id} />{' '}
      <span className="muted">
        added <Time value={created_at} />
        {isNewest && ', newest'}
      </span>
    </span>
  )
}

import type { Schemas } from '../api/client.ts'
import { formatDuration } from '../ui/format.ts'
import { Untrusted } from '../ui/text.tsx'

/** The answer of a destination to an attempt. */
export function DestinationAnswer({
  response,
}: {
  readonly response: Schemas['DestinationResponse'] | null
}) {
  if (response === null) return null
  const { status, duration_ms, body } = response
  return (
    <details>
      <summary className="muted">
        {status === null ? 'No answer' : `Answer ${status}`} after {formatDuration(Math.round(duration_ms))}
      </summary>
      {body === null || body === '' ? (
        <p className="muted">The answer has no body.</p>
      ) : (
        <pre>
          <Untrusted text={body} limit={4096} />
        </pre>
      )}
    </details>
  )
}

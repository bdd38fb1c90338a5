import { Link } from 'wouter'
import { useDestinations } from '../destinations/use-destinations.ts'
import { formatCount } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'

/** Names the destinations that receive nothing. */
export function DestinationsNotice() {
  const stopped = (useDestinations().data?.data.destinations ?? []).filter(({ state }) => state !== 'running')
  const [first] = stopped
  if (first === undefined) return null
  return (
    <Notice tone="warn">
      <p>
        {stopped.length === 1 ? (
          <>
            The destination <Link href={`/destinations/${encodeURIComponent(first.name)}`}>{first.name}</Link>{' '}
            is {first.state}.
          </>
        ) : (
          <>
            <Link href="/destinations">{formatCount(stopped.length)} destinations</Link> receive nothing.
          </>
        )}
      </p>
    </Notice>
  )
}

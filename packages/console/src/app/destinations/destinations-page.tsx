import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { useFeatures } from '../api/features.tsx'
import { PageHeader } from '../layout/layout.tsx'
import { useOperator } from '../session/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { formatCount, formatShare } from '../ui/format.ts'
import { Empty, ErrorNotice, Loading } from '../ui/notice.tsx'
import { numberColumn, Table } from '../ui/table.tsx'
import { Untrusted } from '../ui/text.tsx'
import { Time } from '../ui/time.tsx'
import { CreateDestination } from './create-destination.tsx'
import { useDestinations } from './use-destinations.ts'

/** The services that receive deliveries or events. */
export function DestinationsPage() {
  const { has } = useFeatures()
  const operator = useOperator()
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <PageHeader
        title="Destinations"
        tabTitle="Destinations"
        lead="HTTP services that receive deliveries as they came, or their events."
      >
        {has('createDestination') && operator?.may('manage') && (
          <Button
            look="primary"
            onPress={() => {
              setCreating(true)
            }}
          >
            Create destination
          </Button>
        )}
      </PageHeader>
      <List />
      <CreateDestination
        isOpen={isCreating}
        onClose={() => {
          setCreating(false)
        }}
      />
    </>
  )
}

function List() {
  const query = useDestinations()
  if (query.isPending) return <Loading />
  if (query.data === undefined) return <ErrorNotice error={query.error} onRetry={query.refetch} />
  const { destinations } = query.data.data
  if (destinations.length === 0) return <Empty title="There is no destination." />
  return (
    <>
      {query.isError && <ErrorNotice error={query.error} onRetry={query.refetch} />}
      <Table
        caption="Destinations"
        columns={[
          'Name',
          'State',
          'Mode',
          numberColumn('Rate'),
          numberColumn('Waiting'),
          numberColumn('Oldest'),
          numberColumn('Errors, 1 h'),
          numberColumn('Last success'),
        ]}
      >
        {destinations.map((one) => (
          <Row key={one.name} destination={one} />
        ))}
      </Table>
    </>
  )
}

function Row({ destination }: { readonly destination: Schemas['Destination'] }) {
  const { name, state, mode, rate_per_second: rate, pending, oldest_at, error_share } = destination
  return (
    <tr>
      <td className="cell-main">
        <Link href={`/destinations/${encodeURIComponent(name)}`} className="row-link">
          {name}
        </Link>
        <Reason destination={destination} />
      </td>
      <td>
        <Badge state={state} />
      </td>
      <td>{mode ?? '–'}</td>
      <td className="cell-number" data-label="Rate">
        {rate === null ? 'no limit' : `${formatCount(rate)}/s`}
      </td>
      <td className="cell-number" data-label="Waiting">
        {formatCount(pending)}
      </td>
      <td className="cell-number" data-label="Oldest">
        {oldest_at === null ? '–' : <Time value={oldest_at} isRelative />}
      </td>
      <td className="cell-number" data-label="Errors, 1 h">
        {error_share === null ? '–' : formatShare(error_share)}
      </td>
      <td className="cell-number" data-label="Last success">
        {destination.last_success_at === null ? '–' : <Time value={destination.last_success_at} isRelative />}
      </td>
    </tr>
  )
}

/** Why a destination receives nothing. */
export function Reason({ destination }: { readonly destination: Schemas['Destination'] }) {
  const { paused_at, pause_reason, probe_at } = destination
  if (paused_at !== null)
    return (
      <span className="row-detail">
        paused <Time value={paused_at} isRelative />
        {pause_reason !== null && (
          <>
            : <Untrusted text={pause_reason} limit={200} />
          </>
        )}
      </span>
    )
  if (probe_at === null) return null
  return (
    <span className="row-detail">
      circuit breaker open, next probe <Time value={probe_at} isRelative />
    </span>
  )
}
